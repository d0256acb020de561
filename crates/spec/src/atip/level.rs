//! What stands at one level of a command line: the tool itself, or one of its commands, with the one below it that is
//! called `""`.
//!
//! Our command model and the reader of command lines are both made from levels, so that what one of them understands
//! is what the other one does. What the model cannot hold is left out here.

use std::collections::HashSet;

use argrail_acli::Unknown;

use super::flatten::is_leaf;
use super::grammar::{Grammar, takes_assignments};
use super::model::{self, Argument, Authentication, Command, Commands, Effects, Extra, Metadata, Opt};
use super::spelling::{spellings, stands_last};

/// The name of the flag that stands for a tool's own way to print JSON.
pub(crate) const JSON_ID: &str = "x-json";
/// How it is spelt.
pub(crate) const JSON_FLAG: &str = "--json";

/// The name of the option that takes all arguments of a tool at once, as JSON.
pub(crate) const WHOLE_ID: &str = "x-input";
/// What marks a tool whose arguments are JSON in the end.
pub(super) const MCP: &str = "x-mcp-server";

/// One level.
pub(crate) struct Level<'a> {
    metadata: &'a Metadata,
    /// The command, unless this is the tool itself.
    command: Option<&'a Command>,
    /// The one below it that is called `""`.
    own: Option<&'a Command>,
    /// What is below.
    pub(crate) commands: &'a Commands,
}

/// An option or argument with the names that it has in the command model.
pub(crate) enum Named<'a> {
    /// An option.
    Option {
        option: &'a Opt,
        /// Those of its flags that mean it here.
        spelt: Vec<&'a str>,
        reach: Reach,
    },
    /// An argument.
    Argument {
        argument: &'a Argument,
        id: String,
        share: Share,
    },
}

/// Whose an option is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Of the command and of what is below it.
    Group,
    /// Of the call without a subcommand.
    Own,
}

/// Which words an argument may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Share {
    /// Those at its place.
    Place,
    /// Those behind `--`.
    Last,
    /// Those at its place that are assignments.
    Assignments,
}

/// What could not be named, and why.
pub(crate) struct Nameless<'a> {
    pub(crate) name: &'a str,
    pub(crate) why: &'static str,
}

impl<'a> Level<'a> {
    /// Returns the levels that these words lead through, the tool first.
    pub(crate) fn chain<S: AsRef<str>>(metadata: &'a Metadata, path: &[S]) -> Option<Vec<Self>> {
        let mut levels = vec![Self::root(metadata)];
        for name in path {
            let level = levels.last()?.below(name.as_ref())?;
            levels.push(level);
        }
        Some(levels)
    }

    pub(crate) fn root(metadata: &'a Metadata) -> Self {
        Self {
            metadata,
            command: None,
            own: metadata.commands.get(""),
            commands: &metadata.commands,
        }
    }

    pub(crate) fn below(&self, name: &str) -> Option<Self> {
        let command = self.commands.get(name).filter(|_| !name.is_empty())?;
        Some(Self {
            metadata: self.metadata,
            command: Some(command),
            own: command.commands.get(""),
            commands: &command.commands,
        })
    }

    /// Whether it can be called without a subcommand.
    pub(crate) fn is_called(&self) -> bool {
        self.own.is_some() || self.command.map_or(self.commands.is_empty(), is_leaf)
    }

