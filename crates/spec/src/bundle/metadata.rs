//! A bundle in the words of ATIP, called by its id: the tree of its commands, their inputs as options and arguments.
//!
//! An input is an option `--kebab-name`, also spelt as the schema spells it, and called by the schema's name, so that
//! [`input`](super::input) finds the way back. An input that stands in the template as a word of its own is an argument.

use serde_json::{Map, Value, json};

use super::authentication::authentication;
use super::effects::Ground;
use super::examples;
use super::model::{Bundle, BundleTool};
use super::sections::section;
use crate::atip::{Argument, Atip, Command, Commands, Extra, Kind, Loaded, Metadata, Opt, check_tool_name};
use crate::cli_md::{CliMd, Format};
use crate::doc::fields::{Complaints, Quoted};
use crate::doc::{Diagnostic, Severity};
use crate::mcp_tools::{Room, option_name, options};

/// What marks the metadata of a bundle, with its `id@major`.
pub const KEY: &str = "x-cli-bundle";
/// The id of the tool that a command is.
pub const TOOL_KEY: &str = "x-cli-tool";
/// The option by which a caller asks for JSON in the program's own words.
pub const JSON_FLAG: &str = "x-json-flag";

/// The most characters of the description of a tool.
const LONGEST: usize = 2_000;
/// How many commands the description of a group names.
const LISTED: usize = 12;

/// Returns the metadata of a bundle.
///
/// # Errors
/// When a command line cannot begin with its id.
pub fn metadata(bundle: &Bundle) -> Result<Loaded, Diagnostic> {
    let cli = &bundle.cli;
    check_tool_name(&cli.id).map_err(|problem| {
        let message = format!("bundle {}: {problem}", Quoted(&cli.id));
        Diagnostic::new(Severity::Error, "bundle/bad-name", cli.id.span, message)
            .hint("give the bundle an id that can be typed")
    })?;
    let mut complaints = Complaints::default();
    let mut commands = Commands::new();
    let ground = Ground::of(bundle);
    for tool in &bundle.tools {
        if let Some(command) = command(bundle, &ground, tool, &mut complaints) {
            place(&mut commands, &tool.words, command);
        }
    }
    commands.values_mut().for_each(describe);
    let mut metadata = Metadata {
        atip: Atip {
            version: "0.1".to_owned(),
            ..Atip::default()
        },
        name: cli.id.value.clone(),
        version: Some(cli.version.to_string()),
        title: Some(cli.name.value.clone()),
        description: one_line(&cli.description),
        authentication: cli.auth.as_ref().map(authentication),
        commands,
        extra: extra(bundle),
        ..Metadata::default()
    };
    examples::add(bundle, &mut metadata);
    Ok(Loaded {
        metadata,
        warnings: complaints.into_list(),
    })
}

/// What help and search show beyond the commands.
fn extra(bundle: &Bundle) -> Extra {
    let cli = &bundle.cli;
    let mut extra = Extra::from_iter([(KEY.to_owned(), cli.identity().into())]);
    if !cli.tags.is_empty() {
        let tags: Vec<&str> = cli.tags.iter().map(|tag| tag.as_str()).collect();
        extra.insert("x-tags".to_owned(), json!(tags));
    }
    if !cli.examples.is_empty() {
        extra.insert("x-examples".to_owned(), json!(cli.examples));
    }
    if let Some(notes) = section(&bundle.body, "Gotchas") {
        extra.insert("x-notes".to_owned(), notes.into());
    }
    extra
}

/// Puts a command at the end of its words. Where it has commands below it, it is the one that is called `""`.
fn place(commands: &mut Commands, words: &[String], command: Command) {
    match words.split_first() {
        None => drop(commands.insert(String::new(), command)),
        Some((first, [])) => match commands.get_mut(first) {
            Some(group) => drop(group.commands.insert(String::new(), command)),
            None => drop(commands.insert(first.clone(), command)),
        },
        Some((first, rest)) => {
            let group = commands.entry(first.clone()).or_default();
            // A command that was there before its own subcommands is still itself.
            if group.commands.is_empty() && group.extra.contains_key(TOOL_KEY) {
                let itself = std::mem::take(group);
                group.commands.insert(String::new(), itself);
            }
            place(&mut group.commands, rest, command);
        }
    }
}

