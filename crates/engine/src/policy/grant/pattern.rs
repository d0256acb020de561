//! Which calls a grant covers, as parsed commands rather than text.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::glob;
use crate::policy::facts::Facts;

/// What stands for the tool where a pattern is about hosts alone. No tool can be called so.
pub(super) const ANY_TOOL: &str = "*";

/// A set of calls of one command; or hosts that any tool may talk to.
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
    /// Whether its hosts may get credentials, where it is about hosts alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub credentials: bool,
    /// The dangers that it covers because it says so.
    #[serde(default)]
    pub dangers: Vec<Danger>,
}

impl Pattern {
    /// Whether it is about hosts alone, with any tool.
    pub fn is_for_hosts(&self) -> bool {
        self.tool == ANY_TOOL
    }
}

/// Returns the tools whose grants may answer something about a call: its own, those of calls inside it, and any.
pub(crate) fn granted_tools(facts: &Facts) -> Vec<&str> {
    let mut tools = vec![ANY_TOOL];
    let mut left = vec![facts];
    while let Some(facts) = left.pop() {
        tools.push(&facts.invoked.tool);
        left.extend(&facts.inner);
    }
    tools.sort_unstable();
    tools.dedup();
    tools
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

impl Pattern {
    /// Returns the directory below which what each of its paths stands for lies; `home` is what `~` means.
    pub fn directories<'p>(&'p self, home: &'p Path) -> impl Iterator<Item = PathBuf> + 'p {
        self.paths.iter().map(move |wanted| {
            let (base, rest) = match wanted.strip_prefix("~/") {
                Some(rest) => (home, rest),
                None => (Path::new("/"), wanted.trim_start_matches('/')),
            };
            // The last part is a name in the directory.
            let above = rest.rsplit_once('/').map_or("", |(above, _)| above);
            let fixed = above.split('/').map_while(glob::literal);
            fixed.fold(base.to_owned(), |place, part| place.join(part))
        })
    }
}
