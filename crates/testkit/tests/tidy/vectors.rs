//! The vectors of `corpus/`: every case has an id of its own, and some clause of a draft cites it.

use crate::finding::{Finding, report};
use crate::repository;
use serde_json::Value;

const RULE: &str = "vectors";

/// One case of a corpus file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Vector {
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) id: String,
}

/// Reads the ids of one file: an array of cases, or an object with `cases`.
fn parse(path: &str, text: &str) -> Result<Vec<Vector>, Finding> {
    let refuse = |message: String| Finding::new(RULE, path, 1, message);
    let value: Value = serde_json::from_str(text).map_err(|error| refuse(format!("not JSON: {error}")))?;
    let cases = value.as_array().or_else(|| value.get("cases")?.as_array());
    let cases =
        cases.ok_or_else(|| refuse("expected an array of cases, or an object with `cases`".into()))?;
    let id = |case: &Value| case.get("id").and_then(Value::as_str).map(str::to_owned);
    let vector = |(index, case)| {
        let id =
            id(case).ok_or_else(|| refuse(format!("case {index} has no `id`: give it one of its own")))?;
        Ok(Vector {
            file: path.to_owned(),
            line: line_of(text, &id),
            id,
        })
    };
    cases.iter().enumerate().map(vector).collect()
}

fn line_of(text: &str, id: &str) -> usize {
    let quoted = Value::from(id).to_string();
    let here = |line: &str| {
        line.split_once("\"id\"")
            .is_some_and(|(_, after)| after.trim_start_matches([' ', ':']).starts_with(&quoted))
    };
    text.lines().position(here).map_or(1, |index| index + 1)
}

/// Whether a file holds cases. What stands in a folder `examples` is what cases are about.
fn holds_cases(path: &str) -> bool {
    path.starts_with("corpus/") && path.ends_with(".json") && !path.contains("/examples/")
}

/// Returns every vector of the corpus, and what could not be read.
pub(crate) fn all() -> (Vec<Vector>, Vec<Finding>) {
    let (mut vectors, mut findings) = (Vec::new(), Vec::new());
    for file in repository::files() {
        let Some(text) = file.text.as_deref().filter(|_| holds_cases(&file.path)) else {
            continue;
        };
        match parse(&file.path, text) {
            Ok(read) => vectors.extend(read),
            Err(finding) => findings.push(finding),
        }
    }
    (vectors, findings)
}

fn check(vectors: &[Vector], cited: &dyn Fn(&str) -> bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, vector) in vectors.iter().enumerate() {
        let mut find = |message| findings.push(Finding::new(RULE, &vector.file, vector.line, message));
        if let Some(first) = vectors.iter().take(index).find(|first| first.id == vector.id) {
            find(format!(
                "id '{}' is taken by {}:{}: choose another",
                vector.id, first.file, first.line
            ));
        }
        if !cited(&vector.id) {
            find(format!(
                "vector '{}' is cited by no clause: name it in docs/drafts",
                vector.id
            ));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::assert_findings;

    #[test]
    fn cases_are_read_from_both_shapes() {
        fn table(text: &str, expected: Result<&[(usize, &str)], &str>) {
            let read = parse("corpus/a.json", text);
            let ids = read.as_ref().map(|read| {
                read.iter()
                    .map(|vector| (vector.line, vector.id.as_str()))
                    .collect::<Vec<_>>()
            });
            match (ids, expected) {
                (Ok(ids), Ok(expected)) => assert_eq!(ids, expected, "of {text}"),
                (Err(finding), Err(words)) => assert!(finding.message.contains(words), "{finding}"),
                (ids, expected) => panic!("of {text}: expected {expected:?}, got {ids:?}"),
            }
        }
        table(
            "[\n{\"id\": \"a-1\"},\n{\"id\":\"a-2\"}\n]",
            Ok(&[(2, "a-1"), (3, "a-2")]),
        );
        table("{\"cases\": [{\"id\": \"b\"}]}", Ok(&[(1, "b")]));
        table("[]", Ok(&[]));
        table("{\"id\": \"a\"}", Err("an object with `cases`"));
        table("[{\"id\": \"a\"}, {}]", Err("case 1 has no `id`"));
        table("[", Err("not JSON"));
    }

    #[test]
    fn ids_are_unique_and_cited() {
        let vector = |line, id: &str| Vector {
            file: "corpus/a.json".into(),
            line,
            id: id.into(),
        };
        let vectors = [vector(1, "a"), vector(2, "b"), vector(3, "a")];
        assert_findings(
            &check(&vectors, &|_| true),
            &[(3, "taken by corpus/a.json:1")],
            "a taken id",
        );
        assert_findings(
            &check(&vectors[..2], &|id| id == "a"),
            &[(2, "cited by no clause")],
            "an uncited id",
        );
        assert_findings(&check(&vectors[..2], &|_| true), &[], "good ones");
    }

    #[test]
    fn every_vector_is_one_of_a_kind_and_cited() {
        let (vectors, mut findings) = all();
        let cited = crate::drafts::cited();
        findings.extend(check(&vectors, &|id| cited.contains(id)));
        report(&findings);
    }
}
