//! Metadata as our own command model: what `help`, `schema`, completion and binding work on.
//!
//! Subcommands are made when somebody looks. What the model cannot hold (a name that no command string could, a flag
//! that stands twice, a second list of words) is left out, and [`skipped`] says what. A default is shown and never put
//! into an argv; a value that does not fit its own type is not even shown.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use argrail_acli::{Answer, Arg, BoxFuture, Call, Command, Error, Kind, Repeat, Scope, Unknown};

use super::inferred::{wording, wording_of};
use super::level::{JSON_FLAG, JSON_ID, Level, Named, WHOLE_ID, has_json_words, takes_whole};
use super::model::{Commands, Metadata, Opt};
use super::notes::{goals, notes, tags};
use super::to_arg::to_arg;

/// What answers a call: it gets the words after the tool's name that lead to the command.
pub type Respond = Arc<dyn Fn(Call, Vec<String>) -> BoxFuture<'static, Result<Answer, Error>> + Send + Sync>;

/// The longest that a call may take, whatever its responder says.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// Something of the metadata that the command model cannot hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// The words that lead to the command, the tool's name first.
    pub path: Vec<String>,
    /// The command, option or argument that is not there.
    pub name: String,
    /// Why.
    pub why: &'static str,
}

/// Returns the tool as a command, or nothing where no command string could name it.
pub fn command(metadata: &Metadata, respond: Respond) -> Option<Command> {
    if !is_tool_name(&metadata.name) {
        return None;
    }
    Some(any_command(Arc::new(metadata.clone()), respond))
}

/// Returns the tool as a command, also where it has a name that no command string could hold.
pub(super) fn any_command(metadata: Arc<Metadata>, respond: Respond) -> Command {
    let (name, description) = (metadata.name.clone(), metadata.description.clone());
    let wording = wording(&metadata);
    let tool = Arc::new(Tool { metadata, respond });
    Command::lazy(name, description, move || tool.make(&[])).wording(wording)
}

/// Returns what [`command`] leaves out.
pub fn skipped(metadata: &Metadata) -> Vec<Skipped> {
    let path = vec![metadata.name.clone()];
    if !is_tool_name(&metadata.name) {
        let why = "no command string can hold this name";
        return vec![Skipped {
            name: metadata.name.clone(),
            path,
            why,
        }];
    }
    let mut skipped = Vec::new();
    note(&path, &Level::root(metadata), &mut skipped);
    skipped
}

fn note(path: &[String], level: &Level<'_>, skipped: &mut Vec<Skipped>) {
    let mut note_one = |name: &str, why: &'static str| {
        skipped.push(Skipped {
            path: path.to_vec(),
            name: name.to_owned(),
            why,
        });
    };
    let (_, nameless) = level.named();
    for left_out in nameless {
        note_one(left_out.name, left_out.why);
    }
    let mut names = HashSet::new();
    let commands = level.commands;
    for (name, command) in commands.iter().filter(|(name, _)| !name.is_empty()) {
        if !is_command_name(name) || !names.insert(name.as_str()) {
            note_one(name, "no command string can hold this name");
            continue;
        }
        for alias in &command.aliases {
            if !is_command_name(alias) || commands.contains_key(alias) || !names.insert(alias) {
                note_one(alias, "the other name is taken or cannot be written");
            }
        }
    }
    for name in commands.keys().filter(|name| is_command_name(name)) {
        let path = [path, std::slice::from_ref(name)].concat();
        if let Some(below) = level.below(name) {
            note(&path, &below, skipped);
        }
    }
}

/// What lazy commands are made from.
struct Tool {
    metadata: Arc<Metadata>,
    respond: Respond,
}

