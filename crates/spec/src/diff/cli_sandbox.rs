//! Two sandboxes, old against new: every entry that is more than before asks for another look.

use argrail_sandbox::policy::{Exec, Policy};
use serde_json::{Value, json};

use super::change::{Advice, Changes};
use super::compare::{json_of, some};
use crate::manifest::Composable;
use crate::sandbox_block::{SandboxBlock, sketch};

/// Compares the blocks, if both are written in the manifest itself.
pub(super) fn compare(all: &mut Changes, old: &Composable<SandboxBlock>, new: &Composable<SandboxBlock>) {
    if old == new {
        return;
    }
    let policy = |block: &Composable<SandboxBlock>| match block {
        Composable::Inline(block) => sketch().and_then(|anchors| block.policy(&anchors)).ok(),
        Composable::File(_) | Composable::Named(_) => None,
    };
    all.at("sandbox", |all| match (policy(old), policy(new)) {
        (Some(old), Some(new)) => policies(all, &old, &new),
        // What cannot be seen from here may be anything.
        (Some(_) | None, _) => all.effect(
            Advice::Major,
            "the sandbox is written elsewhere",
            json_of(old),
            json_of(new),
        ),
    });
}

fn policies(all: &mut Changes, old: &Policy, new: &Policy) {
    all.at("network", |all| {
        all.at("egress", |all| {
            entries(
                all,
                &old.egress,
                &new.egress,
                |one, by| one.is_within(by),
                |one| one.as_str().into(),
            );
        });
        all.at("ingress", |all| {
            entries(
                all,
                &old.ingress,
                &new.ingress,
                |one, by| one == by,
                |one| one.as_str().into(),
            );
        });
    });
    all.at("fs", |all| {
        all.at("read", |all| {
            entries(
                all,
                &old.read,
                &new.read,
                |one, by| one.is_within(by),
                |one| one.text().into(),
            );
        });
        all.at("write", |all| {
            entries(
                all,
                &old.write,
                &new.write,
                |one, by| one.is_within(by),
                |one| one.text().into(),
            );
        });
        all.at("deny", |all| {
            let text = |one: &argrail_sandbox::policy::PathPattern| Value::from(one.text());
            for one in old
                .deny
                .iter()
                .filter(|one| !new.deny.iter().any(|by| one.is_within(by)))
            {
                wider(all, "it is no longer denied", Some(text(one)), None);
            }
            for one in new
                .deny
                .iter()
                .filter(|one| !old.deny.iter().any(|by| one.is_within(by)))
            {
                narrower(all, "it is denied now", None, Some(text(one)));
            }
        });
    });
    all.at("exec", |all| exec(all, &old.exec, &new.exec));
    all.at("env", |all| {
        all.at("pass", |all| {
            entries(
                all,
                &old.env_pass,
                &new.env_pass,
                |one, by| one == by,
                |one| one.as_str().into(),
            );
        });
        let set = |policy: &Policy| -> Value {
            let set = policy.env_set.iter();
            set.map(|(name, value)| (name.as_str().to_owned(), Value::from(value.as_str())))
                .collect::<serde_json::Map<String, Value>>()
                .into()
        };
        let (before, after) = (set(old), set(new));
        if before != after {
            all.at("set", |all| {
                narrower(all, "variables are set otherwise", some(&before), some(&after))
            });
        }
    });
    if old.tty != new.tty {
        all.at("tty", |all| match new.tty {
            true => wider(all, "it gets a terminal", Some(json!(false)), Some(json!(true))),
            false => narrower(all, "it gets no terminal", Some(json!(true)), Some(json!(false))),
        });
    }
}

/// Tells about entries that nothing in the other list covers.
fn entries<T>(
    all: &mut Changes,
    old: &[T],
    new: &[T],
    is_within: impl Fn(&T, &T) -> bool,
    shown: impl Fn(&T) -> Value,
) {
    for one in new.iter().filter(|one| !old.iter().any(|by| is_within(one, by))) {
        wider(all, "it may touch more", None, Some(shown(one)));
    }
    for one in old.iter().filter(|one| !new.iter().any(|by| is_within(one, by))) {
        narrower(all, "it may touch less", Some(shown(one)), None);
    }
}

fn exec(all: &mut Changes, old: &Exec, new: &Exec) {
    let names = |exec: &Exec| match exec {
        Exec::None => Vec::new(),
        Exec::List(programs) => programs
            .iter()
            .map(|program| program.as_str().to_owned())
            .collect(),
        Exec::Any => vec!["any program".to_owned()],
    };
    match (old, new) {
        (Exec::None, Exec::List(_) | Exec::Any) => all.at("allow", |all| {
            wider(
                all,
                "it may start programs",
                Some(json!(false)),
                Some(json!(true)),
            );
        }),
        (Exec::List(_) | Exec::Any, Exec::None) => all.at("allow", |all| {
            narrower(
                all,
                "it may start no programs",
                Some(json!(true)),
                Some(json!(false)),
            );
        }),
        (Exec::None, Exec::None) | (Exec::List(_) | Exec::Any, Exec::List(_) | Exec::Any) => {}
    }
    let (before, after) = (names(old), names(new));
    all.at("spawn", |all| {
        for one in after.iter().filter(|one| !before.contains(one)) {
            wider(all, "it may start another program", None, Some(json!(one)));
        }
        for one in before.iter().filter(|one| !after.contains(one)) {
            narrower(all, "it may no longer start a program", Some(json!(one)), None);
        }
    });
}

fn wider(all: &mut Changes, what: &'static str, old: Option<Value>, new: Option<Value>) {
    all.effect(Advice::Major, what, old, new);
}

fn narrower(all: &mut Changes, what: &'static str, old: Option<Value>, new: Option<Value>) {
    all.effect(Advice::Minor, what, old, new);
}