    pub(crate) fn arguments(&self) -> &'a [Argument] {
        self.own.or(self.command).map_or(&[], |called| &called.arguments)
    }

    pub(crate) fn examples(&self) -> &'a [String] {
        self.own.or(self.command).map_or(&[], |called| &called.examples)
    }

    pub(crate) fn options(&self) -> impl Iterator<Item = (&'a Opt, Reach)> {
        let group = self
            .command
            .map_or(&self.metadata.global_options, |command| &command.options);
        let own = self.own.into_iter().flat_map(|own| &own.options);
        group
            .iter()
            .map(|option| (option, Reach::Group))
            .chain(own.map(|option| (option, Reach::Own)))
    }

    /// What is said about the level and everything below it.
    pub(crate) fn extra(&self) -> &'a Extra {
        self.command
            .map_or(&self.metadata.extra, |command| &command.extra)
    }

    /// What is said about the call without a subcommand.
    pub(crate) fn own_extra(&self) -> Option<&'a Extra> {
        self.own.map(|own| &own.extra)
    }

    /// Returns the claims, the farther first.
    pub(crate) fn effects(&self) -> (Option<&'a Effects>, Option<&'a Effects>) {
        let effects = self
            .command
            .map_or(&self.metadata.effects, |command| &command.effects);
        (effects.as_ref(), self.own.and_then(|own| own.effects.as_ref()))
    }

    pub(crate) fn authentication(&self) -> (Option<&'a Authentication>, Option<&'a Authentication>) {
        let authentication = self
            .command
            .map_or(&self.metadata.authentication, |command| &command.authentication);
        let own = self.own.and_then(|own| own.authentication.as_ref());
        (authentication.as_ref(), own)
    }

    /// Returns the grammar here, below `above`.
    pub(crate) fn grammar(&self, above: Option<&Grammar>) -> Grammar {
        let outer = match above {
            Some(above) => above.with(self.extra()).unwrap_or_else(|| above.clone()),
            None => Grammar::of_tool(self.metadata),
        };
        let own = self.own_extra().and_then(|extra| outer.with(extra));
        own.unwrap_or(outer)
    }

    /// Returns the grammar of the last of these levels, and that of the one above it.
    pub(crate) fn grammars(levels: &[Self]) -> (Option<Grammar>, Option<Grammar>) {
        levels.iter().fold((None, None), |(above, _), level| {
            let grammar = level.grammar(above.as_ref());
            (Some(grammar), above)
        })
    }

    /// Names everything that can be named, options first.
    pub(crate) fn named(&self) -> (Vec<Named<'a>>, Vec<Nameless<'a>>) {
        let mut taken = Taken::default();
        let (mut named, mut nameless) = (Vec::new(), Vec::new());
        for (option, reach) in self.options() {
            match taken.option(option) {
                Some(spelt) => named.push(Named::Option { option, spelt, reach }),
                None => nameless.push(Nameless {
                    name: &option.name,
                    why: "it has no flag of its own that can be written",
                }),
            }
        }
        let arguments = self.arguments();
        for (at, argument) in arguments.iter().enumerate() {
            let share = if stands_last(argument) {
                Share::Last
            } else if takes_assignments(arguments, at) {
                Share::Assignments
            } else {
                Share::Place
            };
            match taken.argument(argument, share) {
                Some(id) => named.push(Named::Argument { argument, id, share }),
                None => nameless.push(Nameless {
                    name: &argument.name,
                    why: "its place cannot be told from that of another",
                }),
            }
        }
        (named, nameless)
    }
}

/// Returns every spelling of the options that a call of the command at `path` can have; nothing where options that
/// nobody describes are no mistake, or where there is no such command.
pub fn known_options<'a, S: AsRef<str>>(metadata: &'a Metadata, path: &[S]) -> Option<Vec<&'a str>> {
    let levels = Level::chain(metadata, path)?;
    let (grammar, _) = Level::grammars(&levels);
    if grammar?.style.unknown != Unknown::Refuse {
        return None;
    }
    let ours = (has_json_words(&levels) || takes_whole(&levels)).then_some(JSON_FLAG);
    Some(
        described_options(metadata, path)?
            .into_iter()
            .chain(ours)
            .collect(),
    )
}

/// Returns every spelling of the options that somebody describes of the command at `path`; nothing where there is no such
/// command. There may be others.
pub fn described_options<'a, S: AsRef<str>>(metadata: &'a Metadata, path: &[S]) -> Option<Vec<&'a str>> {
    let levels = Level::chain(metadata, path)?;
    let options = levels.iter().flat_map(Level::options);
    let spelt = options.flat_map(|(option, _)| spellings(option.flags.iter().map(String::as_str)));
    Some(spelt.collect())
}

/// What calls of one command look like, for whoever writes a pattern of them.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct CommandShape<'a> {
    /// How many of the words are subcommands.
    pub depth: usize,
    /// The subcommands below it.
    pub subcommands: Vec<&'a str>,
    /// Whether it can be called without one of these.
    pub is_called: bool,
    /// Whether it takes words then.
    pub takes_words: bool,
    /// Every spelling of options whose value is the text of a program.
    pub program_options: Vec<&'a str>,
    /// Which word is the text of a program, if one is: counted from 0, behind the subcommands.
    pub program_word: Option<usize>,
}

/// Returns the shape of the command that words begin with: as many of them as are subcommands count.
pub fn command_shape<'a, S: AsRef<str>>(metadata: &'a Metadata, words: &[S]) -> CommandShape<'a> {
    let mut levels = vec![Level::root(metadata)];
    for word in words {
        match levels.last().and_then(|level| level.below(word.as_ref())) {
            Some(below) => levels.push(below),
            None => break,
        }
    }
    let depth = levels.len() - 1;
    let Some(level) = levels.last() else {
        return CommandShape::default();
    };
    let is_program = |extra: &Extra| extra.contains_key("x-program");
    let options = levels.iter().flat_map(Level::options);
    let programs = options.filter(|(option, _)| is_program(&option.extra));
    let arguments = level.arguments().iter();
    CommandShape {
        depth,
        subcommands: level
            .commands
            .keys()
            .map(String::as_str)
            .filter(|name| !name.is_empty())
            .collect(),
        is_called: level.is_called(),
        takes_words: !level.arguments().is_empty(),
        program_options: programs
            .flat_map(|(option, _)| spellings(option.flags.iter().map(String::as_str)))
            .collect(),
        program_word: arguments
            .into_iter()
            .position(|argument| is_program(&argument.extra)),
    }
}

