//! `help` and `help <command>` (§6.2).

use serde_json::{Map, Value};

use super::notice::{announce, mark_entry};
use super::page::{mark, page};
use super::view::View;
use crate::envelope::Answer;
use crate::error::Error;
use crate::model::path_text;
use crate::model::{Arg, Command, Kind, Repeat, Scope};
use crate::text::{is_invisible, line, visible};

/// How much of a definition's text is shown.
const LISTED_DESCRIPTION: usize = 100;
const ARGUMENT_DESCRIPTION: usize = 300;
const DESCRIPTION: usize = 2_000;
const EXAMPLES: usize = 5;
const EXAMPLE: usize = 200;
const NOTES: usize = 12;
const CHOICES: usize = 50;
const ALIASES: usize = 8;
const NAME: usize = 64;

/// Answers `help` about `path`; an empty path is the whole command line.
pub(crate) fn help(view: View<'_>, path: &[&Command], number: u64) -> Result<Answer, Error> {
    let here = path.last().copied().unwrap_or(&view.cli.root);
    let listed = page(commands(view, path, here).chain(arguments(path)), number)?;
    let mut out = Map::new();
    if !path.is_empty() {
        out.insert("command".into(), path_text(path).into());
    }
    announce(&mut out, path, &listed.items);
    let (commands, arguments): (Vec<Value>, Vec<Value>) = listed
        .items
        .into_iter()
        .partition(|item| item.get("type").is_none());
    let is_group = here.listed().next().is_some();

    out.insert("description".into(), line(&here.description, DESCRIPTION).into());
    if let Some(instead) = &here.deprecated {
        out.insert("deprecated".into(), deprecated(instead));
    }
    if is_group || path.is_empty() {
        out.insert("commands".into(), commands.into());
    }
    if !path.is_empty() && (!is_group || !arguments.is_empty()) {
        out.insert("arguments".into(), arguments.into());
    }
    if let Some(usage) = usage(path, here, is_group) {
        out.insert("usage".into(), usage.into());
    }
    let examples: Vec<Value> = here
        .inside()
        .examples
        .iter()
        .filter(|text| view.offers_example(text))
        .take(EXAMPLES)
        .map(|text| visible(text, EXAMPLE).into())
        .collect();
    if !examples.is_empty() || path.is_empty() {
        out.insert("examples".into(), examples.into());
    }
    let inside = here.inside();
    for (key, texts, longest) in [
        ("notes", &inside.notes, ARGUMENT_DESCRIPTION),
        ("tags", &inside.tags, NAME),
    ] {
        let shown: Vec<Value> = texts
            .iter()
            .take(NOTES)
            .map(|text| line(text, longest).into())
            .collect();
        if !shown.is_empty() {
            out.insert(key.into(), shown.into());
        }
    }
    mark(&mut out, number, listed.more, "help", &path_text(path));
    Ok(Answer::new(Value::Object(out)))
}

/// The subcommands that this command line lets anybody see.
pub(super) fn visible_children<'c>(
    view: View<'c>,
    path: &[&'c Command],
    here: &'c Command,
) -> impl Iterator<Item = &'c Command> {
    // One path for all children: `version` and the tool's definition walk hundreds of them.
    let mut below = path.to_vec();
    here.listed().filter(move |child| {
        below.push(child);
        let is_shown = view.shows(&below);
        below.pop();
        is_shown
    })
}

fn commands<'c>(view: View<'c>, path: &'c [&'c Command], here: &'c Command) -> impl Iterator<Item = Value> {
    visible_children(view, path, here).map(move |child| {
        let mut entry = Map::new();
        entry.insert("name".into(), child.name().into());
        entry.insert(
            "description".into(),
            line(&child.description, LISTED_DESCRIPTION).into(),
        );
        if child.deprecated.is_some() {
            entry.insert("deprecated".into(), true.into());
        }
        mark_entry(&mut entry, child.wording, path);
        Value::Object(entry)
    })
}

fn arguments<'c>(path: &'c [&'c Command]) -> impl Iterator<Item = Value> {
    reachable(path).map(move |arg| describe(arg, path))
}

