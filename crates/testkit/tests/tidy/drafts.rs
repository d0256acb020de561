//! Each clause of a draft points at the file that keeps it and at what proves it.
//!
//! The pages are `docs/drafts/*.md`. A table with the columns `file` and `proof` is a clause table:
//! its cells hold backticked items, paths in the one, vector ids or `path.rs::test` in the other.

use crate::finding::{Finding, report};
use crate::markdown;
use crate::repository;
use crate::source::Source;
use crate::vectors;
use std::collections::BTreeSet;

const RULE: &str = "drafts";

/// What a page is held against.
struct Facts<'a> {
    /// Whether a path is in the repository.
    exists: &'a dyn Fn(&str) -> bool,
    /// Whether a file has a test of this name; `None` if there is no such file.
    has_test: &'a dyn Fn(&str, &str) -> Option<bool>,
    /// Whether the corpus has a vector of this id.
    has_vector: &'a dyn Fn(&str) -> bool,
}

fn check(page: &str, text: &str, facts: &Facts<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut clauses = 0;
    for table in markdown::tables(text) {
        let (Some(file), Some(proof)) = (table.column("file"), table.column("proof")) else {
            continue;
        };
        for row in &table.rows {
            clauses += 1;
            let mut find = |message| findings.push(Finding::new(RULE, page, row.line, message));
            for (column, cell) in [("file", row.cell(file)), ("proof", row.cell(proof))] {
                let (items, stray) = markdown::items(cell);
                if items.is_empty() {
                    find(format!("the cell '{column}' names nothing: name it in backticks"));
                }
                if !stray.is_empty() {
                    find(format!(
                        "'{stray}' in '{column}' is not in backticks: nothing checks it"
                    ));
                }
            }
            let (files, _) = markdown::items(row.cell(file));
            for path in files.into_iter().filter(|path| !(facts.exists)(path)) {
                find(format!("there is no file '{path}'"));
            }
            let (proofs, _) = markdown::items(row.cell(proof));
            proofs
                .into_iter()
                .filter_map(|proof| missing(proof, facts))
                .for_each(find);
        }
    }
    if clauses == 0 {
        findings.push(Finding::new(
            RULE,
            page,
            1,
            "no clause table: add one with the columns `file` and `proof`",
        ));
    }
    findings
}

/// Returns what is wrong with one proof.
fn missing(proof: &str, facts: &Facts<'_>) -> Option<String> {
    let Some((path, test)) = proof.split_once(".rs::") else {
        return (!(facts.has_vector)(proof)).then(|| format!("there is no vector '{proof}' in corpus/"));
    };
    let path = format!("{path}.rs");
    let name = test.rsplit("::").next().unwrap_or(test);
    match (facts.has_test)(&path, name) {
        None => Some(format!("there is no file '{path}'")),
        Some(false) => Some(format!("there is no test '{name}' in '{path}'")),
        Some(true) => None,
    }
}

/// Returns the proofs that the pages of the repository cite.
pub(crate) fn cited() -> BTreeSet<String> {
    let mut cited = BTreeSet::new();
    for (_, text) in pages() {
        for table in markdown::tables(text) {
            let (Some(_), Some(proof)) = (table.column("file"), table.column("proof")) else {
                continue;
            };
            for row in &table.rows {
                cited.extend(markdown::items(row.cell(proof)).0.into_iter().map(str::to_owned));
            }
        }
    }
    cited
}

fn pages() -> impl Iterator<Item = (&'static str, &'static str)> {
    let page = |path: &str| {
        path.starts_with("docs/drafts/") && path.ends_with(".md") && !path.ends_with("/README.md")
    };
    repository::files()
        .iter()
        .filter(move |file| page(&file.path))
        .filter_map(|file| Some((file.path.as_str(), file.text.as_deref()?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::assert_findings;

    #[test]
    fn clauses_without_file_or_proof_are_found() {
        fn table(row: &str, expected: &[(usize, &str)]) {
            let text = format!("# ACLI\n\n| clause | file | proof |\n|---|---|---|\n{row}\n");
            let facts = Facts {
                exists: &|path| path == "a.rs" || path == "b",
                has_test: &|path, name| (path == "t.rs").then_some(name == "works"),
                has_vector: &|id| id == "v-1" || id == "v-2",
            };
            assert_findings(&check("docs/drafts/acli.md", &text, &facts), expected, row);
        }
        table("| §1 | `a.rs` | `v-1` |", &[]);
        table("| §1 | `a.rs`, `b` | `v-1` `v-2`, `t.rs::works` |", &[]);
        table("| §1 | `a.rs` | `t.rs::tests::works` |", &[]);
        table("| §1 | `c.rs` | `v-1` |", &[(5, "no file 'c.rs'")]);
        table("| §1 | `a.rs` | `v-3` |", &[(5, "no vector 'v-3'")]);
        table(
            "| §1 | `a.rs` | `t.rs::breaks` |",
            &[(5, "no test 'breaks' in 't.rs'")],
        );
        table("| §1 | `a.rs` | `u.rs::works` |", &[(5, "no file 'u.rs'")]);
        table(
            "| §1 | a.rs | `v-1` |",
            &[
                (5, "'file' names nothing"),
                (5, "'a.rs' in 'file' is not in backticks"),
            ],
        );
        table("| §1 | `a.rs` | |", &[(5, "'proof' names nothing")]);
        table("", &[(1, "no clause table")]);
    }

    #[test]
    fn every_clause_has_its_file_and_its_proof() {
        let (vectors, _) = vectors::all();
        let ids: BTreeSet<_> = vectors.iter().map(|vector| vector.id.as_str()).collect();
        let facts = Facts {
            exists: &|path| repository::root().join(path).exists(),
            has_test: &|path, name| repository::text(path).map(|text| Source::of(text).has_test(name)),
            has_vector: &|id| ids.contains(id),
        };
        report(
            &pages()
                .flat_map(|(path, text)| check(path, text, &facts))
                .collect::<Vec<_>>(),
        );
    }
}
