//! Nothing tracked tells where it was made: no folder of one machine, no package registry's host.
//!
//! Such a path works for one person only, and a registry's address belongs into the settings of the
//! machine, where mirrors and proxies live. The lock file, which cargo writes, is excepted.

use crate::finding::{Finding, report};
use crate::repository;

const RULE: &str = "places";

/// Folders under which machines keep what is theirs.
const MACHINE: &[&str] = &["/Users/", "/home/", "/root/"];

/// How the hosts that serve packages begin. Their whole names would be what this rule forbids.
const LABELS: &[&str] = &[
    "archive",
    "artifactory",
    "crates",
    "deb",
    "files",
    "index",
    "mirror",
    "mirrors",
    "nexus",
    "npm",
    "pypi",
    "registry",
    "security",
    "static",
];

/// Files that may name such places, and why.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("Cargo.lock", "cargo writes it"),
    (
        "crates/testkit/tests/tidy/places.rs",
        "holds the list above and its table",
    ),
];

fn check(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let mut find = |message| findings.push(Finding::new(RULE, path, index + 1, message));
        for folder in MACHINE.iter().filter(|folder| has_absolute(line, folder)) {
            find(format!(
                "'{folder}…' is a path of one machine: make it relative, or use a path that no machine has"
            ));
        }
        if let Some(host) = registry(line) {
            find(format!(
                "'{host}' is a registry: leave its address to the machine's settings \
                 (npm: omit-lockfile-registry-resolved)"
            ));
        }
    }
    findings
}

/// Returns whether `folder` stands in `line` as the start of an absolute path.
fn has_absolute(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        let before = line.get(..at).and_then(|before| before.chars().next_back());
        // After a name, a variable or a dot, this is the middle of a path.
        !before.is_some_and(|c| {
            c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '}' | '~' | '*' | ']' | ')' | '>')
        })
    })
}

/// Returns the first registry that `line` names.
fn registry(line: &str) -> Option<&str> {
    let is_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
    let mut start = 0;
    for host in line.split(|c| !is_host(c)) {
        let in_url = line
            .get(..start)
            .is_some_and(|before| before.ends_with("://") || before.ends_with('@'));
        let labelled = host.contains('.')
            && host
                .split('.')
                .next()
                .is_some_and(|label| LABELS.contains(&label));
        if in_url && labelled {
            return Some(host);
        }
        start += host.len();
        start += line
            .get(start..)
            .and_then(|rest| rest.chars().next())
            .map_or(0, char::len_utf8);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::assert_findings;

    #[test]
    fn machine_paths_and_registries_are_found() {
        fn table(text: &str, expected: &[(usize, &str)]) {
            assert_findings(&check("a.md", text), expected, text);
        }
        table(
            "see crates/a/home/root/b and ~/home/x and $HOME/home/y and {root}/home/z",
            &[],
        );
        table("/tmp/x, /etc/passwd, /usr/bin/env, ../home/x, /homes/x", &[]);
        table("a\nat /home/me/x", &[(2, "'/home/…'")]);
        table("\"/root/x\" and `/home/y`", &[(1, "'/home/…'"), (1, "'/root/…'")]);
        table("file:///Users/me", &[(1, "'/Users/…'")]);
        table(
            "see https://docs.example.test/serde and https://example.test/index.html",
            &[],
        );
        table("the registry.json and registry.rs files", &[]);
        table(
            "\"resolved\": \"https://registry.example.test/a\"",
            &[(1, "'registry.example.test' is a registry")],
        );
        table(
            "https://user:pass@npm.example.test/x",
            &[(1, "'npm.example.test'")],
        );
        table("é https://mirror.example.test/é", &[(1, "'mirror.example.test'")]);
    }

    #[test]
    fn no_file_tells_where_it_was_made() {
        let mut findings = Vec::new();
        for file in repository::files() {
            let Some(text) = &file.text else { continue };
            if !EXCEPTIONS.iter().any(|(path, _why)| *path == file.path) {
                findings.extend(check(&file.path, text));
            }
        }
        report(&findings);
    }
}
