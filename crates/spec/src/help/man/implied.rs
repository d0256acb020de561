//! Whether a text implies a value where the head of the definition shows none.
//!
//! Some makers of pages drop the names of values. What remains is a text that names a thing ("The directory where …",
//! "Number of …") and no deed ("Print …", "Do not …"). Read so only beside a long spelling.

use crate::help::FoundValue;
use crate::help::note::found_value;

/// Things that are given as values.
const THINGS: [&str; 62] = [
    "address",
    "algorithm",
    "architecture",
    "branch",
    "character",
    "color",
    "column",
    "command",
    "count",
    "database",
    "date",
    "delay",
    "depth",
    "device",
    "directory",
    "encoding",
    "engine",
    "factor",
    "field",
    "file",
    "filename",
    "format",
    "height",
    "host",
    "hostname",
    "id",
    "identifier",
    "interface",
    "interval",
    "key",
    "label",
    "language",
    "length",
    "level",
    "limit",
    "location",
    "maximum",
    "mechanism",
    "method",
    "minimum",
    "mode",
    "name",
    "number",
    "password",
    "path",
    "pathname",
    "pattern",
    "percentage",
    "port",
    "prefix",
    "program",
    "protocol",
    "scheme",
    "size",
    "string",
    "suffix",
    "threshold",
    "timeout",
    "type",
    "url",
    "username",
    "version",
];
/// Words that tie a thing to what it is for.
const TIES: [&str; 11] = [
    "at", "by", "for", "in", "of", "on", "to", "used", "where", "which", "with",
];
/// Things that stand first without an article.
const BARE: [&str; 10] = [
    "address",
    "directory",
    "filename",
    "location",
    "name",
    "number",
    "path",
    "port",
    "size",
    "url",
];

/// Returns the value that a text implies.
pub(crate) fn implied(description: &str) -> Option<FoundValue> {
    let words: Vec<String> = description
        .split_whitespace()
        .take(10)
        .map(|word| {
            word.trim_matches(|c: char| !c.is_alphanumeric())
                .to_ascii_lowercase()
        })
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let thing = match words.as_slice() {
        ["the" | "a" | "an", rest @ ..] => tied(rest, 3),
        // "Set the separator to a zero byte" says which.
        ["set" | "sets", "the", rest @ ..] if !rest.contains(&"to") => tied(rest, 2),
        ["specify" | "specifies", "the" | "a" | "an", ..] => Some(""),
        ["use", "the", "specified" | "given", thing, ..] => Some(*thing),
        ["file", "name", rest @ ..] if has_tie(rest) => Some("file"),
        [first, rest @ ..] if BARE.contains(first) && has_tie(rest) => Some(*first),
        _ => None,
    }?;
    // The thing tells the kind; it is no name that the page gives.
    Some(FoundValue {
        name: String::new(),
        kind: found_value(thing).kind,
        values: Vec::new(),
    })
}

/// A thing among the first words, with a tie behind it.
fn tied<'w>(words: &[&'w str], before: usize) -> Option<&'w str> {
    let found = words
        .iter()
        .take(before.saturating_add(1))
        .position(|word| THINGS.binary_search(word).is_ok())?;
    let rest = words.get(found.saturating_add(1)..)?;
    has_tie(rest).then(|| words.get(found).copied()).flatten()
}

/// Whether a tie follows, at once or behind one more word.
fn has_tie(words: &[&str]) -> bool {
    words.iter().take(2).any(|word| TIES.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atip::Kind;

    fn check(description: &str, expected: Option<Kind>) {
        assert_eq!(
            implied(description).map(|value| value.kind),
            expected,
            "{description}"
        );
    }

    #[test]
    fn a_text_that_names_a_thing_implies_a_value() {
        check("The directory where results are kept.", Some(Kind::Directory));
        check("Number of workers to start.", Some(Kind::Integer));
        check("Specify the colour.", Some(Kind::String));
        check("Set the maximum size of a packet.", Some(Kind::String));
        check("Set the size of packets to a small number.", None);
        check("Print the directory where results are kept.", None);
        check("The output is sorted.", None);
        check("Number the lines.", None);
        check("", None);
    }

    #[test]
    fn things_are_sorted() {
        assert!(THINGS.is_sorted());
    }
}
