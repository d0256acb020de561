//! Commands of several pages: the same is what has the same name, or a name that a surer page calls another one for it.

use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;

use crate::help::page::FoundCommand;

/// How many commands are kept.
const COMMANDS: usize = 5_000;

/// Merges commands, the surest first.
pub(super) fn merge(mut commands: Vec<FoundCommand>) -> Vec<FoundCommand> {
    commands.sort_by(surest_first);
    let mut merged: Vec<FoundCommand> = Vec::new();
    let mut homes: HashMap<String, usize> = HashMap::new();
    for mut command in commands {
        let home = homes.get(&command.name).copied();
        if home.is_none() && merged.len() >= COMMANDS {
            continue;
        }
        let index = home.unwrap_or(merged.len());
        if home.is_none() {
            homes.insert(command.name.clone(), index);
        }
        command.aliases.retain(|alias| match homes.get(alias) {
            Some(_) => false,
            None => {
                homes.insert(alias.clone(), index);
                true
            }
        });
        match merged.get_mut(index) {
            Some(known) => fill(known, command),
            None => merged.push(command),
        }
    }
    merged.sort_by(|one, other| {
        let key = |command: &FoundCommand| (Reverse(command.seen.origin), command.seen.line);
        key(one).cmp(&key(other)).then_with(|| one.name.cmp(&other.name))
    });
    merged
}

fn surest_first(one: &FoundCommand, other: &FoundCommand) -> Ordering {
    let seen = |command: &FoundCommand| {
        (
            Reverse(command.seen.confidence),
            Reverse(command.seen.origin),
            command.seen.line,
        )
    };
    seen(one)
        .cmp(&seen(other))
        .then_with(|| one.name.cmp(&other.name))
        .then_with(|| format!("{one:?}").cmp(&format!("{other:?}")))
}

fn fill(known: &mut FoundCommand, other: FoundCommand) {
    // A text about another name is a text about the same thing.
    if known.description.is_empty() {
        known.description = other.description;
    }
    known.group = known.group.take().or(other.group);
    known.aliases.extend(other.aliases);
    known.deprecated |= other.deprecated;
}
