//! How a tool reads its words: `x-grammar` at the tool or at a command, and `x-takes` on an option.
//!
//! Read leniently: a key that is no key, or a value that is none of its values, says nothing, and what was there
//! before stays. Without `x-grammar` the style is guessed from the flags.

use argrail_acli::{Abbreviations, Style, Takes, Unknown};
use serde_json::{Map, Value};

use super::model::{Argument, Extra, Metadata, Opt};
use super::spelling;

/// The most words that an option may take by number.
const MOST_WORDS: u64 = 64;

/// The rules of one command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Grammar {
    /// How it is written.
    pub(crate) style: Style,
    /// What a word starts with that a file says more about.
    pub(crate) response_files: Option<String>,
    /// Whether somebody said so, instead of us guessing.
    is_said: bool,
}

impl Grammar {
    /// Returns the grammar of the tool.
    pub(crate) fn of_tool(metadata: &Metadata) -> Self {
        let source = metadata.trust.as_ref().and_then(|trust| trust.source.as_deref());
        // Who read the options off a help text may have missed some, and a partial answer says itself that it did.
        let unknown = if source == Some("inferred") || is_partial(metadata) {
            Unknown::Keep
        } else {
            Unknown::Refuse
        };
        let guessed = Self {
            style: Style {
                unknown,
                ..spelling::style(metadata)
            },
            response_files: None,
            is_said: false,
        };
        guessed.with(&metadata.extra).unwrap_or(guessed)
    }

    /// Returns the grammar of a command below, if it has one of its own.
    pub(crate) fn with(&self, extra: &Extra) -> Option<Self> {
        let said = extra.get("x-grammar")?.as_object()?;
        let unknown = self.style.unknown;
        let base = said.get("style").and_then(Value::as_str).and_then(named);
        let style = base.map_or(self.style, |style| Style { unknown, ..style });
        Some(Self {
            style: refined(style, said),
            response_files: match said.get("responseFiles") {
                Some(prefix) => prefix
                    .as_str()
                    .filter(|prefix| !prefix.is_empty())
                    .map(str::to_owned),
                None => self.response_files.clone(),
            },
            is_said: true,
        })
    }

    /// Whether an option of a group may follow the subcommand.
    pub(crate) fn reaches_down(&self, option: &Opt) -> bool {
        let by_style = self.style.bundling || (self.is_said && self.style.permutation);
        by_style && !spelling::stands_before(option)
    }
}

/// Whether there are commands that the metadata leaves out. Whatever it assumes of them is the tool's own word about
/// what nobody can see, so they are asked about. A server is called by the names that it lists, and by no others.
fn is_partial(metadata: &Metadata) -> bool {
    let is_said = metadata.partial == Some(true) || metadata.omitted.is_some();
    is_said && !metadata.extra.contains_key(super::level::MCP)
}

/// The style that is called so.
fn named(name: &str) -> Option<Style> {
    STYLES
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, style)| *style)
}

/// The styles that `x-grammar` can start from.
const STYLES: [(&str, Style); 7] = [
    ("gnu", Style::gnu()),
    ("posix", Style::posix()),
    ("go", Style::go()),
    ("single-dash", Style::single_dash()),
    ("find", Style::find()),
    ("tar", Style::tar()),
    ("dd", Style::dd()),
];

fn refined(style: Style, said: &Map<String, Value>) -> Style {
    let truth = |key: &str, was: bool| said.get(key).and_then(Value::as_bool).unwrap_or(was);
    let word = |key: &str| said.get(key).and_then(Value::as_str);
    Style {
        dashes: style.dashes,
        abbreviations: match word("abbreviations") {
            Some("off") => Abbreviations::Off,
            Some("refused") => Abbreviations::Refused,
            Some(_) | None => style.abbreviations,
        },
        bundling: truth("bundling", style.bundling),
        attached: truth("attached", style.attached),
        short_equals: truth("shortEquals", style.short_equals),
        negatives: truth("negatives", style.negatives),
        permutation: truth("permutation", style.permutation),
        terminator: truth("terminator", style.terminator),
        old_bundle: truth("oldBundle", style.old_bundle),
        key_value: truth("keyValue", style.key_value),
        unknown: match word("unknown") {
            Some("refuse") => Unknown::Refuse,
            Some("ask") => Unknown::Keep,
            Some(_) | None => style.unknown,
        },
    }
}

