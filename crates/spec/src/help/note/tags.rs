//! Remarks in brackets: `[default: x]`, `(default "x")`, `[env: X=]`, `[possible values: a, b]`, `[string]`.

use super::list::{alternatives, leading, unquoted};

/// What the brackets of a description say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tags {
    pub(crate) default: Option<String>,
    pub(crate) variable: Option<String>,
    pub(crate) values: Option<Vec<String>>,
    pub(crate) required: bool,
    pub(crate) takes: Option<TagType>,
}

/// A type that stands in brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TagType {
    Switch,
    Count,
    Text,
    Number,
    Integer,
    Array,
}

const MAX_TAGS: usize = 24;
const MAX_TAG: usize = 4000;

/// Reads the brackets of a description.
pub(crate) fn tags(description: &str) -> Tags {
    let mut tags = Tags::default();
    let mut rest = description;
    for _ in 0..MAX_TAGS {
        let opens = |byte| matches!(byte, b'[' | b'(' | b'{' | b'<');
        let Some(start) = rest.bytes().position(opens) else {
            break;
        };
        let Some(inside) = rest.get(start..) else {
            break;
        };
        let scanner = crate::help::head::Scanner::new(inside);
        match scanner.peek_enclosed().filter(|inside| inside.len() <= MAX_TAG) {
            Some(inside_tag) => {
                tag(&mut tags, inside_tag, inside.starts_with('['));
                rest = inside.get(inside_tag.len() + 2..).unwrap_or_default();
            }
            None => rest = inside.get(1..).unwrap_or_default(),
        }
    }
    tags
}

fn tag(tags: &mut Tags, inside: &str, is_square: bool) {
    // To set up a search costs more than to look whether there is something to find.
    if !inside.contains("; ") {
        return one_tag(tags, inside, is_square);
    }
    for part in inside.split("; ").take(MAX_TAGS) {
        one_tag(tags, part, is_square);
    }
}

fn one_tag(tags: &mut Tags, inside: &str, is_square: bool) {
    let inside = inside.trim();
    let lower = inside.to_ascii_lowercase();
    if let Some(length) = default_phrase(&lower) {
        let text = inside.get(length..).unwrap_or_default();
        tags.default = tags.default.take().or_else(|| default_text(text));
        if let Some(list) = choices_phrase(&lower) {
            tags.values = tags
                .values
                .take()
                .or_else(|| inside.get(list..).and_then(leading));
        }
        return;
    }
    if let Some(length) = choices_phrase(&lower) {
        tags.values = tags
            .values
            .take()
            .or_else(|| inside.get(length..).and_then(leading));
        return;
    }
    if let Some(name) = variable(inside, &lower) {
        tags.variable = tags.variable.take().or(Some(name));
        return;
    }
    match lower.as_str() {
        "required" => tags.required = true,
        "an integer" => tags.takes = Some(TagType::Integer),
        "a number" | "a float" => tags.takes = Some(TagType::Number),
        "a string" | "a comma separated list" => tags.takes = Some(TagType::Text),
        "boolean" | "bool" | "flag" if is_square => tags.takes = Some(TagType::Switch),
        "count" if is_square => tags.takes = Some(TagType::Count),
        "string" if is_square => tags.takes = Some(TagType::Text),
        "number" if is_square => tags.takes = Some(TagType::Number),
        "array" if is_square => tags.takes = Some(TagType::Array),
        _ => {
            let has_bar = inside.contains('|') && !inside.contains(['[', '{', ':']);
            if has_bar && tags.values.is_none() {
                tags.values = alternatives(&inside.replace(' ', ""), '|')
                    .filter(|values| values.iter().all(|value| is_literal(value)))
                    .filter(|values| !values.iter().all(|value| is_type(value)));
            }
        }
    }
}

/// `[string | boolean]` says what kinds there are, not which values.
fn is_type(value: &str) -> bool {
    matches!(
        value,
        "string" | "boolean" | "bool" | "number" | "array" | "object" | "integer" | "int" | "null"
    )
}

fn is_literal(value: &str) -> bool {
    !crate::help::text::is_upper_word(value) || !crate::help::text::is_placeholder(value)
}

fn default_phrase(lower: &str) -> Option<usize> {
    let phrase = [
        "default: ",
        "default:",
        "default = ",
        "default=",
        "defaults to ",
        "default is ",
        "default ",
    ]
    .into_iter()
    .find(|phrase| lower.starts_with(phrase))?;
    Some(phrase.len())
}

const CHOICES: [&str; 7] = [
    "choices: ",
    "values: ",
    "one of: ",
    "one of ",
    "options: ",
    "allowed: ",
    "possible values are ",
];

/// Returns where the list of a tag begins.
fn choices_phrase(lower: &str) -> Option<usize> {
    let is_listed = lower.contains("values: ");
    let start = is_listed.then(|| lower.find("possible values: ")).flatten();
    let start = start.map(|at| at + "possible values: ".len());
    start.or_else(|| {
        CHOICES
            .iter()
            .find(|phrase| lower.starts_with(**phrase))
            .map(|phrase| phrase.len())
    })
}

fn default_text(text: &str) -> Option<String> {
    let text = text.trim();
    let text = unquoted(text.split(';').next().unwrap_or(text).trim());
    (!text.is_empty() && text.len() <= 200).then(|| text.to_owned())
}

fn variable(inside: &str, lower: &str) -> Option<String> {
    let name = if let Some(rest) = ["env: ", "env:", "env var: ", "environment variable: "]
        .into_iter()
        .find_map(|phrase| {
            lower
                .starts_with(phrase)
                .then(|| inside.get(phrase.len()..))
                .flatten()
        }) {
        rest
    } else {
        inside.strip_prefix('$')?
    };
    let name = unquoted(name.trim())
        .split(['=', ',', ' '])
        .next()
        .map(|name| unquoted(name).trim_start_matches('$'))?;
    let is_name =
        !name.is_empty() && name.len() <= 100 && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then(|| name.to_owned())
}
