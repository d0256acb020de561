//! Claims about effects, old against new: what is worse for whoever allowed it, what is better, what is no longer said.
//!
//! Each question has an answer that does no harm. To go from it to the other is worse, and as weighty as a break: a
//! person may have allowed the command because of it. To stop answering is nearly as bad, for absent is unknown.

use serde_json::{Value, json};

use super::change::{Advice, Changes};
use super::compare::some;
use crate::atip::{Cost, Effects, Filesystem};

/// Compares the effects of one command, or of the tool.
pub(super) fn compare(all: &mut Changes, old: Option<&Effects>, new: Option<&Effects>) {
    let none = Effects::default();
    let (old, new) = (old.unwrap_or(&none), new.unwrap_or(&none));
    if old == new {
        return;
    }
    all.at("effects", |all| {
        for (field, before, after, harmless) in [
            ("network", old.network, new.network, false),
            ("subprocess", old.subprocess, new.subprocess, false),
            ("idempotent", old.idempotent, new.idempotent, true),
            ("reversible", old.reversible, new.reversible, true),
            ("destructive", old.destructive, new.destructive, false),
        ] {
            all.at(field, |all| truth(all, before, after, harmless));
        }
        for (field, before, after) in [
            ("creates", &old.creates, &new.creates),
            ("modifies", &old.modifies, &new.modifies),
            ("deletes", &old.deletes, &new.deletes),
        ] {
            all.at(field, |all| list(all, before.as_deref(), after.as_deref()));
        }
        files(all, old.filesystem.as_ref(), new.filesystem.as_ref());
        cost(all, old.cost.as_ref(), new.cost.as_ref());
        for (field, before, after) in [
            ("duration", json!(old.duration), json!(new.duration)),
            ("interactive", json!(old.interactive), json!(new.interactive)),
        ] {
            if before != after {
                all.at(field, |all| {
                    all.effect(
                        Advice::Patch,
                        "it is described otherwise",
                        some(&before),
                        some(&after),
                    );
                });
            }
        }
    });
}

const WORSE: &str = "it does more than was claimed";
const BETTER: &str = "it does less than was claimed";
const SILENT: &str = "nothing is claimed any more";
const SAID: &str = "it is claimed now";

fn truth(all: &mut Changes, old: Option<bool>, new: Option<bool>, harmless: bool) {
    let (before, after) = (old.map(Value::from), new.map(Value::from));
    match (old, new) {
        (old, new) if old == new => {}
        (_, None) => all.effect(Advice::Minor, SILENT, before, after),
        (None, Some(new)) if new == harmless => all.effect(Advice::Patch, SAID, before, after),
        // Unknown already had to be asked about.
        (None, Some(_)) => all.effect(Advice::Minor, SAID, before, after),
        (Some(_), Some(new)) if new == harmless => all.effect(Advice::Minor, BETTER, before, after),
        (Some(_), Some(_)) => all.effect(Advice::Major, WORSE, before, after),
    }
}

fn list(all: &mut Changes, old: Option<&[String]>, new: Option<&[String]>) {
    if old == new {
        return;
    }
    let (before, after) = (old.map(|list| json!(list)), new.map(|list| json!(list)));
    match (old, new) {
        (_, None) => all.effect(Advice::Minor, SILENT, before, after),
        (None, Some(_)) => all.effect(Advice::Minor, SAID, before, after),
        (Some(old), Some(new)) if new.iter().any(|kind| !old.contains(kind)) => {
            all.effect(Advice::Major, WORSE, before, after);
        }
        (Some(_), Some(_)) => all.effect(Advice::Minor, BETTER, before, after),
    }
}

fn files(all: &mut Changes, old: Option<&Filesystem>, new: Option<&Filesystem>) {
    let none = Filesystem::default();
    let (old, new) = (old.unwrap_or(&none), new.unwrap_or(&none));
    all.at("filesystem", |all| {
        for (field, before, after) in [
            ("read", old.read, new.read),
            ("write", old.write, new.write),
            ("delete", old.delete, new.delete),
        ] {
            all.at(field, |all| truth(all, before, after, false));
        }
        all.at("paths", |all| {
            list(all, old.paths.as_deref(), new.paths.as_deref())
        });
    });
}

fn cost(all: &mut Changes, old: Option<&Cost>, new: Option<&Cost>) {
    let none = Cost::default();
    let (old, new) = (old.unwrap_or(&none), new.unwrap_or(&none));
    all.at("cost", |all| {
        all.at("billable", |all| truth(all, old.billable, new.billable, false));
        all.at("estimate", |all| {
            let (before, after) = (old.estimate.as_deref(), new.estimate.as_deref());
            let shown = |word: Option<&str>| word.map(Value::from);
            match (before, after) {
                (before, after) if before.map(height) == after.map(height) => {}
                (before, None) => all.effect(Advice::Minor, SILENT, shown(before), None),
                (None, after) => all.effect(Advice::Minor, SAID, None, shown(after)),
                (Some(old), Some(new)) if height(new) > height(old) => {
                    all.effect(Advice::Major, WORSE, shown(before), shown(after));
                }
                (Some(_), Some(_)) => all.effect(Advice::Minor, BETTER, shown(before), shown(after)),
            }
        });
    });
}

/// How high a cost is. A word that no draft knows counts as high.
fn height(estimate: &str) -> u8 {
    match estimate {
        "none" | "free" => 0,
        "low" => 1,
        "medium" => 2,
        _ => 3,
    }
}