/// Says what a group is for: what its own call does, or else what is in it.
fn describe(command: &mut Command) {
    if command.commands.is_empty() {
        return;
    }
    command.commands.values_mut().for_each(describe);
    command.description = match command.commands.get("") {
        Some(itself) => itself.description.clone(),
        None => {
            let names = command.commands.keys().take(LISTED).map(String::as_str);
            let more = if command.commands.len() > LISTED {
                ", …"
            } else {
                ""
            };
            format!("Commands: {}{more}", names.collect::<Vec<_>>().join(", "))
        }
    };
}

fn command(
    bundle: &Bundle,
    ground: &Ground,
    tool: &BundleTool,
    complaints: &mut Complaints,
) -> Option<Command> {
    let mut extra = Extra::from_iter([(TOOL_KEY.to_owned(), tool.tool.identity().into())]);
    let inputs = inputs(tool, &mut extra, complaints)?;
    let (arguments, mut options) = divided(tool, inputs);
    options.extend(json_option(tool, &bundle.cli, &options));
    behaviour(tool, &bundle.cli, &mut extra);
    let outputs: &Value = &tool.tool.outputs;
    if outputs.as_object().is_some_and(|outputs| !outputs.is_empty()) {
        extra.insert("x-output-schema".to_owned(), outputs.clone());
    }
    if let Some(notes) = section(&tool.body, "Gotchas") {
        extra.insert("x-notes".to_owned(), notes.into());
    }
    if !tool.tool.tags.is_empty() {
        let tags: Vec<&str> = tool.tool.tags.iter().map(|tag| tag.as_str()).collect();
        extra.insert("x-tags".to_owned(), json!(tags));
    }
    Some(Command {
        description: one_line(&tool.tool.description),
        arguments,
        options,
        effects: Some(ground.effects(tool)),
        extra,
        ..Command::default()
    })
}

/// Returns every input as an option, with both of its spellings.
pub(super) fn inputs(tool: &BundleTool, extra: &mut Extra, complaints: &mut Complaints) -> Option<Vec<Opt>> {
    let mut room = Room::of_tool();
    let place = format!("tool {}", Quoted(&tool.tool.id));
    let schema: &Value = &tool.tool.inputs;
    let mut inputs = options(Some(schema), &place, &mut room, extra, complaints)?;
    let taken: Vec<String> = inputs.iter().flat_map(|input| input.flags.clone()).collect();
    for input in inputs.iter_mut().filter(|input| input.name != "help") {
        let kebab = option_name(&input.name).filter(|kebab| !taken.contains(kebab));
        input.flags.splice(0..0, kebab);
    }
    Some(inputs)
}

/// Tells arguments from options. Of several lists only the first can be told by its place.
pub(super) fn divided(tool: &BundleTool, mut inputs: Vec<Opt>) -> (Vec<Argument>, Vec<Opt>) {
    let mut arguments: Vec<Argument> = Vec::new();
    for name in tool.positionals() {
        let Some(at) = inputs.iter().position(|input| input.name == name) else {
            continue;
        };
        let is_list = |kind: Kind| kind == Kind::Array;
        let has_list = arguments.iter().any(|argument| is_list(argument.kind));
        let is_word = inputs
            .get(at)
            .is_some_and(|input| input.kind != Kind::Boolean && !(is_list(input.kind) && has_list));
        if is_word {
            arguments.push(argument(inputs.remove(at)));
        }
    }
    // Words are given from the left: one that need not be there cannot stand before one that must.
    let last = arguments.iter().rposition(Argument::is_required);
    let (mut kept, mut loose) = (Vec::new(), Vec::new());
    for (at, argument) in arguments.into_iter().enumerate() {
        match last.is_some_and(|last| at < last) && !argument.is_required() {
            true => loose.push(option(argument)),
            false => kept.push(argument),
        }
    }
    inputs.extend(loose);
    (kept, inputs)
}

