//! A command as a manifest writes it: one text, which no shell ever reads.
//!
//! Placeholders (`${…}`) are kept as they are; whoever fills them decides about words then.

use std::borrow::Cow;

use argrail_acli::{Limits, tokenize};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

use super::field::Field;
use super::rules::{SHELL, VALUE};
use super::shell::shell_feature;
use crate::doc::fields::Complaints;
use crate::doc::{Span, Spanned};

/// The longest command.
const LONGEST: usize = 8192;

/// A command without shell features.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct CommandLine(Spanned<String>);

impl CommandLine {
    /// Returns the command as it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns where it stands.
    pub fn span(&self) -> Span {
        self.0.span
    }

    /// Returns its words by POSIX quoting, if it has no placeholders.
    pub fn words(&self) -> Option<Vec<String>> {
        if self.as_str().contains("${") {
            return None;
        }
        words(self.as_str())
    }

    /// Returns the program, the first word, unless that is a placeholder.
    pub fn program(&self) -> Option<String> {
        let first = self.as_str().split_whitespace().next()?;
        if first.contains("${") {
            return None;
        }
        words(first)?.into_iter().next()
    }
}

fn words(text: &str) -> Option<Vec<String>> {
    let words = tokenize(text, &Limits::default()).ok()?;
    Some(words.into_iter().map(std::borrow::Cow::into_owned).collect())
}

impl JsonSchema for CommandLine {
    fn schema_name() -> Cow<'static, str> {
        "CommandLine".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A command: words by POSIX quoting, no shell features.",
            "type": "string",
            "minLength": 1,
            "maxLength": LONGEST,
            "pattern": r"^[^\u0000]*[^\s\u0000][^\u0000]*$",
        })
    }
}

/// Reads a command.
pub(crate) fn command_line(field: &Field<'_>, out: &mut Complaints) -> Option<CommandLine> {
    let text = field.prose(1..=LONGEST, out)?;
    if text.trim().is_empty() {
        out.push(
            field
                .expected("a command")
                .hint("write the program and its arguments"),
        );
        return None;
    }
    if let Some(feature) = shell_feature(&text) {
        let span = field.part(feature.at.start, feature.at.end);
        let what = format!(
            "{}: expected a command without a shell, got {}",
            field.path, feature.what
        );
        let hint = "write one program and its arguments; put several steps into several entries";
        out.push(SHELL.error(span, what).hint(hint));
        return None;
    }
    let command = CommandLine(text);
    // Words with placeholders may hold quotes of their own; those are read when they are filled.
    if !command.as_str().contains("${")
        && let Err(problem) = tokenize(command.as_str(), &Limits::default())
    {
        out.push(
            field
                .refuse(VALUE, format!("it has no words: {problem}"))
                .hint("close every quote"),
        );
        return None;
    }
    Some(command)
}