/// Returns how many words belong to the option, where `x-takes` says so.
pub(crate) fn takes(option: &Opt) -> Option<Takes> {
    match option.extra.get("x-takes")? {
        Value::String(word) if word == "attached" => Some(Takes::Attached),
        Value::String(word) if word == "boolean" => Some(Takes::Truth),
        Value::Number(number) => match number.as_u64()? {
            0 => Some(Takes::Nothing),
            1 => Some(Takes::One),
            count => usize::try_from(count.min(MOST_WORDS)).ok().map(Takes::Exactly),
        },
        Value::Object(object) => {
            let ends = object.get("until")?.as_array()?.iter();
            let ends: Vec<String> = ends.filter_map(Value::as_str).map(str::to_owned).collect();
            (!ends.is_empty()).then_some(Takes::Until(ends))
        }
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Array(_) => None,
    }
}

/// Returns the options that an argument does not stand beside: `x-unless`.
pub(crate) fn given_instead(argument: &Argument) -> impl Iterator<Item = &str> {
    let names = argument.extra.get("x-unless").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str)
}

/// Whether the words of an argument are `NAME=VALUE` for the environment of what is started.
pub(crate) fn assigns(extra: &Extra) -> bool {
    extra.get("x-assigns") == Some(&Value::Bool(true))
}

/// Whether an argument takes only the assignments that stand before those words that the next one takes.
pub(crate) fn takes_assignments(arguments: &[Argument], at: usize) -> bool {
    let own = arguments.get(at).is_some_and(|argument| assigns(&argument.extra));
    own && arguments.len() > at + 1
}

/// Splits `NAME=VALUE`.
pub(crate) fn assignment(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_name =
        !name.is_empty() && name.chars().all(plain) && !name.starts_with(|c: char| c.is_ascii_digit());
    is_name.then_some((name, value))
}

#[cfg(test)]
mod tests {
    use argrail_acli::Dashes;
    use serde_json::json;

    use super::*;
    use crate::atip::model::Trust;

    fn extra(grammar: Value) -> Extra {
        Extra::from_iter([("x-grammar".to_owned(), grammar)])
    }

    fn tool(grammar: Value) -> Grammar {
        Grammar::of_tool(&Metadata {
            extra: extra(grammar),
            ..Metadata::default()
        })
    }

    #[test]
    fn each_key_changes_its_rule_and_no_other() {
        let gnu = Style::gnu();
        let check = |grammar: Value, want: Style| assert_eq!(tool(grammar.clone()).style, want, "{grammar}");
        check(json!({}), gnu);
        check(json!({"style": "posix"}), Style::posix());
        check(json!({"style": "single-dash"}), Style::single_dash());
        check(json!({"style": "find"}), Style::find());
        check(json!({"style": "tar"}), Style::tar());
        check(json!({"style": "dd"}), Style::dd());
        check(
            json!({"style": "go", "permutation": true}),
            Style {
                permutation: true,
                ..Style::go()
            },
        );
        check(
            json!({"abbreviations": "off"}),
            Style {
                abbreviations: Abbreviations::Off,
                ..gnu
            },
        );
        check(
            json!({"style": "posix", "abbreviations": "refused"}),
            Style {
                abbreviations: Abbreviations::Refused,
                ..Style::posix()
            },
        );
        check(
            json!({"bundling": false}),
            Style {
                bundling: false,
                ..gnu
            },
        );
        check(
            json!({"attached": false}),
            Style {
                attached: false,
                ..gnu
            },
        );
        check(
            json!({"shortEquals": true}),
            Style {
                short_equals: true,
                ..gnu
            },
        );
        check(
            json!({"negatives": true}),
            Style {
                negatives: true,
                ..gnu
            },
        );
        check(
            json!({"permutation": false}),
            Style {
                permutation: false,
                ..gnu
            },
        );
        check(
            json!({"terminator": false}),
            Style {
                terminator: false,
                ..gnu
            },
        );
        check(
            json!({"oldBundle": true}),
            Style {
                old_bundle: true,
                ..gnu
            },
        );
        check(
            json!({"keyValue": true}),
            Style {
                key_value: true,
                ..gnu
            },
        );
        check(
            json!({"unknown": "ask"}),
            Style {
                unknown: Unknown::Keep,
                ..gnu
            },
        );
    }

