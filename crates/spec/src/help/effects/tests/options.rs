//! Options, and what they say about their command.

use serde_json::{Value, json};

use super::super::{Class, Role, estimate, estimate_option};
use crate::atip::Kind;
use crate::help::{Confidence, FoundOption, FoundValue, Origin, Page, Seen, Takes};

/// An option as a text would have it: `-o, --output FILE` is "-o --output FILE".
pub(super) fn option(spec: &str, description: &str) -> FoundOption {
    let words: Vec<&str> = spec.split(' ').collect();
    let (flags, values): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| word.starts_with('-'));
    let takes = match values.first() {
        None => Takes::Nothing,
        Some(name) => Takes::Value(FoundValue {
            name: (*name).to_owned(),
            kind: Kind::String,
            values: Vec::new(),
        }),
    };
    FoundOption {
        spellings: flags.iter().map(|flag| (*flag).to_owned()).collect(),
        takes,
        repeats: false,
        required: false,
        default: None,
        variable: None,
        description: description.to_owned(),
        deprecated: false,
        global: false,
        seen: Seen {
            origin: Origin::Help,
            line: 1,
            confidence: Confidence::Certain,
        },
    }
}

#[track_caller]
fn check(spec: &str, description: &str, role: Option<Role>, effects: Value) {
    let found = estimate_option(&option(spec, description), "named");
    assert_eq!(
        found.as_ref().map(|found| found.role),
        role,
        "{spec}: {description}"
    );
    let got = found.and_then(|found| found.x_effects()).unwrap_or_default();
    assert_eq!(got, effects, "{spec}: {description}");
}

#[test]
fn flags_that_make_a_command_worse_say_how() {
    let writes = json!({"filesystem": {"write": true, "paths": ["arg:named"]}});
    check(
        "-o --output FILE",
        "Where to write",
        Some(Role::Writes),
        writes.clone(),
    );
    check(
        "-o FILE",
        "Write the result to FILE",
        Some(Role::Writes),
        writes.clone(),
    );
    check("--log-file PATH", "", Some(Role::Writes), writes.clone());
    check("--report DIR", "Save reports in DIR", Some(Role::Writes), writes);
    check(
        "-i --in-place",
        "",
        Some(Role::Writes),
        json!({"filesystem": {"write": true}}),
    );
    check(
        "-f --force",
        "",
        Some(Role::Insists),
        json!({"destructive": true}),
    );
    let starts = json!({"subprocess": true, "idempotent": false});
    check("--exec CMD", "", Some(Role::Starts), starts.clone());
    check("-x COMMAND", "Run COMMAND for each", Some(Role::Starts), starts);
    let removes = |what: &str| json!({"destructive": true, "deletes": [what]});
    check("--delete", "", Some(Role::Removes), removes("resource"));
    check("-delete", "", Some(Role::Removes), removes("resource"));
    check("--remove-source", "", Some(Role::Removes), removes("resource"));
    check(
        "--sweep",
        "Delete snapshots afterwards",
        Some(Role::Removes),
        removes("snapshots"),
    );
    check(
        "--upload",
        "",
        Some(Role::Sends),
        json!({"network": true, "idempotent": false, "reversible": false, "creates": ["resource"]}),
    );
    check(
        "--update",
        "",
        Some(Role::Changes),
        json!({"modifies": ["resource"]}),
    );
}

#[test]
fn flags_that_make_it_better_claim_nothing() {
    check(
        "-n --dry-run",
        "Only tell what would happen",
        Some(Role::Rehearses),
        Value::Null,
    );
    check("-y --yes", "Answer yes", Some(Role::Assents), Value::Null);
    let marks = estimate_option(&option("--dry-run", ""), "dry-run")
        .unwrap()
        .marks();
    assert_eq!(marks["role"], "rehearses");
}

#[test]
fn flags_that_only_sound_like_it_are_left_alone() {
    for (spec, description) in [
        ("--no-delete", "Keep everything"),
        ("--keep-deleted", ""),
        ("--output FORMAT", "Format of what is printed"),
        ("-o --output json", "One of json, yaml"),
        ("--force-color", "Use colour"),
        ("--remove-prefix TEXT", "Leave it out of names"),
        ("--trim", "Remove trailing blanks"),
        ("--tag NAME", "Only with this tag"),
        ("--set KEY=VALUE", "A value"),
        ("--verbose", "Tell more"),
        ("--deleted", "Show deleted ones, too"),
        ("-C DIR", "Start there"),
        ("--config FILE", "Read settings from FILE"),
        ("--command NAME", "Help for that one"),
    ] {
        check(spec, description, None, Value::Null);
    }
}

#[test]
fn a_command_with_something_to_rehearse_or_to_insist_on_is_no_plain_read() {
    let of = |options: Vec<FoundOption>| {
        let page = Page {
            options,
            ..Page::default()
        };
        estimate(&["frob", "list"], &page, Some("List files"))
    };
    let own = |spec: &str| of(vec![option(spec, "")]);
    assert_eq!(own("--verbose").class, Class::Read);
    assert_eq!(own("--output FILE").class, Class::Read);
    for spec in ["--dry-run", "--force", "--yes"] {
        let found = own(spec);
        assert_eq!(
            (found.class, found.claims_read()),
            (Class::Unknown, false),
            "{spec}"
        );
        let mut every = option(spec, "");
        every.global = true;
        assert_eq!(of(vec![every]).class, Class::Read, "{spec} of every command");
    }
    // Who can be told not to lock, locks; also if every command can be told.
    for spec in ["--no-lock", "--no-restore", "--no-auto-init"] {
        let mut every = option(spec, "");
        every.global = true;
        for found in [own(spec), of(vec![every])] {
            assert_eq!(
                (found.class, found.claims_read()),
                (Class::Unknown, false),
                "{spec}"
            );
        }
    }
    assert_eq!(own("--no-sync").class, Class::Read);
}