impl Tool {
    /// Makes the inside of the command that these words lead to.
    fn make(self: &Arc<Self>, path: &[String]) -> Command {
        let made = Command::new("", "");
        let levels = Level::chain(&self.metadata, path).unwrap_or_default();
        let Some(level) = levels.last() else {
            // Only paths that were listed are asked for.
            return made;
        };
        let (Some(grammar), above) = Level::grammars(&levels) else {
            return made;
        };
        let mut made = if above.as_ref() == Some(&grammar) {
            made
        } else {
            made.style(grammar.style)
        };
        let (named, _) = level.named();
        made = named
            .iter()
            .fold(made, |made, named| made.arg(to_arg(named, &grammar)));
        if has_json_words(&levels) {
            made = made.arg(json_flag());
        }
        if takes_whole(&levels) {
            made = made.arg(whole());
        }
        made = exclusive(made, &named);
        for example in level.examples() {
            made = made.example(example.clone());
        }
        if let Some(output) = level
            .own_extra()
            .unwrap_or_else(|| level.extra())
            .get("x-output-schema")
        {
            made = made.output_schema(output.clone());
        }
        let said = [Some(level.extra()), level.own_extra()];
        for extra in said.into_iter().flatten() {
            made = goals(extra).fold(made, |made, goal| made.example(goal.line));
            made = notes(extra).into_iter().fold(made, Command::note);
            made = tags(extra).fold(made, Command::tag);
        }
        if level.is_called() {
            let (respond, path) = (Arc::clone(&self.respond), path.to_vec());
            made = made
                .handler(move |call| respond(call, path.clone()))
                // Whoever responds knows how long the tool may take; and where it runs is a matter of roots.
                .timeout(LONGEST)
                .reads_roots();
        } else if grammar.style.unknown == Unknown::Keep {
            let (respond, path) = (Arc::clone(&self.respond), path.to_vec());
            made = made
                .unlisted_handler(move |call| respond(call, path.clone()))
                .timeout(LONGEST)
                .reads_roots();
        }
        made.subcommands(self.children(path, level.commands))
    }

    fn children(self: &Arc<Self>, path: &[String], commands: &Commands) -> Vec<Command> {
        let mut names: HashSet<&str> = HashSet::new();
        let mut children = Vec::new();
        for (name, command) in commands {
            if !is_command_name(name) || !names.insert(name) {
                continue;
            }
            let (tool, path) = (Arc::clone(self), [path, std::slice::from_ref(name)].concat());
            let mut child = Command::lazy(name.clone(), command.description.clone(), move || {
                tool.make(&path)
            })
            .wording(wording_of(&command.extra));
            for alias in &command.aliases {
                if is_command_name(alias) && !commands.contains_key(alias) && names.insert(alias) {
                    child = child.alias(alias.clone());
                }
            }
            if command.deprecated == Some(true) {
                child = child.deprecated("");
            }
            if command.hidden == Some(true) {
                child = child.hidden();
            }
            children.push(child);
        }
        children
    }
}

/// The flag that the words of `x-output` stand behind.
fn json_flag() -> Arg {
    Arg::flag(JSON_FLAG, "Print JSON")
        .id(JSON_ID)
        .repeat(Repeat::Last)
        .scope(Scope::Here)
}

/// The option that takes all arguments at once.
fn whole() -> Arg {
    let description = "All arguments as one JSON object, instead of the other options";
    Arg::option(JSON_FLAG, Kind::String, description)
        .id(WHOLE_ID)
        .whole()
        .scope(Scope::Here)
}

fn exclusive(made: Command, named: &[Named<'_>]) -> Command {
    let options: Vec<&Opt> = named
        .iter()
        .filter_map(|named| match named {
            Named::Option { option, .. } => Some(*option),
            Named::Argument { .. } => None,
        })
        .collect();
    let mut names: HashMap<&str, &Opt> = HashMap::new();
    for option in &options {
        for name in std::iter::once(&option.name).chain(&option.flags) {
            names.entry(name).or_insert(option);
        }
    }
    let mut made = made;
    for option in &options {
        let others = option
            .exclusive
            .iter()
            .filter_map(|name| names.get(name.as_str()));
        for other in others.filter(|other| other.name != option.name) {
            made = made.exclusive([option.name.clone(), other.name.clone()]);
        }
    }
    made
}

/// What can stand at the top: the reserved commands (ACLI §6.1) are not replaced.
fn is_tool_name(name: &str) -> bool {
    is_command_name(name) && !name.contains(':') && !matches!(name, "help" | "schema" | "version")
}

/// What the command model takes as a name.
fn is_command_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+' | ':' | '@');
    !name.is_empty() && name.len() <= 255 && !name.starts_with(['-', ':']) && name.chars().all(is_plain)
}
