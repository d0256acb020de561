//! An option from its names, its value and its description.

use super::kind::kind_of;
use super::list::alternatives;
use super::other_names::other_names;
use super::phrase::{self, Prose};
use super::tags::{TagType, Tags, tags};
use super::undo::opposite;
use crate::atip::Kind;
use crate::help::head::{Grouped, RawValue};
use crate::help::text::{cut, is_placeholder, is_upper_word};
use crate::help::usage::without_dots;
use crate::help::{FoundOption, FoundValue, Seen, Takes};

const MAX_VALUE_NAME: usize = 60;

/// Makes an option of what was read. `remark` is what its head says in round brackets.
pub(crate) fn option(
    grouped: Grouped,
    repeats: bool,
    remark: Option<&str>,
    description: String,
    seen: Seen,
) -> FoundOption {
    let mut lower = String::new();
    let prose = Prose::of(&description, &mut lower);
    let mut tags = tags(&description);
    let mut default = None;
    let takes = takes(grouped.value.as_ref(), remark, &mut tags, prose, &mut default);
    let is_switch = takes == Takes::Nothing;
    let default = default
        .or(tags.default)
        .or_else(|| phrase::default(prose))
        .filter(|default| !is_switch || matches!(default.as_str(), "true" | "false"));
    let is_list = matches!(tags.takes, Some(TagType::Array | TagType::Count));
    let repeats = repeats || is_list || phrase::repeats(prose);
    let deprecated = phrase::is_deprecated(prose);
    let mut spellings = grouped.names;
    spellings.extend(opposite(&spellings, prose));
    spellings.extend(other_names(&spellings, prose));
    FoundOption {
        spellings,
        takes,
        repeats,
        required: tags.required,
        default,
        variable: tags.variable,
        description,
        deprecated,
        global: false,
        seen,
    }
}

/// Marks an option that has to be given. A switch that has to be given says nothing, so it takes a value.
pub(crate) fn require(option: &mut FoundOption) {
    option.required = true;
    if option.takes == Takes::Nothing {
        option.takes = Takes::Value(FoundValue::default());
    }
}

fn takes(
    raw: Option<&RawValue>,
    remark: Option<&str>,
    tags: &mut Tags,
    prose: Prose<'_>,
    default: &mut Option<String>,
) -> Takes {
    *default = remark
        .and_then(|remark| remark.strip_prefix('='))
        .map(str::to_owned);
    let remark = remark.map(RemarkType::of).unwrap_or_default();
    if matches!(tags.takes, Some(TagType::Switch | TagType::Count)) || remark == RemarkType::Switch {
        return Takes::Nothing;
    }
    let Some(raw) = raw else {
        return match (tags.takes, remark, &tags.values) {
            (Some(kind), _, _) => Takes::Value(tagged(kind, tags.values.take())),
            (None, RemarkType::Value, _) => Takes::Value(FoundValue::default()),
            // `[possible values: …]` alone: there has to be one.
            (None, RemarkType::None | RemarkType::Switch, Some(values))
                if values.len() > 1
                    && (prose.text.contains("values:") || prose.text.contains("choices:")) =>
            {
                Takes::Value(chosen(tags.values.take()))
            }
            (None, RemarkType::None | RemarkType::Switch, _) => match phrase::announced_values(prose) {
                Some(values) => Takes::Value(chosen(Some(values))),
                None if tags.required => Takes::Value(FoundValue::default()),
                None => Takes::Nothing,
            },
        };
    };
    let text = raw.text.trim();
    if text == "<bool>" {
        return Takes::Nothing;
    }
    if matches!(text, "true" | "false") {
        *default = Some(text.to_owned());
        return Takes::Nothing;
    }
    if is_default(text) {
        *default =
            Some(text.trim_matches(['"', '\'']).to_owned()).filter(|text| !text.is_empty() && text != "[]");
        let kind = if text.bytes().all(|b| b.is_ascii_digit()) {
            Kind::Integer
        } else {
            Kind::String
        };
        let mut value = FoundValue {
            kind,
            ..FoundValue::default()
        };
        choose(&mut value, tags.values.take().or_else(|| phrase::values(prose)));
        return Takes::Value(value);
    }
    let mut value = found_value(text);
    if value.values.is_empty() {
        let listed = tags.values.take().or_else(|| phrase::values(prose));
        let listed = listed.or_else(|| listed_in_brackets(&value.name, prose.text));
        choose(&mut value, listed);
    }
    if raw.optional {
        Takes::Perhaps(value)
    } else {
        Takes::Value(value)
    }
}

