//! Metadata as our own command model: what `help`, `schema`, completion and binding work on.
//!
//! Subcommands are made when somebody looks. What the model cannot hold (a name that no command string could, a flag
//! that stands twice, a second list of words) is left out, and [`skipped`] says what. A default is shown and never put
//! into an argv; a value that does not fit its own type is not even shown.

use std::collections::HashSet;
use std::sync::Arc;

use argrail_acli::{Answer, Arg, BoxFuture, Call, Command, Error, Kind, Scope, Style};
use serde_json::Value;

use super::flatten::is_leaf;
use super::model::{self, Argument, Commands, Metadata, Opt};
use super::spelling::{spellings, stands_before, style};

/// What answers a call: it gets the words after the tool's name that lead to the command.
pub type Respond = Arc<dyn Fn(Call, Vec<String>) -> BoxFuture<'static, Result<Answer, Error>> + Send + Sync>;

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
    let tool = Arc::new(Tool {
        style: style(metadata),
        metadata: metadata.clone(),
        respond,
    });
    let description = metadata.description.clone();
    Some(Command::lazy(metadata.name.clone(), description, move || {
        tool.make(&[])
    }))
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
    note(&path, &Found::root(metadata), &mut skipped);
    skipped
}

fn note(path: &[String], found: &Found<'_>, skipped: &mut Vec<Skipped>) {
    let mut taken = Taken::default();
    let mut note_one = |name: &str, why: &'static str| {
        skipped.push(Skipped {
            path: path.to_vec(),
            name: name.to_owned(),
            why,
        });
    };
    for option in &found.options {
        if taken.option(option).is_none() {
            note_one(&option.name, "it has no flag of its own that can be written");
        }
    }
    for argument in found.arguments {
        if taken.argument(argument).is_none() {
            note_one(&argument.name, "its place cannot be told from that of another");
        }
    }
    let mut names = HashSet::new();
    let commands = found.commands;
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
    for (name, command) in commands.iter().filter(|(name, _)| is_command_name(name)) {
        let path = [path, std::slice::from_ref(name)].concat();
        note(&path, &Found::of(command), skipped);
    }
}

/// What lazy commands are made from.
struct Tool {
    metadata: Metadata,
    style: Style,
    respond: Respond,
}

impl Tool {
    /// Makes the inside of the command that these words lead to.
    fn make(self: &Arc<Self>, path: &[String]) -> Command {
        let Some(found) = self.find(path) else {
            // Only paths that were listed are asked for.
            return Command::new("", "");
        };
        let mut made = Command::new("", "");
        if path.is_empty() {
            made = made.style(self.style);
        }
        let mut taken = Taken::default();
        let mut ids: Vec<(&Opt, String)> = Vec::new();
        for option in &found.options {
            if let Some((id, spelt)) = taken.option(option) {
                let scope = if self.style.bundling && !stands_before(option) {
                    Scope::Below
                } else {
                    Scope::Here
                };
                made = made.arg(option_arg(option, &id, &spelt).scope(scope));
                ids.push((option, id));
            }
        }
        for argument in found.arguments {
            if let Some(id) = taken.argument(argument) {
                made = made.arg(argument_arg(argument, &id));
            }
        }
        for (option, id) in &ids {
            for other in option.exclusive.iter().filter_map(|name| find_id(&ids, name)) {
                if other != id {
                    made = made.exclusive([id.clone(), other.to_owned()]);
                }
            }
        }
        for example in found.examples {
            made = made.example(example.clone());
        }
        if found.is_called {
            let (respond, path) = (Arc::clone(&self.respond), path.to_vec());
            made = made.handler(move |call| respond(call, path.clone()));
        }
        made.subcommands(self.children(path, found.commands))
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
            });
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

    fn find(&self, path: &[String]) -> Option<Found<'_>> {
        let Some((first, rest)) = path.split_first() else {
            return Some(Found::root(&self.metadata));
        };
        let mut command = self.metadata.commands.get(first)?;
        for word in rest {
            command = command.commands.get(word)?;
        }
        Some(Found::of(command))
    }
}

/// What one command consists of, the one below it that is called `""` included.
struct Found<'a> {
    options: Vec<&'a Opt>,
    arguments: &'a [Argument],
    examples: &'a [String],
    commands: &'a Commands,
    is_called: bool,
}

impl<'a> Found<'a> {
    fn root(metadata: &'a Metadata) -> Self {
        let own = metadata.commands.get("");
        let options = metadata.global_options.iter();
        Self {
            options: options
                .chain(own.into_iter().flat_map(|own| &own.options))
                .collect(),
            arguments: own.map_or(&[], |own| &own.arguments),
            examples: own.map_or(&[], |own| &own.examples),
            commands: &metadata.commands,
            is_called: own.is_some() || metadata.commands.is_empty(),
        }
    }

    fn of(command: &'a model::Command) -> Self {
        let own = command.commands.get("");
        let called = own.unwrap_or(command);
        Self {
            options: command
                .options
                .iter()
                .chain(own.into_iter().flat_map(|own| &own.options))
                .collect(),
            arguments: &called.arguments,
            examples: &called.examples,
            commands: &command.commands,
            is_called: own.is_some() || is_leaf(command),
        }
    }
}

