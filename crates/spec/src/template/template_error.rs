//! What is wrong with a template, and where.

use std::ops::Range;

use crate::doc::fields::Quoted;
use crate::doc::{Diagnostic, Span};
use crate::tool_md::TEMPLATE;

/// What is wrong with one word of a template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("argv[{word}]: {problem}")]
pub struct TemplateError {
    /// Which word, from 0.
    pub word: usize,
    /// Which bytes of the word.
    pub at: Range<usize>,
    /// Where the word stands in the manifest.
    pub span: Span,
    /// What.
    pub problem: Problem,
}

/// What can be wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A placeholder that never ends.
    #[error("a placeholder is not closed")]
    Open,
    /// Something else than what the grammar has here.
    #[error("expected {expected}, got {}", Quoted(.came))]
    Unexpected {
        /// What the grammar has.
        expected: &'static str,
        /// What stands there.
        came: String,
    },
    /// A source that nobody knows.
    #[error("expected a placeholder of input or context, got {}", Quoted(.0))]
    Source(String),
    /// A filter that nobody knows.
    #[error("expected one of default, optional, flag, json, got {}", Quoted(.0))]
    Filter(String),
    /// A filter that stands twice, or behind one that it cannot follow.
    #[error("the filter {0} cannot stand here")]
    Order(&'static str),
    /// A filter behind one that makes words.
    #[error("nothing can stand behind the filter {0}, which makes words")]
    Behind(&'static str),
    /// A filter that makes several words, in a word with other text.
    #[error("the filter {0} makes a word of its own, and here is text around it")]
    Inside(&'static str),
    /// A word of a filter that is no option.
    #[error("expected an option such as '--draft', got {}", Quoted(.0))]
    Option(String),
    /// A secret.
    #[error("a secret in a command line can be read by every process: {}", Quoted(.0))]
    Secret(String),
    /// A value that would be the name of an option, or a part of it.
    #[error("a value would say which option this is")]
    OptionName,
    /// A default that would be taken for an option.
    #[error("the default {} would be taken for an option", Quoted(.0))]
    DashDefault(String),
    /// A character that no argument can hold.
    #[error("a word holds NUL")]
    Nul,
    /// More than fits.
    #[error("there are more than {most} {of}")]
    TooMany {
        /// How many there may be.
        most: usize,
        /// Of what.
        of: &'static str,
    },
}

impl TemplateError {
    /// Returns it as lint says it, about the whole word.
    pub fn diagnostic(&self) -> Diagnostic {
        TEMPLATE.error(self.span, self.to_string()).hint(self.hint())
    }

    /// Returns the name of what is wrong, for programs.
    pub const fn reason(&self) -> &'static str {
        match &self.problem {
            Problem::Open => "open",
            Problem::Unexpected { .. } => "unexpected",
            Problem::Source(_) => "source",
            Problem::Filter(_) => "filter",
            Problem::Order(_) | Problem::Behind(_) => "order",
            Problem::Inside(_) => "inside",
            Problem::Option(_) => "option",
            Problem::Secret(_) => "secret",
            Problem::OptionName => "option-name",
            Problem::DashDefault(_) => "dash-default",
            Problem::Nul => "nul",
            Problem::TooMany { .. } => "too-many",
        }
    }

    /// Returns what to do about it.
    pub fn hint(&self) -> &'static str {
        match &self.problem {
            Problem::Open => "close it: ${input.NAME}",
            Problem::Unexpected { .. } => "write ${input.NAME} or ${input.NAME | default('main')}",
            Problem::Source(_) => "write ${input.NAME}",
            Problem::Filter(_) => "write default('x'), optional('--x'), flag('--x') or json",
            Problem::Order(_) | Problem::Behind(_) => {
                "write default once, then json, and optional or flag last"
            }
            Problem::Inside(_) => "make the placeholder a word of its own",
            Problem::Option(_) => "write a word that starts with '-'",
            Problem::Secret(_) => "pass it as a variable: name it in sandbox.env.pass",
            Problem::OptionName => "write the option out: --name=${input.NAME}",
            Problem::DashDefault(_) => "attach it to its option, as in --name=${input.NAME | default('-x')}",
            Problem::Nul => "take it out",
            Problem::TooMany { .. } => "use an array input for many values",
        }
    }
}
