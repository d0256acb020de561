//! Each third-party crate that we name in a manifest has its reason in `docs/dependencies.md`.
//!
//! The page says where each is used too, and is held to it: a row that outlives its use is found.

use crate::finding::{Finding, report};
use crate::markdown::{self, Row, Table};
use crate::metadata::{self, Kind, Package};
use crate::repository;
use std::collections::{BTreeMap, BTreeSet};

const RULE: &str = "reasons";
const PAGE: &str = "docs/dependencies.md";

/// The columns of the page's tables.
struct Columns {
    name: usize,
    reason: usize,
    places: usize,
}

impl Columns {
    fn of(table: &Table) -> Option<Self> {
        let column = |name| table.column(name);
        Some(Self {
            name: column("crate")?,
            reason: column("why this one")?,
            places: column("where")?,
        })
    }
}

fn check(page: &str, packages: &[Package]) -> Vec<Finding> {
    let uses = uses(packages);
    let mut findings = Vec::new();
    let mut seen = BTreeSet::new();
    for table in markdown::tables(page) {
        let Some(columns) = Columns::of(&table) else {
            continue;
        };
        for row in &table.rows {
            let name = row.cell(columns.name).trim_matches('`').to_owned();
            if let Some(message) = wrong(&name, row, &columns, &uses) {
                findings.push(Finding::new(RULE, PAGE, row.line, message));
            }
            if !seen.insert(name.clone()) {
                findings.push(Finding::new(
                    RULE,
                    PAGE,
                    row.line,
                    format!("'{name}' has a row already: merge them"),
                ));
            }
        }
    }
    for (name, places) in uses.iter().filter(|(name, _)| !seen.contains(**name)) {
        let row = format!("| `{name}` | job | why this one | {} |", join(places));
        findings.push(Finding::new(
            RULE,
            PAGE,
            1,
            format!("'{name}' has no reason: add the row {row}"),
        ));
    }
    findings
}

fn wrong(
    name: &str,
    row: &Row,
    columns: &Columns,
    uses: &BTreeMap<&str, BTreeSet<String>>,
) -> Option<String> {
    let Some(places) = uses.get(name) else {
        return Some(format!("'{name}' is in none of our manifests: remove the row"));
    };
    if row.cell(columns.reason).is_empty() {
        return Some(format!("'{name}' needs a reason: say why this one"));
    }
    let written: BTreeSet<String> = row
        .cell(columns.places)
        .split(',')
        .map(|place| place.trim().to_owned())
        .collect();
    (written != *places).then(|| format!("'{name}' is used in other places: write {}", join(places)))
}

/// Returns each third-party crate with the crates of ours that name it, tests marked `(dev)`.
fn uses(packages: &[Package]) -> BTreeMap<&str, BTreeSet<String>> {
    let ours: BTreeSet<&str> = packages
        .iter()
        .filter(|package| package.ours)
        .map(|package| package.name.as_str())
        .collect();
    let mut strongest: BTreeMap<(&str, &str), Kind> = BTreeMap::new();
    for package in packages.iter().filter(|package| package.ours) {
        for dependency in package
            .dependencies
            .iter()
            .filter(|dependency| !ours.contains(dependency.name.as_str()))
        {
            let kind = strongest
                .entry((&dependency.name, package.short()))
                .or_insert(dependency.kind);
            *kind = dependency.kind.min(*kind);
        }
    }
    let mut uses: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for ((name, place), kind) in strongest {
        let place = match kind {
            Kind::Normal => place.to_owned(),
            Kind::Build => format!("{place} (build)"),
            Kind::Dev => format!("{place} (dev)"),
        };
        uses.entry(name).or_default().insert(place);
    }
    uses
}

fn join(places: &BTreeSet<String>) -> String {
    places.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::assert_findings;
    use crate::metadata::Dependency;

    const HEAD: &str = "| crate | job | why this one | where |\n|---|---|---|---|\n";

    fn packages() -> Vec<Package> {
        let on = |name: &str, kind| Dependency {
            name: name.into(),
            kind,
        };
        let ours = |name: &str, dependencies| Package {
            name: name.into(),
            ours: true,
            dependencies,
            ..Package::default()
        };
        vec![
            ours(
                "argrail-acli",
                vec![
                    on("serde", Kind::Normal),
                    on("serde", Kind::Dev),
                    on("insta", Kind::Dev),
                ],
            ),
            ours(
                "argrail",
                vec![on("serde", Kind::Normal), on("argrail-acli", Kind::Normal)],
            ),
        ]
    }

    #[test]
    fn rows_and_manifests_agree() {
        fn table(rows: &str, expected: &[(usize, &str)]) {
            assert_findings(&check(&format!("{HEAD}{rows}"), &packages()), expected, rows);
        }
        let insta = "| `insta` | snapshots | diffs | acli (dev) |\n";
        let serde = "| `serde` | decode | standard | acli, argrail |\n";
        table(&format!("{insta}{serde}"), &[]);
        table(
            insta,
            &[(1, "add the row | `serde` | job | why this one | acli, argrail |")],
        );
        table(&format!("{insta}{serde}{serde}"), &[(5, "has a row already")]);
        table(
            &format!("{insta}{serde}| `old` | x | y | acli |\n"),
            &[(5, "remove the row")],
        );
        table(
            &format!("{insta}| `serde` | decode | | acli, argrail |\n"),
            &[(4, "needs a reason")],
        );
        table(
            &format!("{insta}| `serde` | decode | standard | acli |\n"),
            &[(4, "write acli, argrail")],
        );
    }

    #[test]
    fn every_direct_dependency_has_its_reason() {
        let page = repository::text(PAGE).unwrap_or_else(|| panic!("{PAGE} is missing"));
        report(&check(page, metadata::packages()));
    }
}