    #[test]
    fn what_cannot_be_read_says_nothing() {
        for grammar in [
            json!([]),
            json!("gnu"),
            json!({"style": "windows"}),
            json!({"style": 1, "bundling": "no", "unknown": true}),
            json!({"abbreviations": "on", "what": 1, "responseFiles": ""}),
        ] {
            let read = tool(grammar.clone());
            assert_eq!(
                (read.style, read.response_files),
                (Style::gnu(), None),
                "{grammar}"
            );
        }
    }

    #[test]
    fn a_command_changes_what_it_names_and_inherits_the_rest() {
        let above = tool(json!({"bundling": false, "unknown": "ask", "responseFiles": "@"}));
        let below = above.with(&extra(json!({"permutation": false}))).unwrap();
        assert_eq!(
            below.style,
            Style {
                permutation: false,
                ..above.style
            }
        );
        assert_eq!(below.response_files.as_deref(), Some("@"));
        let anew = above
            .with(&extra(json!({"style": "go", "responseFiles": null})))
            .unwrap();
        assert_eq!(anew.style.dashes, Dashes::Either);
        assert_eq!(
            anew.style.unknown,
            Unknown::Keep,
            "a style says nothing about unknown words"
        );
        assert_eq!(anew.response_files, None);
        assert_eq!(above.with(&Extra::new()), None);
    }

    #[test]
    fn what_was_inferred_keeps_unknown_words_unless_it_says_otherwise() {
        let check = |grammar: Value, want: Unknown| {
            let metadata = Metadata {
                trust: Some(Trust {
                    source: Some("inferred".to_owned()),
                    ..Trust::default()
                }),
                extra: extra(grammar),
                ..Metadata::default()
            };
            assert_eq!(Grammar::of_tool(&metadata).style.unknown, want);
        };
        check(json!(null), Unknown::Keep);
        check(json!({"style": "posix"}), Unknown::Keep);
        check(json!({"unknown": "refuse"}), Unknown::Refuse);
    }

    #[test]
    fn a_partial_answer_keeps_words_that_may_be_what_it_left_out() {
        let check = |json: Value, want: Unknown| {
            let metadata = crate::atip::decode(&crate::doc::Node::plain(&json))
                .unwrap()
                .metadata;
            assert_eq!(Grammar::of_tool(&metadata).style.unknown, want, "{json}");
        };
        let tool = |more: Value| {
            let mut tool = json!({"atip": "0.6", "name": "x", "version": "1", "description": "D"});
            let (tool_fields, more) = (tool.as_object_mut().unwrap(), more.as_object().unwrap().clone());
            tool_fields.extend(more);
            tool
        };
        check(tool(json!({})), Unknown::Refuse);
        check(tool(json!({"partial": false})), Unknown::Refuse);
        check(tool(json!({"partial": true})), Unknown::Keep);
        for assumed in ["unknown", "known-safe", "known-unsafe", "same-as-included"] {
            let omitted = json!({"partial": true, "omitted": {"safetyAssumption": assumed}});
            check(tool(omitted), Unknown::Keep);
        }
        check(
            tool(json!({"partial": true, "x-mcp-server": "x"})),
            Unknown::Refuse,
        );
    }

    #[test]
    fn an_option_takes_the_words_that_it_says() {
        let check = |value: Value, want: Option<Takes>| {
            let option = Opt {
                extra: Extra::from_iter([("x-takes".to_owned(), value.clone())]),
                ..Opt::default()
            };
            assert_eq!(takes(&option), want, "{value}");
        };
        check(json!("attached"), Some(Takes::Attached));
        check(json!(0), Some(Takes::Nothing));
        check(json!(1), Some(Takes::One));
        check(json!(2), Some(Takes::Exactly(2)));
        check(json!(1_000_000_000), Some(Takes::Exactly(64)));
        check(
            json!({"until": [";", "+"]}),
            Some(Takes::Until(vec![";".to_owned(), "+".to_owned()])),
        );
        for broken in [
            json!("detached"),
            json!(-1),
            json!(1.5),
            json!({"until": []}),
            json!({"until": ";"}),
            json!(true),
        ] {
            check(broken, None);
        }
    }

    #[test]
    fn an_assignment_has_the_name_of_a_variable() {
        let check = |word: &str, want: Option<(&str, &str)>| assert_eq!(assignment(word), want, "{word}");
        check("A=1", Some(("A", "1")));
        check("_a1==", Some(("_a1", "=")));
        check("A=", Some(("A", "")));
        check("A", None);
        check("=1", None);
        check("1A=1", None);
        check("a-b=1", None);
        check("./x=1", None);
    }
}
