//! Estimates for a whole tool: every command that says nothing about its effects gets one, and every option its share.
//!
//! What somebody says is never touched. Each estimate carries `x-inferred` with its reasons, so that a reader can tell
//! a guess from a word.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::class::Class;
use super::command::estimate;
use super::flag::estimate_option;
use crate::atip::{Argument, Command, Commands, Effects, Kind, Metadata, Opt};
use crate::help::{Confidence, FoundOption, FoundPositional, FoundValue, Origin, Page, Seen, Takes};

/// The key under which guesses tell what they are made from.
const MARK: &str = "x-inferred";
/// How deep commands may stand below each other.
const DEEPEST: usize = 32;
/// The most names of one command that are looked at.
const MOST_ALIASES: usize = 64;

/// Adds estimates to everything that can be called and says nothing about its effects, and to every option that has no
/// `x-effects`.
pub fn annotate(metadata: &mut Metadata) {
    let tool = metadata.name.clone();
    let about = metadata.description.clone();
    if metadata.effects.is_none() && metadata.commands.is_empty() {
        let own: Vec<&Opt> = metadata.global_options.iter().collect();
        let page = page(&own, &[], &[]);
        metadata.effects = Some(effects(&[&tool], &[], &page, Some(&about)));
    }
    if metadata.effects.is_none() {
        let path = vec![tool];
        commands(&mut metadata.commands, &path, &metadata.global_options, &about);
    }
    options(&mut metadata.global_options);
}

/// Returns what adds estimates to one command of `tool` after the other, as they are made from pages: it gets the words
/// after the tool's name, the page, what the command is for, and the command.
pub fn filler(tool: &str) -> impl FnMut(&[&str], &Page, Option<&str>, &mut Command) {
    move |path, page, about, command| {
        if command.effects.is_none() && is_called(command) {
            let words: Vec<&str> = [tool].into_iter().chain(path.iter().copied()).collect();
            command.effects = Some(effects(&words, &command.aliases, page, about));
        }
        let read = page.options.iter().rev();
        let read: HashMap<&str, &FoundOption> = read
            .flat_map(|option| option.spellings.iter().map(move |flag| (flag.as_str(), option)))
            .collect();
        for option in &mut command.options {
            if let Some(read) = option.flags.iter().find_map(|flag| read.get(flag.as_str())) {
                mark(option, read);
            }
        }
    }
}

/// Returns what a command says of itself, as its help would: its own options, and those of what it stands in.
pub fn page(own: &[&Opt], inherited: &[&Opt], arguments: &[Argument]) -> Page {
    let own = own.iter().map(|option| found(option, false));
    let inherited = inherited.iter().map(|option| found(option, true));
    Page {
        options: own.chain(inherited).collect(),
        positionals: arguments.iter().map(positional).collect(),
        ..Page::default()
    }
}

fn commands(below: &mut Commands, path: &[String], globals: &[Opt], about: &str) {
    if path.len() > DEEPEST {
        return;
    }
    for (name, command) in below {
        let mut path = path.to_vec();
        if !name.is_empty() {
            path.push(name.clone());
        }
        // What is called by the empty name is what it stands in.
        let about = if command.description.is_empty() && name.is_empty() {
            about.to_owned()
        } else {
            command.description.clone()
        };
        if command.effects.is_none() && is_called(command) {
            let own: Vec<&Opt> = command.options.iter().collect();
            let inherited: Vec<&Opt> = globals.iter().collect();
            let page = page(&own, &inherited, &command.arguments);
            let words: Vec<&str> = path.iter().map(String::as_str).collect();
            command.effects = Some(effects(&words, &command.aliases, &page, Some(&about)));
        }
        options(&mut command.options);
        if command.effects.is_none() || is_called(command) {
            commands(&mut command.commands, &path, globals, &about);
        }
    }
}

/// Whether it is called without a subcommand. Effects would make any group such a one.
fn is_called(command: &Command) -> bool {
    command.commands.is_empty()
}

/// The estimate of a command. One of its names may say what the others keep to themselves: the worst counts.
fn effects(path: &[&str], aliases: &[String], page: &Page, about: Option<&str>) -> Effects {
    let mut worst = estimate(path, page, about);
    if let Some((_, above)) = path.split_last() {
        for alias in aliases.iter().take(MOST_ALIASES) {
            let words: Vec<&str> = above.iter().copied().chain([alias.as_str()]).collect();
            let other = estimate(&words, page, about);
            if other.class >= Class::Change && other.class > worst.class {
                worst = other;
            }
        }
    }
    let marks = worst.marks();
    let mut effects = worst.effects;
    effects.extra.insert(MARK.to_owned(), Value::Object(marks));
    effects
}

fn options(options: &mut [Opt]) {
    for option in options {
        let read = found(option, false);
        mark(option, &read);
    }
}

/// Adds to an option what `read` says about it.
fn mark(option: &mut Opt, read: &FoundOption) {
    if option.extra.contains_key("x-effects") {
        return;
    }
    let Some(estimate) = estimate_option(read, &option.name) else {
        return;
    };
    if let Some(effects) = estimate.x_effects() {
        option.extra.insert("x-effects".to_owned(), effects);
    }
    let known = option
        .extra
        .entry(MARK.to_owned())
        .or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(known) = known {
        known.extend(estimate.marks());
    }
}

/// Nothing was read from a text here.
const NOWHERE: Seen = Seen {
    origin: Origin::Help,
    line: 0,
    confidence: Confidence::Mentioned,
};

fn found(option: &Opt, global: bool) -> FoundOption {
    let value = FoundValue {
        name: String::new(),
        kind: option.kind,
        values: Vec::new(),
    };
    let takes = match option.kind {
        Kind::Boolean => Takes::Nothing,
        Kind::String
        | Kind::Integer
        | Kind::Number
        | Kind::File
        | Kind::Directory
        | Kind::Url
        | Kind::Enum
        | Kind::Array => Takes::Value(value),
    };
    FoundOption {
        spellings: option.flags.clone(),
        takes,
        repeats: option.variadic == Some(true),
        required: option.required == Some(true),
        default: None,
        variable: None,
        description: option.description.clone(),
        deprecated: false,
        global,
        seen: NOWHERE,
    }
}

fn positional(argument: &Argument) -> FoundPositional {
    FoundPositional {
        value: FoundValue {
            name: argument.name.clone(),
            kind: argument.kind,
            values: Vec::new(),
        },
        required: argument.is_required(),
        variadic: argument.variadic == Some(true),
        description: argument.description.clone(),
        seen: NOWHERE,
    }
}
