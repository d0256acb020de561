//! One option or argument, prepared: its names, and what its words are besides words.

use argrail_acli::Takes;
use serde_json::Value;

use super::super::grammar;
use super::super::level::{JSON_FLAG, JSON_ID, Named, WHOLE_ID};
use super::super::model::{Extra, Kind};
use super::super::spelling::spellings;
use super::behaviour::{Output, Prompts, output, prompts};
use super::reader::Voice;
use super::rule::Rule;

/// An option or argument of one command.
#[derive(Debug, Default)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) spellings: Vec<String>,
    pub(super) is_path: bool,
    /// Whether the tool itself reads `*.js` as a pattern in it.
    pub(super) expands: bool,
    /// Whether it can be switched off by its value: `--x=false`.
    pub(super) is_switch: bool,
    /// Whether the last of its words only ends them, by these words.
    pub(super) ends: Vec<String>,
    pub(super) command: Inside,
    pub(super) assigns: bool,
    pub(super) program: Option<String>,
    pub(super) rules: Vec<Rule>,
    pub(super) prompts: Option<Prompts>,
    pub(super) output: Option<Output>,
    pub(super) is_json: bool,
}

/// Whether the words of an argument are a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Inside {
    /// They are words.
    #[default]
    Words,
    /// They are a command of another tool.
    Command,
    /// They are the start of one; more words come from input.
    Open,
}

impl Parameter {
    pub(super) fn of(named: &Named<'_>, voice: Voice) -> Self {
        match named {
            Named::Option { option, .. } => {
                let takes = grammar::takes(option);
                let flags = spellings(option.flags.iter().map(String::as_str));
                Self {
                    spellings: flags.into_iter().map(str::to_owned).collect(),
                    is_switch: option.kind == Kind::Boolean || takes == Some(Takes::Attached),
                    ends: match takes {
                        Some(Takes::Until(ends)) => ends,
                        Some(
                            Takes::Nothing | Takes::One | Takes::Attached | Takes::Truth | Takes::Exactly(_),
                        )
                        | None => Vec::new(),
                    },
                    ..Self::common(&option.name, option.kind, &option.extra, voice)
                }
            }
            Named::Argument { argument, .. } => {
                Self::common(&argument.name, argument.kind, &argument.extra, voice)
            }
        }
    }

    /// The flag that the words of `x-output` stand behind.
    pub(super) fn json() -> Self {
        Self {
            name: JSON_ID.to_owned(),
            spellings: vec![JSON_FLAG.to_owned()],
            is_json: true,
            ..Self::default()
        }
    }

    /// The option that takes all arguments of a server's tool at once.
    pub(super) fn whole() -> Self {
        Self {
            name: WHOLE_ID.to_owned(),
            spellings: vec![JSON_FLAG.to_owned()],
            ..Self::default()
        }
    }

    fn common(name: &str, kind: Kind, extra: &Extra, voice: Voice) -> Self {
        Self {
            name: name.to_owned(),
            is_path: matches!(kind, Kind::File | Kind::Directory),
            expands: extra.get("x-expands") == Some(&Value::Bool(true)),
            command: match extra.get("x-command") {
                None | Some(Value::Null | Value::Bool(false)) => Inside::Words,
                Some(Value::Bool(true)) => Inside::Command,
                Some(Value::String(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
                    Inside::Open
                }
            },
            assigns: grammar::assigns(extra),
            program: match extra.get("x-program") {
                None | Some(Value::Null | Value::Bool(false)) => None,
                Some(Value::String(language)) => Some(language.clone()),
                Some(Value::Bool(true) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
                    Some("unknown".to_owned())
                }
            },
            rules: Rule::read(extra, voice),
            prompts: match voice {
                Voice::Settled => prompts(extra).flatten(),
                Voice::Claimed => None,
            },
            output: output(extra),
            ..Self::default()
        }
    }

    /// Returns the words without what only ends them.
    pub(super) fn without_end<'a, 'w>(&self, values: &'a [&'w str]) -> &'a [&'w str] {
        let is_end = |word: &str| self.ends.iter().any(|end| end.rsplit(' ').next() == Some(word));
        match values.split_last() {
            Some((last, before)) if is_end(last) && !last.is_empty() => before,
            Some(_) | None => values,
        }
    }
}
