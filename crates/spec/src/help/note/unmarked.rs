//! Values on pages that never show them.
//!
//! Some programs list their options without placeholders: `--name -n : Name of the machine`. On such a page, and on no
//! other, the wording of a description tells whether there is a value.

use super::kind::kind_of;
use crate::help::{FoundOption, FoundValue, Takes};

const LEAST: usize = 5;

/// How descriptions of values begin. In small letters.
const BEGINNINGS: [&str; 26] = [
    "a file",
    "absolute path",
    "comma separated",
    "comma-separated",
    "id of",
    "id or",
    "ip address",
    "list of",
    "location of",
    "name of",
    "name or",
    "names of",
    "number of",
    "output format",
    "path of",
    "path to",
    "set the",
    "sets the",
    "space-separated",
    "specifies the",
    "specify a",
    "specify the",
    "the name",
    "the number",
    "the path",
    "url of",
];

/// "Set the terminal to raw", "List of all words", "type: boolean": nothing is left to say.
fn is_complete(lower: &str) -> bool {
    let is_set = lower.starts_with("set the") || lower.starts_with("sets the");
    let clause = lower.split(['(', ',', ';']).next().unwrap_or_default();
    lower.starts_with("list of all ") || is_set && clause.contains(" to ") || lower.contains("type: boolean")
}

/// Gives values to options whose descriptions say so, if no option of the page shows one.
pub(crate) fn mark_values(options: &mut [FoundOption]) {
    let shows_none = options.iter().all(|option| match &option.takes {
        Takes::Nothing => true,
        Takes::Value(value) | Takes::Perhaps(value) => value.name.is_empty(),
    });
    if options.len() < LEAST || !shows_none {
        return;
    }
    for option in options.iter_mut().filter(|option| option.takes == Takes::Nothing) {
        let lower = option.description.to_ascii_lowercase();
        let says_so = BEGINNINGS.iter().any(|beginning| lower.starts_with(beginning)) && !is_complete(&lower);
        if says_so
            && !option
                .spellings
                .iter()
                .any(|spelling| spelling.starts_with("--no-"))
        {
            let name = option.spellings.iter().max_by_key(|spelling| spelling.len());
            let kind = kind_of(name.map_or("", |name| name.trim_start_matches('-')));
            option.takes = Takes::Value(FoundValue {
                kind,
                ..FoundValue::default()
            });
        }
    }
}
