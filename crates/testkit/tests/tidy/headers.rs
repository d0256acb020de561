//! Each source file opens with what it is, which rule it keeps and what it never does.

use crate::finding::{Finding, report};
use crate::repository;

const RULE: &str = "headers";

fn check(path: &str, text: &str) -> Option<Finding> {
    let first = text.lines().next().unwrap_or_default();
    let said = first
        .strip_prefix("//!")
        .is_some_and(|words| !words.trim().is_empty());
    (!said).then(|| Finding::new(RULE, path, 1, "start the file with `//!` and what it is"))
}

#[test]
fn a_file_without_a_header_is_found() {
    fn table(text: &str, found: bool) {
        assert_eq!(check("a.rs", text).is_some(), found, "for {text:?}");
    }
    table("//! What it is.\nfn a() {}", false);
    table("", true);
    table("//!\nfn a() {}", true);
    table("\n//! Too late.", true);
    table("// Not a doc comment.", true);
    table("use std::fs;\n//! After code.", true);
}

#[test]
fn every_file_opens_with_its_header() {
    let rust = repository::files()
        .iter()
        .filter_map(|file| Some((file.path.as_str(), file.rust()?)));
    report(
        &rust
            .filter_map(|(path, text)| check(path, text))
            .collect::<Vec<_>>(),
    );
}
