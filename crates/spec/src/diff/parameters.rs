//! Options and arguments, old against new: options by name, arguments by place.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use serde_json::{Value, json};

use super::change::Changes;
use super::compare::{json_of, reworded, some};
use crate::atip::{Argument, Kind, Opt};

/// Compares the options of one command.
pub(super) fn options(all: &mut Changes, field: &str, old: &[Opt], new: &[Opt]) {
    let by_name: HashMap<&str, (usize, &Opt)> = new
        .iter()
        .enumerate()
        .map(|(at, option)| (option.name.as_str(), (at, option)))
        .collect();
    let before: HashMap<&str, &Opt> = old.iter().map(|option| (option.name.as_str(), option)).collect();
    all.at(field, |all| {
        for (at, option) in old.iter().enumerate() {
            match by_name.get(option.name.as_str()) {
                Some((at, after)) => all.at(at, |all| compare_option(all, option, after)),
                None => all.at(at, |all| {
                    all.breaking("the option is gone", json_of(option), None)
                }),
            }
        }
        for (at, option) in new.iter().enumerate() {
            if before.contains_key(option.name.as_str()) {
                continue;
            }
            all.at(at, |all| {
                if option.is_required() {
                    all.breaking("a new option must be given", None, json_of(option));
                } else {
                    all.added("the option is new", None, json_of(option));
                }
            });
        }
    });
}

fn compare_option(all: &mut Changes, old: &Opt, new: &Opt) {
    let gone = missing(&old.flags, &new.flags);
    let added = missing(&new.flags, &old.flags);
    all.at("flags", |all| {
        if !gone.is_empty() {
            all.breaking("a flag is gone", json_of(&gone), None);
        }
        if !added.is_empty() {
            all.added("it has another flag", None, json_of(&added));
        }
    });
    let excluded = missing(&new.exclusive, &old.exclusive);
    let allowed = missing(&old.exclusive, &new.exclusive);
    all.at("exclusive", |all| {
        if !excluded.is_empty() {
            all.breaking("it cannot stand beside others any more", None, json_of(&excluded));
        }
        if !allowed.is_empty() {
            all.added("it can stand beside others now", json_of(&allowed), None);
        }
    });
    match (&old.env_var, &new.env_var) {
        (before, after) if before == after => {}
        (None, after) => all.at("envVar", |all| {
            all.added("a variable gives it, too", None, json_of(after))
        }),
        (before, after) => all.at("envVar", |all| {
            all.breaking(
                "the variable that gives it is another",
                json_of(before),
                some(&json!(after)),
            );
        }),
    }
    compare_both(all, &Both::of_option(old), &Both::of_option(new));
}

/// Compares the arguments of one command. They are told by their place.
pub(super) fn arguments(all: &mut Changes, old: &[Argument], new: &[Argument]) {
    all.at("arguments", |all| {
        for (at, before) in old.iter().enumerate() {
            match new.get(at) {
                Some(after) => all.at(at, |all| compare_argument(all, before, after, new)),
                None => all.at(at, |all| {
                    all.breaking("the argument is gone", json_of(before), None)
                }),
            }
        }
        let after_list = old.last().is_some_and(|last| last.variadic == Some(true));
        for (at, argument) in new.iter().enumerate().skip(old.len()) {
            all.at(at, |all| match (argument.is_required(), after_list) {
                (true, _) => all.breaking("a new argument must be given", None, json_of(argument)),
                (false, true) => {
                    all.breaking("a new argument takes words from a list", None, json_of(argument))
                }
                (false, false) => all.added("the argument is new", None, json_of(argument)),
            });
        }
    });
}

fn compare_argument(all: &mut Changes, old: &Argument, new: &Argument, others: &[Argument]) {
    if old.name != new.name {
        let moved = others.iter().any(|argument| argument.name == old.name);
        let (before, after) = (Some(json!(old.name)), Some(json!(new.name)));
        all.at("name", |all| {
            if moved {
                all.breaking("the arguments stand in another order", before, after);
            } else {
                all.added("the argument is called otherwise", before, after);
            }
        });
    }
    compare_both(all, &Both::of_argument(old), &Both::of_argument(new));
}

/// What options and arguments have in common.
struct Both<'a> {
    kind: Kind,
    description: &'a str,
    required: bool,
    default: &'a Option<Value>,
    variadic: bool,
    values: &'a Option<Vec<Value>>,
    pattern: &'a Option<String>,
    schema: &'a Option<Value>,
}

