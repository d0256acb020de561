//! The root of the metadata, old against new.

use serde::Serialize;
use serde_json::{Value, json};

use super::change::{Changes, Difference};
use super::{commands, effects, parameters};
use crate::atip::{Authentication, Metadata};

/// Returns what changed from `old` to `new`. The tool's version is not looked at: that is what this gives advice on.
pub fn diff(old: &Metadata, new: &Metadata) -> Difference {
    let mut changes = Changes::default();
    let all = &mut changes;
    if old.name != new.name {
        all.at("name", |all| {
            all.breaking(
                "the tool is called otherwise",
                Some(json!(old.name)),
                Some(json!(new.name)),
            );
        });
    }
    for (field, old, new) in [
        ("title", json!(old.title), json!(new.title)),
        ("description", json!(old.description), json!(new.description)),
        ("homepage", json!(old.homepage), json!(new.homepage)),
        ("license", json!(old.license), json!(new.license)),
        ("patterns", json!(old.patterns), json!(new.patterns)),
    ] {
        reworded(all, field, &old, &new);
    }
    authentication(all, old.authentication.as_ref(), new.authentication.as_ref());
    effects::compare(all, old.effects.as_ref(), new.effects.as_ref());
    parameters::options(all, "globalOptions", &old.global_options, &new.global_options);
    commands::compare(all, &old.commands, &new.commands);
    changes.finish()
}

/// Notes other words.
pub(super) fn reworded(all: &mut Changes, field: &str, old: &Value, new: &Value) {
    if old != new {
        all.at(field, |all| {
            all.reworded("it is worded otherwise", some(old), some(new))
        });
    }
}

/// What is there, or nothing.
pub(super) fn some(value: &Value) -> Option<Value> {
    (!value.is_null()).then(|| value.clone())
}

/// The JSON of a value.
pub(super) fn json_of(value: &impl Serialize) -> Option<Value> {
    serde_json::to_value(value).ok()
}

/// Who must sign in, and how.
pub(super) fn authentication(all: &mut Changes, old: Option<&Authentication>, new: Option<&Authentication>) {
    if old == new {
        return;
    }
    let required = |side: Option<&Authentication>| side.and_then(|side| side.required).unwrap_or(false);
    let kinds = |side: Option<&Authentication>| -> Vec<String> {
        let methods = side.into_iter().flat_map(|side| &side.methods);
        methods.map(|method| method.kind.clone()).collect()
    };
    let (before, after) = (kinds(old), kinds(new));
    let (shown_old, shown_new) = (old.and_then(json_of), new.and_then(json_of));
    all.at("authentication", |all| match (required(old), required(new)) {
        (false, true) => all.breaking("one must sign in now", shown_old, shown_new),
        (true, false) => all.added("one need not sign in any more", shown_old, shown_new),
        _ if before.iter().any(|kind| !after.contains(kind)) && required(new) => {
            all.breaking("a way to sign in is gone", shown_old, shown_new);
        }
        _ => all.reworded("signing in is described otherwise", shown_old, shown_new),
    });
}