fn argument(input: Opt) -> Argument {
    Argument {
        name: input.name,
        kind: input.kind,
        description: input.description,
        required: Some(input.required.unwrap_or(false)),
        default: input.default,
        variadic: input.variadic,
        values: input.values,
        pattern: input.pattern,
        schema: input.schema,
        extra: input.extra,
    }
}

fn option(argument: Argument) -> Opt {
    let plain = format!("--{}", argument.name);
    let mut flags: Vec<String> = option_name(&argument.name).into_iter().collect();
    if !flags.contains(&plain) {
        flags.push(plain);
    }
    Opt {
        name: argument.name,
        flags,
        kind: argument.kind,
        description: argument.description,
        required: None,
        default: argument.default,
        values: argument.values,
        variadic: argument.variadic,
        pattern: argument.pattern,
        schema: argument.schema,
        extra: argument.extra,
        ..Opt::default()
    }
}

/// The option by which a caller asks for JSON in the program's own words, if it takes a value and no input has it.
fn json_option(tool: &BundleTool, cli: &CliMd, others: &[Opt]) -> Option<Opt> {
    let words = tool.json_words(cli);
    let (flag, rest) = words.split_first()?;
    let (flag, attached) = match flag.split_once('=') {
        Some((flag, value)) => (flag, Some(value)),
        None => (flag.as_str(), rest.first().map(String::as_str)),
    };
    let value = attached?;
    let is_taken = others
        .iter()
        .any(|other| other.flags.iter().any(|known| known == flag));
    if is_taken || !flag.starts_with('-') {
        return None;
    }
    Some(Opt {
        name: JSON_FLAG.to_owned(),
        flags: vec![flag.to_owned()],
        kind: Kind::String,
        description: format!("Prints JSON, as the program itself takes it; without it: {value}"),
        ..Opt::default()
    })
}

/// Takes the promise to print JSON back from the command that a tool is: its program is known not to have the flag.
pub fn forget_json(metadata: &mut Metadata, words: &[String]) {
    let Some((first, rest)) = words.split_first() else {
        return;
    };
    let mut command = metadata.commands.get_mut(first);
    for word in rest {
        command = command.and_then(|command| command.commands.get_mut(word));
    }
    let Some(command) = command else { return };
    let own = match command.commands.contains_key("") {
        true => command.commands.get_mut(""),
        false => Some(command),
    };
    let Some(own) = own else { return };
    own.options.retain(|option| option.name != JSON_FLAG);
    if let Some(format) = own
        .extra
        .get("x-output")
        .and_then(|output| output.get("format"))
        .cloned()
    {
        own.extra.insert("x-output".to_owned(), format);
    }
}

/// What the tool prints and what its exit codes mean.
fn behaviour(tool: &BundleTool, cli: &CliMd, extra: &mut Extra) {
    let rules = tool.output(cli);
    let format = match rules.format {
        Format::Text => "text",
        Format::Json => "json",
        Format::Yaml => "yaml",
        Format::Binary => "binary",
    };
    let output = match rules.json_words.is_empty() {
        true => json!(format),
        false => json!({"format": format, "json": rules.json_words}),
    };
    extra.insert("x-output".to_owned(), output);
    let exits: Map<String, Value> = rules
        .exit_codes
        .iter()
        .map(|(code, meaning)| (code.to_string(), known_meaning(meaning).into()))
        .collect();
    extra.insert("x-exit".to_owned(), exits.into());
}

/// Returns the word that ATIP hosts know; any other meaning is a failure.
fn known_meaning(meaning: &str) -> &'static str {
    match meaning {
        "ok" => "ok",
        "usage_error" => "usage_error",
        "auth_required" => "auth_required",
        "not_found" => "not_found",
        "timeout" => "timeout",
        "killed" => "killed",
        _ => "error",
    }
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(LONGEST).collect()
}