/// The arguments that may stand after `path`: its own, then what reaches down from above.
pub(super) fn reachable<'c>(path: &[&'c Command]) -> impl Iterator<Item = &'c Arg> {
    let (own, above) = path
        .split_last()
        .map_or((None, [].as_slice()), |(own, above)| (Some(*own), above));
    let own = own.into_iter().flat_map(Command::args);
    let inherited = above
        .iter()
        .rev()
        .flat_map(|command| command.args())
        .filter(|arg| !arg.is_positional() && arg.scope == Scope::Below);
    own.chain(inherited.collect::<Vec<_>>()).filter(|arg| !arg.hidden)
}

/// What is to be used instead; where nobody says, only that it is deprecated.
fn deprecated(instead: &str) -> Value {
    match line(instead, ARGUMENT_DESCRIPTION) {
        text if text.is_empty() => true.into(),
        text => text.into(),
    }
}

/// One argument, in the draft's order of fields.
fn describe(arg: &Arg, path: &[&Command]) -> Value {
    let mut out = Map::new();
    out.insert("name".into(), visible(arg.shown(), NAME).into());
    if arg.spellings.len() > 1 {
        let aliases = arg
            .spellings
            .iter()
            .skip(1)
            .take(ALIASES)
            .map(|name| visible(name, NAME));
        out.insert("aliases".into(), aliases.collect());
    }
    let told = arg.told_as.as_ref().unwrap_or(&arg.kind);
    out.insert("type".into(), told.name().into());
    if let (Kind::Array(_), Some(_)) = (told, &arg.told_as) {
        out.insert("separator".into(), ",".into());
    }
    if let Kind::Enum(values) = &arg.kind {
        out.insert(
            "values".into(),
            values
                .iter()
                .take(CHOICES)
                .map(|value| line(value, NAME))
                .collect(),
        );
    }
    if let Some(pattern) = pattern(arg) {
        out.insert("pattern".into(), pattern.into());
    }
    if arg.required {
        out.insert("required".into(), true.into());
    }
    if arg.repeat == Repeat::Many && !matches!(arg.kind, Kind::Array(_)) {
        out.insert("repeatable".into(), true.into());
    }
    if let Some(default) = default(arg) {
        out.insert("default".into(), default.clone());
    }
    out.insert(
        "description".into(),
        line(&arg.description, ARGUMENT_DESCRIPTION).into(),
    );
    if let Some(env) = &arg.env {
        out.insert("env".into(), line(env, EXAMPLE).into());
    }
    if let Some(instead) = &arg.deprecated {
        out.insert("deprecated".into(), deprecated(instead));
    }
    if !arg.examples.is_empty() {
        let examples = arg
            .examples
            .iter()
            .take(EXAMPLES)
            .map(|example| visible(example, EXAMPLE));
        out.insert("examples".into(), examples.collect());
    }
    mark_entry(&mut out, arg.wording, path);
    Value::Object(out)
}

/// What values have to match. Cut it would be another expression, and so would one that cannot be seen whole.
pub(super) fn pattern(arg: &Arg) -> Option<&str> {
    let is_shown = |pattern: &&str| pattern.len() <= ARGUMENT_DESCRIPTION && !pattern.contains(is_invisible);
    arg.pattern.as_deref().filter(is_shown)
}

/// The default, unless it is too large to be worth showing.
pub(super) fn default(arg: &Arg) -> Option<&Value> {
    let small = |value: &&Value| value.to_string().len() <= ARGUMENT_DESCRIPTION;
    arg.default.as_ref().filter(small)
}

/// The shape of the command line, where the list of arguments does not tell it already.
fn usage(path: &[&Command], here: &Command, is_group: bool) -> Option<String> {
    if path.is_empty() {
        return Some("<command> [subcommand] [options]".to_owned());
    }
    let mut out = path_text(path);
    if is_group {
        out.push_str(" <subcommand>");
    }
    for arg in here.positionals().filter(|arg| !arg.hidden) {
        let dots = if arg.repeat == Repeat::Many { "..." } else { "" };
        let (open, close) = if arg.required { ('<', '>') } else { ('[', ']') };
        out.push_str(&format!(" {open}{}{close}{dots}", arg.name()));
    }
    if reachable(path).any(|arg| !arg.is_positional()) {
        out.push_str(" [options]");
    }
    (is_group || here.positionals().next().is_some()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_deprecated_says_so_where_nobody_names_another() {
        assert_eq!(deprecated(""), true);
        assert_eq!(deprecated("use 'list'"), "use 'list'");
    }
}
