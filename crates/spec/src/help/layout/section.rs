//! Headings, and what stands below them.

use crate::help::text::{Line, Mark};

/// What a section lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Topic {
    /// How the command is called.
    Usage,
    /// Options.
    Options,
    /// Options of every command.
    GlobalOptions,
    /// Commands.
    Commands,
    /// Words without a flag.
    Arguments,
    /// Whole command lines.
    Examples,
    /// Other names of the command.
    Aliases,
    /// Things that are listed and are neither options nor commands: variables, topics of the manual, exit codes.
    Others,
    /// Unknown.
    Open,
}

const MAX_TITLE: usize = 100;

/// Returns the title of a line that may be a heading. `next` is the line below it.
pub(crate) fn title<'t>(line: &Line<'t>, next: Option<&Line<'t>>, is_after_blank: bool) -> Option<&'t str> {
    let text = line.text;
    if line.mark == Mark::Title {
        return Some(text.trim_matches(':')).filter(|title| !title.is_empty());
    }
    if text.len() > MAX_TITLE || text.starts_with(['-', '$', '[', '{', '|']) || line.behind_gap.is_some() {
        return None;
    }
    let text = text.trim_matches(['#', '*', '=', ' ']);
    let text = text
        .strip_prefix('<')
        .and_then(|rest| rest.strip_suffix('>'))
        .unwrap_or(text);
    if let Some(title) = text.strip_suffix(':') {
        let is_name = title.chars().any(char::is_alphabetic) && !title.contains("://");
        return is_name.then_some(title);
    }
    if text.ends_with(['.', ',', ';', '!', '?']) {
        return None;
    }
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    if letters > 2
        && text.len() <= 60
        && !text.chars().any(char::is_lowercase)
        && !text.contains(['[', '<', '='])
    {
        return Some(text);
    }
    let words = text.split(' ').count();
    let is_short = words <= 4 || (words <= 12 && text.contains('('));
    let is_deeper = next.is_some_and(|next| next.indent > line.indent);
    let leads = || is_deeper && next.is_some_and(|next| next.text.starts_with('-'));
    let names_list = || (is_after_blank || is_deeper) && topic(text) != Topic::Open;
    let is_capital = || text.starts_with(char::is_uppercase);
    let is_title =
        is_short && (is_capital() && (leads() || names_list()) || is_after_blank && opens_list(line, next));
    is_title.then_some(text)
}

/// Whether the next line is an entry of a list: deeper, and in two columns.
fn opens_list(line: &Line<'_>, next: Option<&Line<'_>>) -> bool {
    next.is_some_and(|next| {
        next.indent > line.indent && !next.text.starts_with('-') && next.behind_gap.is_some()
    })
}

/// Returns what a title announces.
pub(crate) fn topic(title: &str) -> Topic {
    let lower = title.to_ascii_lowercase();
    let main = lower.split('(').next().unwrap_or_default();
    let words: Vec<&str> = main
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(word));
    let starts = |wanted: &[&str]| words.first().is_some_and(|word| wanted.contains(word));
    let ends = |wanted: &[&str]| words.last().is_some_and(|word| wanted.contains(word));
    if has(&["example", "examples", "eg"]) {
        return Topic::Examples;
    }
    if starts(&["usage"]) && words.get(1) == Some(&"of") {
        return Topic::Options;
    }
    let is_use = words.as_slice() == ["use"];
    if words.len() <= 3
        && (is_use || starts(&["usage", "synopsis", "syntax"]) || ends(&["usage", "synopsis"]))
    {
        return Topic::Usage;
    }
    if words.len() <= 2 && has(&["alias", "aliases"]) {
        return Topic::Aliases;
    }
    if has(&[
        "environment",
        "topics",
        "topic",
        "variables",
        "files",
        "exit",
        "see",
        "notes",
        "bugs",
        "author",
        "authors",
        "guides",
    ]) && words.as_slice() != ["topics"]
        && !has(&["options", "flags"])
    {
        return Topic::Others;
    }
    let options = has(&["option", "options", "flag", "flags", "switch", "switches"]);
    let commands = has(&[
        "command",
        "commands",
        "subcommand",
        "subcommands",
        "applets",
        "functions",
        "subgroups",
        "verbs",
        "groups",
        "actions",
    ]);
    let arguments = has(&[
        "argument",
        "arguments",
        "args",
        "operands",
        "parameters",
        "positionals",
        "positional",
    ]);
    let is_sentence = words.len() > 9;
    if options && !(commands && ends(&["commands", "subcommands"])) {
        return if has(&["global", "inherited", "common", "universal"]) && !is_sentence {
            Topic::GlobalOptions
        } else {
            Topic::Options
        };
    }
    if is_sentence {
        return Topic::Open;
    }
    if commands {
        return Topic::Commands;
    }
    if arguments {
        return if has(&["optional"]) {
            Topic::Options
        } else {
            Topic::Arguments
        };
    }
    Topic::Open
}