/// The names that are taken within one command.
#[derive(Default)]
struct Taken {
    names: HashSet<String>,
    has_list: bool,
}

impl Taken {
    /// Returns the option's name and its spellings, or nothing where it has none of its own.
    fn option<'a>(&mut self, option: &'a Opt) -> Option<(String, Vec<&'a str>)> {
        let mut spelt = spellings(option.flags.iter().map(String::as_str));
        spelt.retain(|flag| !self.names.contains(*flag));
        if spelt.is_empty() || option.name.is_empty() || !self.names.insert(option.name.clone()) {
            return None;
        }
        self.names.extend(spelt.iter().map(|flag| (*flag).to_owned()));
        Some((option.name.clone(), spelt))
    }

    /// Returns the argument's name, changed where an option has it, or nothing where it cannot be told by its place.
    fn argument(&mut self, argument: &Argument) -> Option<String> {
        let is_list = is_list(argument);
        if is_list && self.has_list {
            return None;
        }
        let names = [argument.name.clone(), format!("{}-argument", argument.name)];
        let id = names
            .into_iter()
            .find(|name| !name.is_empty() && !self.names.contains(name))?;
        self.names.insert(id.clone());
        self.has_list |= is_list;
        Some(id)
    }
}

fn find_id<'a>(ids: &'a [(&Opt, String)], name: &str) -> Option<&'a String> {
    let is_named = |option: &Opt| option.name == name || option.flags.iter().any(|flag| flag == name);
    ids.iter().find(|(option, _)| is_named(option)).map(|(_, id)| id)
}

fn is_list(argument: &Argument) -> bool {
    argument.variadic == Some(true) || argument.kind == model::Kind::Array
}

fn option_arg(option: &Opt, id: &str, spelt: &[&str]) -> Arg {
    let (first, others) = spelt
        .split_first()
        .map_or(("", spelt), |(first, others)| (*first, others));
    let kind = if option.kind == model::Kind::Boolean {
        Kind::Flag
    } else {
        kind(option.kind, option.values.as_deref())
    };
    let is_flag = kind == Kind::Flag;
    let mut arg = Arg::option(first, kind.clone(), option.description.clone()).id(id);
    for other in others {
        arg = arg.alias(other);
    }
    let many = option.kind == model::Kind::Array || option.variadic == Some(true);
    if many {
        arg = arg.many();
    }
    if option.is_required() && !is_flag {
        arg = arg.required();
    }
    match option
        .default
        .as_ref()
        .filter(|default| !is_flag && !many && fits(&kind, default))
    {
        Some(default) if !option.is_required() => arg.default(default.clone()),
        Some(_) | None => arg,
    }
}

fn argument_arg(argument: &Argument, id: &str) -> Arg {
    let kind = kind(argument.kind, argument.values.as_deref());
    let mut arg = Arg::positional(id, kind.clone(), argument.description.clone());
    if is_list(argument) {
        arg = arg.many();
    }
    if !argument.is_required() {
        arg = arg.optional();
    }
    match argument
        .default
        .as_ref()
        .filter(|default| !is_list(argument) && fits(&kind, default))
    {
        Some(default) if !argument.is_required() => arg.default(default.clone()),
        Some(_) | None => arg,
    }
}

/// The type of one value. A list is an option that is repeated, so it is the type of its items: text.
fn kind(kind: model::Kind, values: Option<&[Value]>) -> Kind {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match (kind, values) {
        (model::Kind::Boolean, _) => Kind::Boolean,
        (_, Some(values)) if !values.is_empty() => Kind::one_of(values.iter().map(text)),
        (model::Kind::String | model::Kind::Enum | model::Kind::Array, _) => Kind::String,
        (model::Kind::Integer, _) => Kind::Integer,
        (model::Kind::Number, _) => Kind::Number,
        (model::Kind::File, _) => Kind::File,
        (model::Kind::Directory, _) => Kind::Directory,
        (model::Kind::Url, _) => Kind::Url,
    }
}

/// Whether a default is a value of its type. In doubt it is not shown.
fn fits(kind: &Kind, default: &Value) -> bool {
    match kind {
        Kind::String => default.is_string(),
        Kind::Integer => default.is_i64(),
        Kind::Number => default.is_number(),
        Kind::Boolean => default.is_boolean(),
        Kind::Enum(values) => default
            .as_str()
            .is_some_and(|text| values.iter().any(|value| value == text)),
        Kind::Flag
        | Kind::DateTime
        | Kind::Array(_)
        | Kind::File
        | Kind::Directory
        | Kind::Url
        | Kind::Json => false,
    }
}

/// What can stand at the top: the reserved commands (ACLI §6.1) are not replaced.
fn is_tool_name(name: &str) -> bool {
    is_command_name(name) && !matches!(name, "help" | "schema" | "version")
}

/// What the command model takes as a name.
fn is_command_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+');
    !name.is_empty() && name.len() <= 255 && !name.starts_with('-') && name.chars().all(is_plain)
}
