//! Whole tools, and whether the linter likes what comes out.

use serde_json::{Value, json};

use super::super::{Class, annotate, filler};
use super::options::option;
use crate::atip::{Command, Kind, Opt, load};
use crate::help::Page;
use crate::lint::{Strictness, lint};

fn annotated(value: &Value) -> Value {
    let mut metadata = load(value.to_string().as_bytes()).unwrap().metadata;
    annotate(&mut metadata);
    serde_json::to_value(&metadata).unwrap()
}

fn frob() -> Value {
    let option = |name: &str, kind: &str| json!({"name": name, "flags": [format!("--{name}")], "type": kind, "description": "As it says"});
    json!({
        "atip": "0.1", "name": "frob", "version": "1.0.0", "description": "Work with frobs",
        "globalOptions": [option("yes", "boolean")],
        "commands": {
            "list": {"description": "List frobs", "options": [option("output", "file")]},
            "rm": {"description": "Remove frobs", "options": [option("force", "boolean"), option("dry-run", "boolean")]},
            "tag": {"description": "Tags", "commands": {"set": {"description": "Set a tag"}}},
            "said": {"description": "Delete frobs", "effects": {"idempotent": true}},
        },
    })
}

#[test]
fn every_command_gets_its_estimate_and_no_word_of_others_is_touched() {
    let tool = annotated(&frob());
    let at = |pointer: &str| tool.pointer(pointer).cloned().unwrap_or_default();
    assert_eq!(at("/commands/list/effects/idempotent"), true);
    assert_eq!(at("/commands/list/effects/x-inferred/class"), "read");
    assert_eq!(at("/commands/rm/effects/destructive"), true);
    assert_eq!(at("/commands/tag/commands/set/effects/modifies"), json!(["tag"]));
    // Effects of its own would make a group something that can be called.
    assert_eq!(at("/commands/tag/effects"), Value::Null);
    assert_eq!(at("/commands/said/effects"), json!({"idempotent": true}));
    assert_eq!(at("/effects"), Value::Null);
    assert_eq!(
        at("/commands/list/options/0/x-effects/filesystem/paths"),
        json!(["arg:output"])
    );
    assert_eq!(
        at("/commands/rm/options/0/x-effects"),
        json!({"destructive": true})
    );
    assert_eq!(at("/commands/rm/options/1/x-effects"), Value::Null);
    assert_eq!(at("/commands/rm/options/1/x-inferred/role"), "rehearses");
    assert_eq!(at("/globalOptions/0/x-inferred/role"), "assents");
}

#[test]
fn a_tool_without_commands_gets_one_for_itself() {
    let tool = annotated(&json!({"atip": "0.1", "name": "frob", "description": "Erase files"}));
    assert_eq!(tool["effects"]["destructive"], true);
    assert_eq!(tool["effects"]["x-inferred"]["class"], "destructive");
}

#[test]
fn what_comes_out_passes_the_linter() {
    let text = annotated(&frob()).to_string();
    let found = lint("shims/frob.json", text.as_bytes(), Strictness::Strict).diagnostics;
    let before = frob().to_string();
    let before = lint("shims/frob.json", before.as_bytes(), Strictness::Strict).diagnostics;
    let codes = |list: &[crate::doc::Diagnostic]| -> Vec<String> {
        list.iter()
            .map(|one| format!("{}: {}", one.code, one.message))
            .collect()
    };
    // That something is left unsaid is the point of an estimate.
    let is_new = |one: &String| !codes(&before).contains(one) && !one.contains("-unsaid: ");
    let new: Vec<String> = codes(&found).into_iter().filter(is_new).collect();
    assert!(new.is_empty(), "{new:#?}");
}

#[test]
fn a_command_that_is_made_from_a_page_is_filled() {
    let page = Page {
        about: Some("Remove frobs".to_owned()),
        options: vec![option("-r --report FILE", "Save a report to FILE")],
        ..Page::default()
    };
    let report = Opt {
        name: "report".to_owned(),
        flags: vec!["-r".to_owned(), "--report".to_owned()],
        kind: Kind::String,
        ..Opt::default()
    };
    let mut command = Command {
        options: vec![report],
        ..Command::default()
    };
    filler("frob")(&["rm"], &page, None, &mut command);
    let value = serde_json::to_value(&command).unwrap();
    let at = |pointer: &str| value.pointer(pointer).cloned().unwrap_or_default();
    assert_eq!(at("/effects/destructive"), true);
    assert_eq!(at("/effects/deletes"), json!(["frobs"]));
    assert_eq!(at("/options/0/x-effects/filesystem/paths"), json!(["arg:report"]));
    assert_eq!(at("/options/0/x-inferred/role"), "writes");
    let mut group = Command::default();
    group.commands.insert("rm".to_owned(), command);
    filler("frob")(&[], &page, None, &mut group);
    assert_eq!(group.effects, None);
}

#[test]
fn the_worst_name_of_a_command_counts() {
    let check = |name: &str, aliases: &[&str], want: Class| {
        let page = Page::default();
        let mut command = Command {
            aliases: aliases.iter().map(|alias| (*alias).to_owned()).collect(),
            ..Command::default()
        };
        filler("frob")(&[name], &page, Some("Show a thing"), &mut command);
        let effects = command.effects.unwrap();
        assert_eq!(Class::of(&effects), want, "{name} {aliases:?}");
    };
    check("show", &[], Class::Read);
    check("show", &["s", "view"], Class::Read);
    check("show", &["s", "wipe"], Class::Destructive);
    check("get", &["destroy", "g"], Class::Destructive);
}
