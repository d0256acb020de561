//! Crates, features and sources that we do not build from.

use crate::finding::{Finding, report};
use crate::lockfile::{self, Locked};
use crate::metadata::{self, Package};
use crate::repository;
use std::collections::BTreeSet;

const RULE: &str = "bans";

const CRATES: &[(&str, &str)] = &[
    (
        "native-tls",
        "TLS is rustls, so that the build needs no system library",
    ),
    (
        "openssl-sys",
        "TLS is rustls, so that the build needs no system library",
    ),
    (
        "regress",
        "exponential time on hostile patterns: use regex, then fancy-regex with a limit",
    ),
    ("reqwest", "90 crates: use ureq"),
    ("serde_yaml", "unmaintained: use serde-saphyr"),
    ("serde_yml", "unmaintained: use serde-saphyr"),
];

const FEATURES: &[(&str, &str, &str)] = &[(
    "rmcp",
    "transport-child-process",
    "it starts processes, and every child starts in sandbox::spawn",
)];

/// Crates whose types cross our interfaces: two versions would not fit together.
const ONE_VERSION: &[&str] = &["rmcp", "rustix", "serde", "serde_json", "tokio"];

fn check(lock: &[Locked], packages: &[Package]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut find =
        |line: usize, message: String| findings.push(Finding::new(RULE, "Cargo.lock", line, message));
    for locked in lock {
        let name = &locked.name;
        if let Some((_, reason)) = CRATES.iter().find(|(banned, _)| banned == name) {
            find(
                locked.line,
                format!("'{name}' is banned: {reason}; `cargo tree -i {name}` shows who brings it"),
            );
        }
        if locked
            .source
            .as_deref()
            .is_some_and(|source| source.starts_with("git+"))
        {
            find(
                locked.line,
                format!("'{name}' comes from git: use a released version"),
            );
        }
    }
    for name in ONE_VERSION {
        let mut versions = lock.iter().filter(|locked| locked.name == *name);
        let majors: BTreeSet<String> = versions.clone().map(Locked::major).collect();
        if let (true, Some(last)) = (majors.len() > 1, versions.next_back()) {
            let majors: Vec<_> = majors.into_iter().collect();
            find(
                last.line,
                format!("'{name}' is there in versions {}: keep one", majors.join(" and ")),
            );
        }
    }
    for (name, feature, reason) in FEATURES {
        let on =
            |package: &&Package| package.name == *name && package.features.iter().any(|on| on == feature);
        if packages.iter().find(on).is_some() {
            let line = lock
                .iter()
                .find(|locked| locked.name == *name)
                .map_or(1, |locked| locked.line);
            find(
                line,
                format!(
                    "feature '{feature}' of '{name}' is banned: {reason}; \
                 `cargo tree -e features -i {name}` shows who turns it on"
                ),
            );
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::assert_findings;

    #[test]
    fn what_is_banned_is_found() {
        fn table(lock: &[(&str, &str, &str)], features: &[&str], expected: &[(usize, &str)]) {
            let locked = lock
                .iter()
                .enumerate()
                .map(|(index, (name, version, source))| Locked {
                    line: index + 1,
                    name: (*name).into(),
                    version: (*version).into(),
                    source: Some((*source).into()),
                });
            let features = features.iter().map(|feature| (*feature).to_owned()).collect();
            let rmcp = Package {
                name: "rmcp".into(),
                features,
                ..Package::default()
            };
            assert_findings(
                &check(&locked.collect::<Vec<_>>(), &[rmcp]),
                expected,
                &format!("{lock:?}"),
            );
        }
        table(
            &[("serde", "1.0.1", "registry+x"), ("rmcp", "3.8.0", "registry+x")],
            &["server"],
            &[],
        );
        table(
            &[
                ("a", "1.0.0", "registry+x"),
                ("serde_yaml", "0.9.0", "registry+x"),
            ],
            &[],
            &[(2, "unmaintained")],
        );
        table(&[("a", "1.0.0", "git+https://x")], &[], &[(1, "comes from git")]);
        table(&[("serde", "1.0.0", ""), ("serde", "1.9.0", "")], &[], &[]); // compatible, cargo's business
        table(
            &[("tokio", "0.2.0", ""), ("tokio", "1.9.0", "")],
            &[],
            &[(2, "versions 0.2 and 1")],
        );
        table(
            &[("rmcp", "3.8.0", "")],
            &["transport-child-process"],
            &[(1, "every child starts in sandbox::spawn")],
        );
    }

    #[test]
    fn nothing_banned_is_in_the_graph() {
        let lock = lockfile::parse(repository::text("Cargo.lock").unwrap());
        report(&check(&lock, metadata::packages()));
    }
}
