//! Phrases in descriptions that say which values there are, what holds otherwise, and how often an option may stand.

use super::list::leading;

/// Phrases that a list of values follows. In small letters.
const CHOICES: [&str; 24] = [
    "possible values are",
    "possible values:",
    "valid values are",
    "valid values:",
    "allowed values are",
    "allowed values:",
    "accepted values:",
    "supported values:",
    "available values:",
    "permissible values",
    "values are",
    "values:",
    "one of:",
    "one of",
    "choices:",
    "choose from",
    "must be either",
    "must be",
    "can be either",
    "either",
    "options are",
    "mode to use:",
    "select sort:",
    "may be:",
];

/// Returns the values that a description lists.
pub(crate) fn values(description: &str) -> Option<Vec<String>> {
    let lower = description.to_ascii_lowercase();
    for phrase in CHOICES {
        for (at, _) in lower.match_indices(phrase).take(3) {
            let begins_word = at == 0
                || !lower
                    .as_bytes()
                    .get(at - 1)
                    .is_some_and(u8::is_ascii_alphanumeric);
            let Some(rest) = description.get(at + phrase.len()..).filter(|_| begins_word) else {
                continue;
            };
            if let Some(values) = bulleted(rest).or_else(|| leading(rest)) {
                return Some(values);
            }
        }
    }
    described_values(description, &lower)
}

/// Phrases that only options with a value have. In small letters.
const ANNOUNCED: [&str; 5] = [
    "possible values",
    "allowed values",
    "valid values",
    "accepted values",
    "supported values",
];

/// Returns the values that a description announces as values of its option.
pub(crate) fn announced_values(description: &str) -> Option<Vec<String>> {
    let lower = description.to_ascii_lowercase();
    ANNOUNCED.iter().find_map(|phrase| {
        let rest = description.get(lower.find(phrase)? + phrase.len()..)?;
        let rest = rest.trim_start_matches([' ', ':']);
        let rest = rest.strip_prefix("are").unwrap_or(rest);
        bulleted(rest).or_else(|| leading(rest))
    })
}

/// "Valid formats are a, b": an adjective, a word or two, and the list.
fn described_values(description: &str, lower: &str) -> Option<Vec<String>> {
    let adjectives = [
        "valid ",
        "available ",
        "supported ",
        "allowed ",
        "possible ",
        "accepted ",
    ];
    let start = adjectives
        .iter()
        .filter_map(|adjective| lower.find(adjective).map(|at| at + adjective.len()))
        .min()?;
    let rest = lower.get(start..)?;
    let (end, length) = [" are: ", " are ", ": ", " include: "]
        .iter()
        .filter_map(|sign| rest.find(sign).map(|at| (at, sign.len())))
        .min()?;
    let is_near = rest
        .get(..end)
        .is_some_and(|words| words.split(' ').count() < 4 && !words.contains('.'));
    description
        .get(start + end + length..)
        .filter(|_| is_near)
        .and_then(leading)
}

/// `- auto: text - never: text`, the lines of a list joined.
fn bulleted(text: &str) -> Option<Vec<String>> {
    let text = text.trim_start().strip_prefix("- ")?;
    let mut values = Vec::new();
    for part in text.split(" - ").take(100) {
        let word = part.split([':', ' ']).next().unwrap_or_default();
        let is_item = part
            .get(word.len()..)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(':'));
        if is_item && super::list::is_value(word) {
            values.push(word.to_owned());
        }
    }
    (values.len() > 1).then_some(values)
}

/// Returns what a description says holds when the option is not given.
pub(crate) fn default(description: &str) -> Option<String> {
    let lower = description.to_ascii_lowercase();
    for phrase in [
        "default value is ",
        "default value: ",
        "default is ",
        "defaults to ",
        "default: ",
        "default = ",
    ] {
        if let Some(at) = lower.find(phrase)
            && let Some(rest) = description.get(at + phrase.len()..)
        {
            return word(rest);
        }
    }
    None
}

fn word(text: &str) -> Option<String> {
    let text = text.trim_start();
    let quoted = text.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
    let word = match quoted {
        Some(quote) => text.trim_start_matches(quote).split(quote).next()?,
        None => text
            .split([' ', ',', ';', ')', ']'])
            .next()?
            .trim_end_matches(['.', ':']),
    };
    let is_word = !word.is_empty() && word.len() <= 200 && !super::super::head::is_prose_word(word);
    is_word.then(|| word.to_owned())
}

/// Whether a description says that the option may be given several times.
pub(crate) fn repeats(lower: &str) -> bool {
    [
        "multiple times",
        "more than once",
        "be repeated",
        "repeatable",
        "several times",
        "used repeatedly",
    ]
    .iter()
    .any(|phrase| lower.contains(phrase))
}

/// Whether a description says that the option is on its way out.
pub(crate) fn is_deprecated(lower: &str) -> bool {
    lower.starts_with("deprecated")
        || [
            "(deprecated",
            "[deprecated",
            "is deprecated",
            "deprecated:",
            "; deprecated",
            "*deprecated",
            "deprecated;",
        ]
        .iter()
        .any(|phrase| lower.contains(phrase))
}
