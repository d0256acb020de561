//! Metadata of a program that is built with clap, so that any of them answers `--agent` in a few lines.
//!
//! Everything comes from the command tree that clap itself parses with, so it cannot fall behind. Only effects are not
//! in it: the program says those, by path, and what it does not say stays unknown. Hidden arguments, `--help` and
//! `--version` are left out; so is the `help` that clap adds by itself.

use std::any::TypeId;

use clap::builder::ValueRange;
use clap::{Arg, ArgAction, Command as Clap, ValueHint};
use serde_json::{Number, Value};

use super::agent_flag::{AgentFlagError, AgentRequest};
use super::model::{Argument, Command, Commands, Effects, Extra, Kind, Metadata, Opt};

/// Answers `--agent [--commands=a,b] [--depth=N]`: the JSON to print, or nothing where that was not asked.
///
/// `args` are the words after the program's name; `effects` says what the command of a path changes.
///
/// # Errors
/// What stands beside `--agent` and does not belong to it.
pub fn answer_agent<S: AsRef<str>>(
    args: impl IntoIterator<Item = S>,
    command: &Clap,
    effects: impl Fn(&[&str]) -> Option<Effects>,
) -> Option<Result<String, AgentFlagError>> {
    let request = AgentRequest::parse(args)?;
    Some(request.and_then(|request| {
        let metadata = from_clap(command, effects).partial(&request);
        serde_json::to_string(&metadata).map_err(|_| AgentFlagError::NotJson)
    }))
}

/// Returns the metadata of a program that is built with clap.
pub fn from_clap(command: &Clap, effects: impl Fn(&[&str]) -> Option<Effects>) -> Metadata {
    let mut command = command.clone();
    // Only a built command knows what its arguments inherit.
    command.build();
    let reading = Reading { effects: &effects };
    let subcommands = reading.subcommands(&command, &[]);
    let own = reading.command(&command, &[], Place::Root);
    let is_called = subcommands.is_empty() || !command.is_subcommand_required_set();
    let (globals, others): (Vec<&Arg>, Vec<&Arg>) = options(&command).partition(|arg| arg.is_global_set());
    let read = |args: Vec<&Arg>| {
        args.into_iter()
            .map(|arg| option(&command, arg))
            .collect::<Vec<_>>()
    };
    let mut metadata = Metadata {
        name: command.get_name().to_owned(),
        version: command.get_version().map(str::to_owned),
        description: own.description.clone(),
        global_options: read(globals),
        ..Metadata::default()
    };
    if is_called {
        let itself = Command {
            options: read(others),
            ..own
        };
        metadata.commands.insert(String::new(), itself);
    } else {
        // They stand before the subcommand, whichever it is.
        metadata
            .global_options
            .extend(read(others).into_iter().map(|mut option| {
                option.extra.insert("x-before".to_owned(), true.into());
                option
            }));
        metadata.effects = own.effects;
    }
    metadata.commands.extend(subcommands);
    metadata
}

/// Whether a command is the program itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Root,
    Below,
}

struct Reading<'e> {
    effects: &'e dyn Fn(&[&str]) -> Option<Effects>,
}

impl Reading<'_> {
    fn subcommands(&self, parent: &Clap, path: &[&str]) -> Commands {
        let all = parent
            .get_subcommands()
            .filter(|command| command.get_name() != "help");
        all.map(|command| {
            let path = [path, &[command.get_name()]].concat();
            let mut read = self.command(command, &path, Place::Below);
            read.commands = self.subcommands(command, &path);
            (command.get_name().to_owned(), read)
        })
        .collect()
    }

    fn command(&self, command: &Clap, path: &[&str], place: Place) -> Command {
        let about = command.get_about().or(command.get_long_about());
        let own = options(command).filter(|arg| place == Place::Root || !arg.is_global_set());
        Command {
            description: about.map(ToString::to_string).unwrap_or_default(),
            aliases: command.get_all_aliases().map(str::to_owned).collect(),
            arguments: positionals(command).map(argument).collect(),
            options: own.map(|arg| option(command, arg)).collect(),
            effects: (self.effects)(path),
            hidden: command.is_hide_set().then_some(true),
            ..Command::default()
        }
    }
}

fn is_told(arg: &&Arg) -> bool {
    let is_clap_s = matches!(
        arg.get_action(),
        ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong | ArgAction::Version
    );
    !is_clap_s && (!arg.is_hide_set() || arg.is_required_set())
}

fn options(command: &Clap) -> impl Iterator<Item = &Arg> {
    command
        .get_arguments()
        .filter(|arg| !arg.is_positional())
        .filter(is_told)
}

fn positionals(command: &Clap) -> impl Iterator<Item = &Arg> {
    command.get_positionals().filter(is_told)
}

fn option(command: &Clap, arg: &Arg) -> Opt {
    let kind = kind(arg);
    // Of an option, the draft says `exclusive` by the names of other options; only later drafts have `variadic`.
    let conflicts = command.get_arg_conflicts_with(arg).into_iter();
    let conflicts = conflicts.filter(|other| !other.is_positional() && is_told(other));
    let is_list = is_repeated(arg) && kind != Kind::Boolean;
    Opt {
        name: arg.get_id().as_str().to_owned(),
        flags: flags(arg),
        kind: if is_list { Kind::Array } else { kind },
        description: help(arg),
        required: arg.is_required_set().then_some(true),
        default: default(arg, kind),
        values: values(arg, kind),
        env_var: env(arg),
        exclusive: conflicts
            .map(|other| other.get_id().as_str().to_owned())
            .collect(),
        schema: is_list.then(|| serde_json::json!({"type": "array", "items": items(kind)})),
        ..Opt::default()
    }
}

