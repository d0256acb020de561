//! Who may know whom among our crates: the edges of docs/architecture.md and no others.
//!
//! `testkit` is for tests: everybody may use it in theirs, nobody outside them.

use crate::finding::{Finding, report};
use crate::metadata::{self, Kind, Package};

const RULE: &str = "graph";

/// Each crate and the crates it may know.
const EDGES: &[(&str, &[&str])] = &[
    ("acli", &[]),
    ("sandbox", &[]),
    ("testkit", &[]),
    ("spec", &["acli", "sandbox"]),
    ("engine", &["spec", "acli", "sandbox"]),
    ("agents", &["spec", "acli", "sandbox", "engine"]),
    ("argrail", &["spec", "acli", "sandbox", "engine", "agents"]),
    ("bench", &["acli", "sandbox", "engine", "spec"]),
];

/// Names that say nothing about what is inside.
pub(crate) const EMPTY_NAMES: &[&str] = &["common", "core", "helpers", "misc", "utils"];

fn check(packages: &[Package]) -> Vec<Finding> {
    let ours = |name: &str| {
        packages
            .iter()
            .any(|package| package.ours && package.name == name)
    };
    let mut findings = Vec::new();
    for package in packages.iter().filter(|package| package.ours) {
        let name = package.short();
        let mut find = |message: String| findings.push(Finding::new(RULE, "Cargo.toml", 1, message));
        if EMPTY_NAMES.contains(&name) {
            find(format!("crate '{name}': name the crate after what it does"));
        }
        let Some((_, known)) = EDGES.iter().find(|(from, _)| *from == name) else {
            find(format!(
                "crate '{name}' is new: give it a row in docs/architecture.md and in EDGES of tidy/graph.rs"
            ));
            continue;
        };
        for dependency in package
            .dependencies
            .iter()
            .filter(|dependency| ours(&dependency.name))
        {
            let to = metadata::short(&dependency.name);
            // A crate that names itself turns on its own features for its tests; that is no edge.
            let in_tests = dependency.kind == Kind::Dev && (to == "testkit" || to == name);
            if !in_tests && !known.contains(&to) {
                let allowed = if known.is_empty() {
                    "none of our crates".to_owned()
                } else {
                    known.join(", ")
                };
                find(format!(
                    "edge {name} → {to} is not allowed: {name} may know {allowed}; \
                     move the code, or change the design first"
                ));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::assert_findings;
    use crate::metadata::Dependency;

    /// Reads `from > to, ~to` where `~` is a dev-dependency.
    fn package(line: &str) -> Package {
        let (name, edges) = line.split_once(" >").unwrap();
        let dependencies = edges.split_whitespace().map(|edge| match edge.strip_prefix('~') {
            Some(name) => Dependency {
                name: name.into(),
                kind: Kind::Dev,
            },
            None => Dependency {
                name: edge.into(),
                kind: Kind::Normal,
            },
        });
        Package {
            name: name.into(),
            ours: true,
            dependencies: dependencies.collect(),
            ..Package::default()
        }
    }

    #[test]
    fn only_the_designed_edges_pass() {
        fn table(lines: &[&str], expected: &[&str]) {
            let packages: Vec<_> = lines.iter().map(|line| package(line)).collect();
            let expected: Vec<_> = expected.iter().map(|words| (1, *words)).collect();
            assert_findings(&check(&packages), &expected, &lines.join("; "));
        }
        table(
            &["argrail-acli > serde ~proptest", "argrail-spec > argrail-acli"],
            &[],
        );
        table(
            &["argrail-acli > ~argrail-testkit", "argrail-testkit > serde_json"],
            &[],
        );
        table(&["argrail-acli > ~argrail-acli"], &[]); // features for its own tests
        table(
            &["argrail > argrail-acli", "argrail-acli > ~argrail"],
            &["edge acli → argrail"],
        );
        table(
            &["argrail-acli > argrail-testkit", "argrail-testkit >"],
            &["edge acli → testkit"],
        );
        table(
            &["argrail-acli >", "argrail-testkit > ~argrail-acli"],
            &["edge testkit → acli"],
        );
        table(
            &["argrail-engine > argrail-agents", "argrail-agents >"],
            &["edge engine → agents"],
        );
        table(
            &["argrail-utils >"],
            &["name the crate after what it does", "'utils' is new"],
        );
        table(&["argrail-web >"], &["'web' is new"]);
    }

    #[test]
    fn the_workspace_follows_the_design() {
        report(&check(metadata::packages()));
    }
}
