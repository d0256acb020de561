//! Which licences our dependencies may have. Decided once, here, and by crate where a reason exists.

use crate::finding::{Finding, report};
use crate::lockfile::{self, Locked};
use crate::metadata::{self, Package};
use crate::repository;
use crate::spdx::Expression;

const RULE: &str = "licences";

const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

const ALLOWED_EXCEPTIONS: &[(&str, &str)] = &[("Apache-2.0", "LLVM-exception")];

/// Crates under MPL-2.0 that we use unchanged, each with the reason.
const MPL: &[(&str, &str)] = &[];

fn check(packages: &[Package], lock: &[Locked], mpl: &[(&str, &str)]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in packages.iter().filter(|package| !package.ours) {
        let line = lock
            .iter()
            .find(|locked| locked.name == package.name && locked.version == package.version);
        let mut find = |message: String| {
            findings.push(Finding::new(
                RULE,
                "Cargo.lock",
                line.map_or(1, |locked| locked.line),
                message,
            ));
        };
        let name = &package.name;
        let listed = mpl.iter().any(|(listed, _)| listed == name);
        let allowed = |id: &str, exception: Option<&str>| match exception {
            Some(exception) => ALLOWED_EXCEPTIONS.contains(&(id, exception)),
            None => ALLOWED.contains(&id) || (id == "MPL-2.0" && listed),
        };
        match package.licence.as_deref().map(Expression::parse) {
            None => find(format!("'{name}' names no licence: use another crate")),
            Some(Err(error)) => find(format!("the licence of '{name}' cannot be read: {error}")),
            Some(Ok(expression)) if !expression.is_allowed(&allowed) => {
                let licence = package.licence.as_deref().unwrap_or_default();
                find(format!(
                    "'{name}' is under {licence}, which is not allowed: use another crate, \
                     or for MPL-2.0 add it to MPL in tidy/licences.rs with the reason"
                ));
            }
            Some(Ok(_)) => {}
        }
    }
    for (name, reason) in mpl {
        if reason.is_empty() || !packages.iter().any(|package| package.name == *name) {
            findings.push(Finding::new(
                RULE,
                "Cargo.lock",
                1,
                format!("MPL entry '{name}' needs a reason and a dependency of that name"),
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
    fn licences_outside_the_list_are_refused() {
        fn table(licence: Option<&str>, mpl: &[(&str, &str)], expected: &[(usize, &str)]) {
            let package = Package {
                name: "x".into(),
                version: "1.0.0".into(),
                licence: licence.map(Into::into),
                ..Package::default()
            };
            let lock = Locked {
                line: 7,
                name: "x".into(),
                version: "1.0.0".into(),
                source: None,
            };
            assert_findings(
                &check(&[package], &[lock], mpl),
                expected,
                licence.unwrap_or("none"),
            );
        }
        table(Some("MIT"), &[], &[]);
        table(Some("MIT/Apache-2.0"), &[], &[]);
        table(Some("GPL-3.0 OR MIT"), &[], &[]);
        table(Some("(MIT OR Apache-2.0) AND Unicode-3.0"), &[], &[]);
        table(Some("Apache-2.0 WITH LLVM-exception"), &[], &[]);
        table(Some("MPL-2.0"), &[("x", "used unchanged")], &[]);
        table(Some("MPL-2.0"), &[], &[(7, "'x' is under MPL-2.0")]);
        table(Some("MPL-2.0"), &[("x", "")], &[(1, "needs a reason")]);
        table(Some("MIT"), &[("y", "gone")], &[(1, "MPL entry 'y'")]);
        table(Some("LGPL-2.1-or-later"), &[], &[(7, "not allowed")]);
        table(Some("MIT AND GPL-2.0"), &[], &[(7, "not allowed")]);
        table(Some("MIT WITH LLVM-exception"), &[], &[(7, "not allowed")]);
        table(Some("MIT OR"), &[], &[(7, "cannot be read")]);
        table(None, &[], &[(7, "names no licence")]);
    }

    #[test]
    fn every_dependency_has_an_allowed_licence() {
        let lock = lockfile::parse(repository::text("Cargo.lock").unwrap());
        report(&check(metadata::packages(), &lock, MPL));
    }
}
