//! The lock file: every package of every platform, with its line.

/// One locked package.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Locked {
    /// The line of its name, from 1.
    pub(crate) line: usize,
    pub(crate) name: String,
    pub(crate) version: String,
    /// Where it comes from; `None` for our own.
    pub(crate) source: Option<String>,
}

impl Locked {
    /// Returns the part of the version within which releases are compatible: `1`, or `0.3`.
    pub(crate) fn major(&self) -> String {
        let mut parts = self.version.split('.');
        match (parts.next(), parts.next()) {
            (Some("0"), Some(minor)) => format!("0.{minor}"),
            (major, _) => major.unwrap_or_default().to_owned(),
        }
    }
}

/// Reads `Cargo.lock`, which cargo writes with one key a line.
pub(crate) fn parse(text: &str) -> Vec<Locked> {
    let mut packages: Vec<Locked> = Vec::new();
    let mut in_package = false;
    for (index, line) in text.lines().enumerate() {
        if line.starts_with('[') {
            in_package = line == "[[package]]";
        }
        let Some((key, value)) = line.split_once(" = ").filter(|_| in_package) else {
            continue;
        };
        let value = value.trim_matches('"').to_owned();
        match (key, packages.last_mut()) {
            ("name", _) => {
                packages.push(Locked {
                    line: index + 1,
                    name: value,
                    version: String::new(),
                    source: None,
                });
            }
            ("version", Some(package)) => package.version = value,
            ("source", Some(package)) => package.source = Some(value),
            _ => {}
        }
    }
    packages
}

#[test]
fn packages_are_read_with_their_lines() {
    let text = r#"version = 4

[[package]]
name = "a"
version = "0.3.1"
source = "git+x"
dependencies = [
 "b",
]

[[package]]
name = "b"
version = "2.0.0"

[metadata]
name = "c"
"#;
    let packages = parse(text);
    let read: Vec<_> = packages
        .iter()
        .map(|p| (p.line, p.name.as_str(), p.major(), p.source.as_deref()))
        .collect();
    assert_eq!(
        read,
        [(4, "a", "0.3".into(), Some("git+x")), (12, "b", "2".into(), None)]
    );
}
