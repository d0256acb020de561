//! Commands, old against new: by name, or by the name that still leads there.

use serde_json::json;

use super::change::Changes;
use super::compare::{authentication, json_of, reworded};
use super::{effects, parameters};
use crate::atip::{Command, Commands};

/// Compares all commands of one level.
pub(super) fn compare(all: &mut Changes, old: &Commands, new: &Commands) {
    all.at("commands", |all| {
        for (name, before) in old {
            let aliased = || new.iter().find(|(_, after)| after.aliases.contains(name));
            match new.get_key_value(name).or_else(aliased) {
                Some((now, after)) => all.at(now, |all| {
                    if now != name {
                        all.added(
                            "it has another name; the old one still leads to it",
                            Some(json!(name)),
                            Some(json!(now)),
                        );
                    }
                    command(all, name, before, after);
                }),
                None => all.at(name, |all| {
                    all.breaking("the command is gone", json_of(&before.description), None)
                }),
            }
        }
        for (name, after) in new {
            let was_there =
                old.contains_key(name) || after.aliases.iter().any(|alias| old.contains_key(alias));
            if !was_there {
                all.at(name, |all| {
                    all.added("the command is new", None, json_of(&after.description))
                });
            }
        }
    });
}

fn command(all: &mut Changes, name: &str, old: &Command, new: &Command) {
    reworded(
        all,
        "description",
        &json!(old.description),
        &json!(new.description),
    );
    reworded(all, "examples", &json!(old.examples), &json!(new.examples));
    aliases(all, name, old, new);
    for (field, before, after, what) in [
        (
            "deprecated",
            old.deprecated,
            new.deprecated,
            "it is on its way out",
        ),
        ("hidden", old.hidden, new.hidden, "lists leave it out"),
    ] {
        let (before, after) = (before.unwrap_or(false), after.unwrap_or(false));
        match (before, after) {
            (false, true) => all.at(field, |all| {
                all.added(what, Some(json!(before)), Some(json!(after)))
            }),
            (true, false) => {
                all.at(field, |all| {
                    all.reworded("no longer so", Some(json!(before)), Some(json!(after)))
                });
            }
            (true, true) | (false, false) => {}
        }
    }
    authentication(all, old.authentication.as_ref(), new.authentication.as_ref());
    effects::compare(all, old.effects.as_ref(), new.effects.as_ref());
    parameters::arguments(all, &old.arguments, &new.arguments);
    parameters::options(all, "options", &old.options, &new.options);
    compare(all, &old.commands, &new.commands);
}

fn aliases(all: &mut Changes, name: &str, old: &Command, new: &Command) {
    let gone: Vec<&String> = old
        .aliases
        .iter()
        .filter(|alias| !new.aliases.contains(alias))
        .collect();
    let added: Vec<&String> = new
        .aliases
        .iter()
        .filter(|alias| !old.aliases.contains(alias) && *alias != name)
        .collect();
    all.at("aliases", |all| {
        if !gone.is_empty() {
            all.breaking("another name is gone", json_of(&gone), None);
        }
        if !added.is_empty() {
            all.added("it has another name", None, json_of(&added));
        }
    });
}