impl<'a> Both<'a> {
    fn of_option(option: &'a Opt) -> Self {
        Self {
            kind: option.kind,
            description: &option.description,
            required: option.is_required(),
            default: &option.default,
            variadic: option.variadic == Some(true),
            values: &option.values,
            pattern: &option.pattern,
            schema: &option.schema,
        }
    }

    fn of_argument(argument: &'a Argument) -> Self {
        Self {
            kind: argument.kind,
            description: &argument.description,
            required: argument.is_required(),
            default: &argument.default,
            variadic: argument.variadic == Some(true),
            values: &argument.values,
            pattern: &argument.pattern,
            schema: &argument.schema,
        }
    }
}

fn compare_both(all: &mut Changes, old: &Both<'_>, new: &Both<'_>) {
    reworded(
        all,
        "description",
        &json!(old.description),
        &json!(new.description),
    );
    if old.kind != new.kind {
        let (before, after) = (Some(json!(old.kind)), Some(json!(new.kind)));
        all.at("type", |all| {
            if takes_all_of(new.kind, old.kind) {
                all.added("it takes more than before", before, after);
            } else {
                all.breaking("it takes something else", before, after);
            }
        });
    }
    if old.required != new.required {
        let (before, after) = (Some(json!(old.required)), Some(json!(new.required)));
        all.at("required", |all| {
            if new.required {
                all.breaking("it must be given now", before, after);
            } else {
                all.added("it need not be given any more", before, after);
            }
        });
    }
    if old.variadic != new.variadic {
        let (before, after) = (Some(json!(old.variadic)), Some(json!(new.variadic)));
        all.at("variadic", |all| {
            if new.variadic {
                all.added("it takes several now", before, after);
            } else {
                all.breaking("it takes only one now", before, after);
            }
        });
    }
    match (old.default, new.default) {
        (before, after) if before == after => {}
        (None, after) => all.at("default", |all| {
            all.added("what holds without it is said", None, json_of(after))
        }),
        (before, after) => all.at("default", |all| {
            all.breaking(
                "without it, something else holds",
                json_of(before),
                some(&json!(after)),
            );
        }),
    }
    compare_values(all, old.values.as_deref(), new.values.as_deref());
    for (field, before, after) in [
        ("pattern", json!(old.pattern), json!(new.pattern)),
        ("schema", json!(old.schema), json!(new.schema)),
    ] {
        if before == after {
            continue;
        }
        all.at(field, |all| {
            if after.is_null() {
                all.added("it takes more than before", some(&before), None);
            } else {
                all.breaking("it may take less than before", some(&before), some(&after));
            }
        });
    }
}

fn compare_values(all: &mut Changes, old: Option<&[Value]>, new: Option<&[Value]>) {
    all.at("enum", |all| match (old, new) {
        (None, None) => {}
        (None, Some(new)) => all.breaking("it takes only these values now", None, Some(json!(new))),
        (Some(old), None) => all.added("it takes any value now", Some(json!(old)), None),
        (Some(old), Some(new)) => {
            let gone = missing(old, new);
            let added = missing(new, old);
            if !gone.is_empty() {
                all.breaking("a value is gone", Some(json!(gone)), None);
            }
            if !added.is_empty() {
                all.added("it takes another value", None, Some(json!(added)));
            }
        }
    });
}

/// Returns what stands in `these` and not in `those`. A stranger says how many there are, so none is looked for in
/// all of the others.
fn missing<'a, T: Hash + Eq>(these: &'a [T], those: &[T]) -> Vec<&'a T> {
    let those: HashSet<&T> = those.iter().collect();
    these.iter().filter(|one| !those.contains(one)).collect()
}

/// Whether whatever `old` took, `new` takes, too.
fn takes_all_of(new: Kind, old: Kind) -> bool {
    match (new, old) {
        (Kind::Number, Kind::Integer) => true,
        // What one may choose from is compared on its own.
        (Kind::String, Kind::Enum) => true,
        (Kind::String | Kind::Array, old) => old != Kind::Boolean,
        (
            Kind::Integer
            | Kind::Number
            | Kind::Boolean
            | Kind::File
            | Kind::Directory
            | Kind::Url
            | Kind::Enum,
            _,
        ) => false,
    }
}