fn argument(arg: &Arg) -> Argument {
    let kind = kind(arg);
    let mut extra = Extra::new();
    if arg.is_last_set() {
        // It stands behind `--` only.
        extra.insert("x-last".to_owned(), true.into());
    }
    Argument {
        name: arg.get_id().as_str().to_owned(),
        kind,
        description: help(arg),
        required: Some(arg.is_required_set()),
        default: default(arg, kind),
        variadic: is_repeated(arg).then_some(true),
        values: values(arg, kind),
        extra,
        ..Argument::default()
    }
}

/// The JSON Schema of one value of a list.
fn items(kind: Kind) -> Value {
    match kind {
        Kind::Integer => serde_json::json!({"type": "integer"}),
        Kind::Number => serde_json::json!({"type": "number"}),
        Kind::Boolean => serde_json::json!({"type": "boolean"}),
        Kind::Url => serde_json::json!({"type": "string", "format": "uri"}),
        Kind::String | Kind::File | Kind::Directory | Kind::Enum | Kind::Array => {
            serde_json::json!({"type": "string"})
        }
    }
}

/// Every spelling, the short ones first.
fn flags(arg: &Arg) -> Vec<String> {
    let shorts = arg
        .get_short()
        .into_iter()
        .chain(arg.get_all_short_aliases().unwrap_or_default());
    let longs = arg
        .get_long()
        .into_iter()
        .chain(arg.get_all_aliases().unwrap_or_default());
    let mut flags: Vec<String> = Vec::new();
    let spelt = shorts
        .map(|short| format!("-{short}"))
        .chain(longs.map(|long| format!("--{long}")));
    for flag in spelt {
        if !flags.contains(&flag) {
            flags.push(flag);
        }
    }
    flags
}

fn help(arg: &Arg) -> String {
    let help = arg.get_help().or(arg.get_long_help());
    help.map(ToString::to_string).unwrap_or_default()
}

fn takes_value(arg: &Arg) -> bool {
    arg.get_num_args().unwrap_or(ValueRange::SINGLE).takes_values()
}

fn is_repeated(arg: &Arg) -> bool {
    let several = arg.get_num_args().is_some_and(|range| range.max_values() > 1);
    matches!(arg.get_action(), ArgAction::Append | ArgAction::Count) || several
}

fn kind(arg: &Arg) -> Kind {
    if !takes_value(arg) {
        return Kind::Boolean;
    }
    if !arg.get_possible_values().is_empty() {
        return Kind::Enum;
    }
    match arg.get_value_hint() {
        ValueHint::FilePath | ValueHint::AnyPath | ValueHint::ExecutablePath => return Kind::File,
        ValueHint::DirPath => return Kind::Directory,
        ValueHint::Url => return Kind::Url,
        _ => {}
    }
    // A parser may take more than the digits of its type: `16M` is an amount, and no integer.
    let is_number = |text: &std::ffi::OsStr| text.to_str().is_some_and(|text| text.parse::<f64>().is_ok());
    if !arg.get_default_values().iter().all(|default| is_number(default)) {
        return Kind::String;
    }
    let parser = arg.get_value_parser();
    let is = |types: &[TypeId]| types.iter().any(|known| parser.type_id() == *known);
    if is(&[
        TypeId::of::<i8>(),
        TypeId::of::<i16>(),
        TypeId::of::<i32>(),
        TypeId::of::<i64>(),
        TypeId::of::<u8>(),
        TypeId::of::<u16>(),
        TypeId::of::<u32>(),
        TypeId::of::<u64>(),
        TypeId::of::<usize>(),
    ]) {
        Kind::Integer
    } else if is(&[TypeId::of::<f32>(), TypeId::of::<f64>()]) {
        Kind::Number
    } else {
        Kind::String
    }
}

fn values(arg: &Arg, kind: Kind) -> Option<Vec<Value>> {
    if kind != Kind::Enum {
        return None;
    }
    let shown = arg
        .get_possible_values()
        .into_iter()
        .filter(|value| !value.is_hide_set());
    Some(shown.map(|value| value.get_name().into()).collect())
}

fn default(arg: &Arg, kind: Kind) -> Option<Value> {
    if kind == Kind::Boolean {
        return None;
    }
    let texts: Vec<String> = arg
        .get_default_values()
        .iter()
        .map(|value| value.to_string_lossy().into_owned())
        .collect();
    match texts.as_slice() {
        [] => None,
        [text] => Some(typed(text, kind)),
        texts => Some(texts.iter().map(|text| typed(text, kind)).collect()),
    }
}

fn typed(text: &str, kind: Kind) -> Value {
    let number = match kind {
        Kind::Integer => text.parse::<i64>().ok().map(Number::from),
        Kind::Number => text.parse::<f64>().ok().and_then(Number::from_f64),
        Kind::String
        | Kind::Boolean
        | Kind::File
        | Kind::Directory
        | Kind::Url
        | Kind::Enum
        | Kind::Array => None,
    };
    number.map_or_else(|| text.into(), Value::Number)
}

#[cfg(feature = "clap-env")]
fn env(arg: &Arg) -> Option<String> {
    arg.get_env().map(|name| name.to_string_lossy().into_owned())
}

#[cfg(not(feature = "clap-env"))]
fn env(_: &Arg) -> Option<String> {
    None
}
