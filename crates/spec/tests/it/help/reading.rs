//! Reading a text, and comparing what was found.

use argrail_spec::help::{Subject, read_help};

use super::sketch::sketch;

/// Reads `text` as the help of `command` and compares what was found with `want`.
pub(super) fn check(command: &str, text: &str, want: &str) {
    let mut words = command.split(' ');
    let name = words.next().unwrap_or_default();
    let path: Vec<&str> = words.collect();
    let page = read_help(text, &Subject { name, path: &path });
    let found = sketch(&page);
    assert_eq!(found, want, "\n--- found\n{found}\n--- wanted\n{want}\n");
    crate::fuzzed::help(text);
}