/// Returns what is said about the call that the levels lead to, the nearest first.
pub(crate) fn said<'a>(levels: &[Level<'a>]) -> impl Iterator<Item = &'a Extra> {
    let own = levels.last().and_then(Level::own_extra);
    own.into_iter().chain(levels.iter().rev().map(Level::extra))
}

/// Whether the caller's `--json` stands for something else: the command has words for it, and no such flag.
pub(crate) fn has_json_words(levels: &[Level<'_>]) -> bool {
    let words = said(levels).find_map(|extra| extra.get("x-output"));
    let has_words = words
        .and_then(|output| output.get("json"))
        .is_some_and(|words| !json_words(words).is_empty());
    has_words && has_free_json_flag(levels) && !takes_whole(levels)
}

/// Whether `--json` takes all arguments at once: the tool is a server's, and has no such parameter.
pub(crate) fn takes_whole(levels: &[Level<'_>]) -> bool {
    let is_tool = levels.len() > 1 && levels.first().is_some_and(|tool| tool.extra().contains_key(MCP));
    is_tool && has_free_json_flag(levels)
}

/// Whether the call that the levels lead to has no option that is spelt or named as ours is.
fn has_free_json_flag(levels: &[Level<'_>]) -> bool {
    let is_taken = |option: &Opt| {
        let flags = || option.flags.iter().any(|flag| flag == JSON_FLAG);
        option.name == JSON_ID || option.name == WHOLE_ID || flags()
    };
    let Some((called, above)) = levels.split_last() else {
        return false;
    };
    // What only the call of a group takes is not there below it.
    let above = above.iter().flat_map(Level::options);
    let above = above.filter(|(_, reach)| *reach == Reach::Group);
    let mut options = above.chain(called.options());
    called.is_called() && !options.any(|(option, _)| is_taken(option))
}

/// Reads the words that make a tool print JSON.
pub(crate) fn json_words(value: &serde_json::Value) -> Vec<String> {
    let words = value.as_array().into_iter().flatten();
    words
        .filter_map(|word| word.as_str())
        .map(str::to_owned)
        .collect()
}

/// The names that are taken within one command.
#[derive(Default)]
struct Taken<'a> {
    names: HashSet<String>,
    flags: HashSet<&'a str>,
    has_list: bool,
    has_last_list: bool,
}

impl<'a> Taken<'a> {
    /// Returns the option's spellings, or nothing where it has none of its own.
    fn option(&mut self, option: &'a Opt) -> Option<Vec<&'a str>> {
        let mut spelt = spellings(option.flags.iter().map(String::as_str));
        spelt.retain(|flag| !self.flags.contains(*flag) && !self.names.contains(*flag));
        let is_named = !option.name.is_empty() && !self.flags.contains(option.name.as_str());
        if spelt.is_empty() || !is_named || !self.names.insert(option.name.clone()) {
            return None;
        }
        self.flags.extend(spelt.iter().copied());
        Some(spelt)
    }

    /// Returns the argument's name, changed where an option has it, or nothing where it cannot be told by its place.
    fn argument(&mut self, argument: &Argument, share: Share) -> Option<String> {
        let is_list = is_list(argument);
        let is_second = match share {
            Share::Place => is_list && self.has_list,
            Share::Last => is_list && self.has_last_list,
            Share::Assignments => false,
        };
        if is_second {
            return None;
        }
        let names = [argument.name.clone(), format!("{}-argument", argument.name)];
        let is_free = |name: &String| {
            !name.is_empty() && !self.names.contains(name) && !self.flags.contains(name.as_str())
        };
        let id = names.into_iter().find(is_free)?;
        self.names.insert(id.clone());
        match share {
            Share::Place => self.has_list |= is_list,
            Share::Last => self.has_last_list |= is_list,
            Share::Assignments => {}
        }
        Some(id)
    }
}

/// Whether an argument takes several words.
pub(crate) fn is_list(argument: &Argument) -> bool {
    argument.variadic == Some(true) || argument.kind == model::Kind::Array
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::atip::decode;
    use crate::doc::Node;

    #[test]
    fn the_options_of_a_call_are_those_of_all_its_levels() {
        let check = |grammar: Value, path: &[&str], want: Option<&[&str]>| {
            let tool = json!({
                "atip": "0.1", "name": "demo", "description": "x", "x-grammar": grammar,
                "globalOptions": [{"name": "verbose", "flags": ["-v", "--verbose"], "type": "boolean", "description": "x"}],
                "commands": {"push": {
                    "description": "x",
                    "options": [{"name": "force", "flags": ["--force", "-f"], "type": "boolean", "description": "x"}]
                }},
            });
            let metadata = decode(&Node::plain(&tool)).unwrap().metadata;
            assert_eq!(known_options(&metadata, path).as_deref(), want, "{path:?}");
        };
        let both: &[&str] = &["--verbose", "-v", "--force", "-f"];
        check(json!({}), &["push"], Some(both));
        check(json!({}), &[], Some(&["--verbose", "-v"]));
        check(json!({}), &["pull"], None);
        // What nobody describes may be there all the same.
        check(json!({"unknown": "ask"}), &["push"], None);
    }
}
