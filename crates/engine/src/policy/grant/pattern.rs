//! Which calls a grant covers, as parsed commands rather than text.

use serde::{Deserialize, Serialize};

/// A set of calls of one command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pattern {
    /// The tool.
    pub tool: String,
    /// What every call starts with: the subcommands by their own names, and the words behind them that are fixed.
    #[serde(default)]
    pub command: Vec<String>,
    /// The options that a call may have. Any other is not covered.
    #[serde(default)]
    pub options: Vec<OptionPattern>,
    /// The further words that a call has.
    #[serde(default)]
    pub words: WordPatterns,
    /// Hosts that a call may reach: names, `*.name`, or `*` for every public one.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// Globs of the paths that a call may name, absolute or below `~/`. The directory it starts in is one of them.
    #[serde(default)]
    pub paths: Vec<String>,
    /// The dangers that it covers because it says so.
    #[serde(default)]
    pub dangers: Vec<Danger>,
}

/// An option that a call may have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OptionPattern {
    /// A spelling of it: `--tags`, `-t`; `if` for `if=`.
    pub name: String,
    /// Its values.
    pub values: Values,
}

/// The values of an option.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Values {
    /// Whatever they are.
    Any,
    /// The option is there, each of its values fits one of these globs, and each glob has a value. An empty one stands
    /// for no value.
    These(Vec<String>),
}

/// The words of a call.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WordPatterns {
    /// One glob for each word, in order.
    pub each: Vec<String>,
    /// The glob that every further word fits; without one there is no further word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub more: Option<String>,
}

/// What is never covered by the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Danger {
    /// It destroys, or cannot be undone.
    Destructive,
    /// It costs money.
    Billable,
    /// It runs what nobody has read: a text, a program or words that may do anything.
    Unread,
}
