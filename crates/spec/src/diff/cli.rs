//! Two `CLI.md` files, old against new: what a host, a caller and a reviewer must know (AIP-29, Stable identity and
//! Security considerations; READINGS 33).
//!
//! A new program to start, a wider sandbox and another major version of the program ask for another major version of
//! the manifest.

use serde::Serialize;
use serde_json::{Value, json};

use super::change::{Advice, Changes, Difference};
use super::cli_sandbox;
use super::compare::{json_of, reworded, some};
use crate::cli_md::{Auth, CliMd, CommandLeaf, Output};

/// Returns what changed from `old` to `new`. If that asks for another major version and there is none, it is said, too.
pub fn diff_cli(old: &CliMd, new: &CliMd) -> Difference {
    let mut changes = Changes::default();
    let all = &mut changes;
    identity(all, old, new);
    install(all, old, new);
    version_check(all, old, new);
    auth(all, old.auth.as_ref(), new.auth.as_ref());
    setup(all, old, new);
    cli_sandbox::compare(all, &old.sandbox, &new.sandbox);
    runner(all, old, new);
    output(all, old.output.as_ref(), new.output.as_ref());
    commands(all, old, new);
    requires(all, old, new);
    let asks = changes.advice() == Advice::Major;
    if asks && old.id == new.id && old.version.major() == new.version.major() {
        changes.at("version", |all| {
            let what = "another major version is due";
            all.breaking(what, json_of(&old.version), json_of(&new.version));
        });
    }
    changes.finish()
}

fn identity(all: &mut Changes, old: &CliMd, new: &CliMd) {
    for (field, before, after, what) in [
        ("id", json!(old.id), json!(new.id), "it is another bundle"),
        ("bin", json!(old.bin), json!(new.bin), "it starts another program"),
        (
            "bin_args",
            json!(old.bin_args),
            json!(new.bin_args),
            "every call has other arguments in front",
        ),
    ] {
        if before != after {
            all.at(field, |all| all.breaking(what, some(&before), some(&after)));
        }
    }
    for (field, before, after) in [
        ("name", json!(old.name), json!(new.name)),
        ("description", json!(old.description), json!(new.description)),
        ("tags", json!(old.tags), json!(new.tags)),
        ("examples", json!(old.examples), json!(new.examples)),
        ("metadata", json!(old.metadata), json!(new.metadata)),
    ] {
        reworded(all, field, &before, &after);
    }
    if old.entry != new.entry {
        let (before, after) = (json_of(&old.entry), json_of(&new.entry));
        all.at("entry", |all| {
            let advice = if new.entry.is_some() {
                Advice::Major
            } else {
                Advice::Minor
            };
            all.effect(advice, "other code of the bundle is run", before, after);
        });
    }
    list(
        all,
        "intents",
        &old.intents,
        &new.intents,
        ["an intent is gone", "an intent is new"],
    );
}

