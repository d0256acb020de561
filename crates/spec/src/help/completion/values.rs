//! What a completion offers as the value of an option: words, files, whatever else.

use crate::atip::Kind;
use crate::help::page::FoundValue;

/// How many values are kept.
const VALUES: usize = 200;

/// Returns the words of a list with the text about each: `a\tText`, one per line or all on one.
pub(super) fn listed(text: &str) -> Vec<(String, String)> {
    let text = text.replace("\\t", "\t").replace("\\n", "\n");
    let mut found = Vec::new();
    for line in text.lines() {
        let (words, about) = line.split_once('\t').unwrap_or((line, ""));
        let mut words: Vec<&str> = words.split_whitespace().collect();
        let last = words.pop().filter(|word| !is_worked_out(word));
        let plain = words.into_iter().filter(|word| !is_worked_out(word));
        found.extend(plain.map(|word| (word.to_owned(), String::new())));
        found.extend(last.map(|word| (word.to_owned(), about.trim_matches('\'').to_owned())));
    }
    found.truncate(5_000);
    found
}

/// Returns what the words or functions that offer a value tell about it.
pub(super) fn value(offered: &str) -> FoundValue {
    let kind = if ["_directories", "_files -/", "_filedir -d", "_dirs"]
        .iter()
        .any(|function| offered.contains(function))
    {
        Kind::Directory
    } else if [
        "_files",
        "_filedir",
        "_path",
        "_suffix",
        "compgen -f",
        "_gnu_generic_file",
    ]
    .iter()
    .any(|function| offered.contains(function))
    {
        Kind::File
    } else if offered.contains("_urls") {
        Kind::Url
    } else {
        return enumeration(listed(offered).into_iter().map(|(word, _)| word), offered);
    };
    FoundValue {
        name: String::new(),
        kind,
        values: Vec::new(),
    }
}

/// Returns a value that is one of these words, if nothing in the list has to be worked out.
pub(super) fn enumeration(words: impl Iterator<Item = String>, whole: &str) -> FoundValue {
    let values: Vec<String> = words.collect();
    let known = !is_worked_out(whole) && values.len() > 1 && values.len() <= VALUES;
    let shaped = values
        .iter()
        .all(|word| word.len() < 80 && !word.starts_with('-'));
    if known && shaped {
        FoundValue {
            name: String::new(),
            kind: Kind::Enum,
            values,
        }
    } else {
        FoundValue::default()
    }
}

/// Returns whether a shell would have to work something out.
pub(super) fn is_worked_out(text: &str) -> bool {
    text.contains(['$', '`', '(', ')', '*', '{', '}', '<', '>'])
}