/// What a head says about its type in round brackets.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum RemarkType {
    #[default]
    None,
    Switch,
    Value,
}

impl RemarkType {
    fn of(remark: &str) -> Self {
        let type_of = remark.split(';').next().unwrap_or_default().trim();
        if matches!(type_of, "a boolean" | "boolean" | "bool" | "flag") {
            Self::Switch
        } else if type_of.starts_with('=') || ["a ", "an "].iter().any(|article| type_of.starts_with(article))
        {
            Self::Value
        } else {
            Self::None
        }
    }
}

/// `--size=500`, `--name=''`: what is written there is the default.
fn is_default(text: &str) -> bool {
    matches!(text, "''" | "\"\"" | "[]" | "<none>")
        || (!text.is_empty() && text.len() < 20 && text.bytes().all(|b| b.is_ascii_digit()))
        || (text.len() > 1
            && text.ends_with('s')
            && text
                .trim_end_matches(['s', 'm', 'h'])
                .bytes()
                .all(|b| b.is_ascii_digit() || b == b'm'))
}

fn tagged(kind: TagType, values: Option<Vec<String>>) -> FoundValue {
    let kind = match kind {
        TagType::Number => Kind::Number,
        TagType::Integer => Kind::Integer,
        TagType::Array | TagType::Text | TagType::Switch | TagType::Count => Kind::String,
    };
    let mut value = FoundValue {
        kind,
        ..FoundValue::default()
    };
    choose(&mut value, values);
    value
}

fn chosen(values: Option<Vec<String>>) -> FoundValue {
    let mut value = FoundValue::default();
    choose(&mut value, values);
    value
}

fn choose(value: &mut FoundValue, values: Option<Vec<String>>) {
    if let Some(values) = values
        && matches!(
            value.kind,
            Kind::String | Kind::Enum | Kind::Integer | Kind::Number
        )
    {
        value.kind = Kind::Enum;
        value.values = values;
        value.values.dedup();
    }
}

/// Names of values that are chosen from a few.
const CHOSEN: [&str; 12] = [
    "field",
    "format",
    "kind",
    "level",
    "method",
    "mode",
    "order",
    "sort-field",
    "style",
    "type",
    "when",
    "which",
];

/// `--color=WHEN  when to use colours (always, auto, never)`
fn listed_in_brackets(name: &str, description: &str) -> Option<Vec<String>> {
    let name = name.to_ascii_lowercase().replace('_', "-");
    if CHOSEN.binary_search(&name.as_str()).is_err() {
        return None;
    }
    let inside = description.split('(').nth(1)?.split(')').next()?;
    let values = alternatives(inside, ',').or_else(|| alternatives(inside, '/'))?;
    let is_word = |value: &String| !value.contains(' ') && !crate::help::head::is_prose_word(value);
    (values.len() > 1 && values.iter().all(is_word)).then_some(values)
}

/// Returns what a placeholder says: its name, or the values to choose from.
pub(crate) fn found_value(text: &str) -> FoundValue {
    let text = text.trim().trim_end_matches([',', ';']);
    let inner = unwrapped(text);
    if let Some(values) = written_choice(text, inner) {
        return FoundValue {
            name: String::new(),
            kind: Kind::Enum,
            values,
        };
    }
    let name = without_dots(inner).trim_end_matches([',', ' ', '|']);
    let name = cut(name, MAX_VALUE_NAME).replace(['<', '>'], "");
    let kind = kind_of(&name);
    FoundValue {
        name,
        kind,
        values: Vec::new(),
    }
}

fn unwrapped(text: &str) -> &str {
    let mut inner = text;
    for (open, close) in [
        ('[', ']'),
        ('<', '>'),
        ('{', '}'),
        ('(', ')'),
        ('"', '"'),
        ('\'', '\''),
    ] {
        let taken = inner.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        if let Some(taken) = taken.filter(|taken| !taken.contains([open, close])) {
            inner = taken.trim();
        }
    }
    inner
}

fn written_choice(text: &str, inner: &str) -> Option<Vec<String>> {
    let is_set = text.starts_with('{') || text.starts_with("[{");
    let values = if inner.contains('|') {
        alternatives(inner, '|')
    } else if is_set && inner.contains(',') {
        alternatives(inner, ',')
    } else if matches!(inner, "on/off" | "yes/no" | "true/false" | "y/n") {
        alternatives(inner, '/')
    } else {
        None
    }?;
    let is_literal =
        |value: &String| !(value.ends_with("...") || is_upper_word(value) && is_placeholder(value));
    (values.iter().all(is_literal)).then_some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_are_searched_are_sorted() {
        assert!(CHOSEN.is_sorted());
    }
}