/// Compares two lists whose entries are only there or not.
fn list<T: Serialize>(all: &mut Changes, field: &str, old: &[T], new: &[T], what: [&'static str; 2]) {
    let [gone, added] = what;
    let texts = |list: &[T]| -> Vec<Value> { list.iter().filter_map(json_of).collect() };
    let (before, after) = (texts(old), texts(new));
    all.at(field, |all| {
        for one in before.iter().filter(|one| !after.contains(one)) {
            all.breaking(gone, Some(one.clone()), None);
        }
        for one in after.iter().filter(|one| !before.contains(one)) {
            all.added(added, None, Some(one.clone()));
        }
    });
}

fn install(all: &mut Changes, old: &CliMd, new: &CliMd) {
    let methods = |cli: &CliMd| -> Vec<Value> { cli.install.iter().filter_map(json_of).collect() };
    let (before, after) = (methods(old), methods(new));
    let has_method = |list: &[Value], one: &Value| list.iter().any(|other| other["method"] == one["method"]);
    all.at("install", |all| {
        for one in before.iter().filter(|one| !after.contains(one)) {
            match has_method(&after, one) {
                true => all.reworded("it is installed from somewhere else", Some(one.clone()), None),
                false => all.breaking("a way to install it is gone", Some(one.clone()), None),
            }
        }
        for one in after.iter().filter(|one| !before.contains(one)) {
            all.added("there is another way to install it", None, Some(one.clone()));
        }
        let same = before.len() == after.len() && before.iter().all(|one| after.contains(one));
        if same && before != after {
            all.added("ways to install it are tried in another order", None, None);
        }
    });
}

fn version_check(all: &mut Changes, old: &CliMd, new: &CliMd) {
    let (old, new) = (&old.version_check, &new.version_check);
    all.at("version_check", |all| {
        for (field, before, after) in [
            ("cmd", json!(old.cmd), json!(new.cmd)),
            ("parse", json!(old.parse), json!(new.parse)),
            ("timeout_ms", json!(old.timeout_ms), json!(new.timeout_ms)),
        ] {
            reworded(all, field, &before, &after);
        }
        if old.range == new.range {
            return;
        }
        let (before, after) = (json_of(&old.range), json_of(&new.range));
        let added = !new.range.majors_beyond(&old.range).is_empty();
        let gone = !old.range.majors_beyond(&new.range).is_empty();
        all.at("range", |all| match (added, gone) {
            (true, _) => all.breaking("it takes another major version of the program", before, after),
            (false, true) => all.breaking("it no longer takes a major version of the program", before, after),
            (false, false) => all.added("it takes other versions of the program", before, after),
        });
    });
}

fn auth(all: &mut Changes, old: Option<&Auth>, new: Option<&Auth>) {
    if old == new {
        return;
    }
    let (before, after) = (old.and_then(json_of), new.and_then(json_of));
    all.at("auth", |all| match (old, new) {
        (None, _) => all.breaking("one must sign in now", before, after),
        (Some(_), None) => all.added("one need not sign in any more", before, after),
        (Some(old), Some(new)) => {
            let variables = new.state_env().iter();
            let added: Vec<Value> = variables
                .filter(|name| !old.state_env().contains(name))
                .filter_map(json_of)
                .collect();
            match added.is_empty() {
                true => all.added("one signs in otherwise", before, after),
                false => all.at("state", |all| {
                    all.effect(
                        Advice::Major,
                        "it gets more of what holds the login",
                        None,
                        Some(added.into()),
                    );
                }),
            }
        }
    });
}

fn setup(all: &mut Changes, old: &CliMd, new: &CliMd) {
    let find = |cli: &CliMd, id: &str| {
        cli.setup
            .iter()
            .find(|step| step.id().as_str() == id)
            .and_then(json_of)
    };
    all.at("setup", |all| {
        for (at, step) in new.setup.iter().enumerate() {
            let after = json_of(step);
            all.at(at, |all| match find(old, step.id()) {
                None => all.breaking("a new step must be done", None, after),
                Some(before) if Some(&before) != after.as_ref() => {
                    all.added("a step is done otherwise", Some(before), after);
                }
                Some(_) => {}
            });
        }
        for step in old.setup.iter().filter(|step| find(new, step.id()).is_none()) {
            all.added("a step is gone", json_of(step), None);
        }
    });
}

fn runner(all: &mut Changes, old: &CliMd, new: &CliMd) {
    if old.runner == new.runner {
        return;
    }
    let (before, after) = (json!(old.runner), json!(new.runner));
    all.at("runner", |all| match before["engine"] == after["engine"] {
        true => all.added(
            "the process has other limits or needs",
            some(&before),
            some(&after),
        ),
        false => all.effect(
            Advice::Major,
            "the process runs elsewhere",
            some(&before),
            some(&after),
        ),
    });
}

fn output(all: &mut Changes, old: Option<&Output>, new: Option<&Output>) {
    let (before, after) = (json!(old), json!(new));
    all.at("output", |all| {
        for field in [
            "default_format",
            "json_flag",
            "json_flag_args",
            "stream",
            "error_stream",
        ] {
            let (before, after) = (&before[field], &after[field]);
            if before == after {
                continue;
            }
            all.at(field, |all| match before.is_null() {
                true => all.added("it says how it prints", None, some(after)),
                false => all.breaking("it prints otherwise", some(before), some(after)),
            });
        }
        let codes = |side: &Value| side["exit_codes"].as_object().cloned().unwrap_or_default();
        let (before, after) = (codes(&before), codes(&after));
        all.at("exit_codes", |all| {
            for (code, meaning) in &after {
                match before.get(code) {
                    None => all.at(code, |all| {
                        all.added("a code has a meaning", None, Some(meaning.clone()))
                    }),
                    Some(known) if known != meaning => all.at(code, |all| {
                        all.breaking(
                            "a code means something else",
                            Some(known.clone()),
                            Some(meaning.clone()),
                        );
                    }),
                    Some(_) => {}
                }
            }
            for (code, meaning) in before.iter().filter(|(code, _)| !after.contains_key(*code)) {
                all.at(code, |all| {
                    all.breaking("a code has no meaning any more", Some(meaning.clone()), None)
                });
            }
        });
    });
}

fn commands(all: &mut Changes, old: &CliMd, new: &CliMd) {
    let (before, after) = (old.commands.leaves(), new.commands.leaves());
    let find = |leaves: &[CommandLeaf<'_>], words: &[&str]| {
        let mut leaves = leaves.iter();
        leaves
            .find(|leaf| leaf.words == words)
            .and_then(|leaf| json_of(leaf.tool))
    };
    all.at("commands", |all| {
        for leaf in &before {
            all.at(leaf.words.join(" "), |all| match find(&after, &leaf.words) {
                None => all.breaking("the command is gone", json_of(leaf.tool), None),
                now if now != json_of(leaf.tool) => {
                    all.added("it is described in another file", json_of(leaf.tool), now);
                }
                Some(_) => {}
            });
        }
        for leaf in after.iter().filter(|leaf| find(&before, &leaf.words).is_none()) {
            all.at(leaf.words.join(" "), |all| {
                all.added("the command is new", None, json_of(leaf.tool))
            });
        }
    });
}

fn requires(all: &mut Changes, old: &CliMd, new: &CliMd) {
    let (before, after) = (json!(old.requires), json!(new.requires));
    all.at("requires", |all| {
        for field in ["os", "arch", "min_disk_mb", "min_memory_mb"] {
            let (before, after) = (&before[field], &after[field]);
            if before == after {
                continue;
            }
            let has_all = |more: &Value, less: &Value| {
                let (more, less) = (more.as_array(), less.as_array());
                more.zip(less)
                    .is_some_and(|(more, less)| less.iter().all(|one| more.contains(one)))
            };
            let is_wider = after.is_null()
                || has_all(after, before)
                || after
                    .as_u64()
                    .zip(before.as_u64())
                    .is_some_and(|(new, old)| new < old);
            all.at(field, |all| match is_wider {
                true => all.added("it runs on more machines", some(before), some(after)),
                false => all.breaking("it runs on fewer machines", some(before), some(after)),
            });
        }
    });
}
