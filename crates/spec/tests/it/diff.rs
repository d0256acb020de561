//! What changed between two versions of metadata: each row is one edit of the same tool.

use argrail_spec::atip::{Metadata, load};
use argrail_spec::diff::{Advice, ChangeKind, diff};
use serde_json::{Value, json};

use crate::example::all;

fn tool() -> Value {
    json!({
        "atip": "0.1", "name": "box", "version": "1.0.0", "description": "A box",
        "effects": {"network": false, "cost": {"estimate": "none"}},
        "globalOptions": [{"name": "json", "flags": ["--json"], "type": "boolean", "description": "As JSON"}],
        "commands": {
            "put": {
                "description": "Put it in", "aliases": ["add"],
                "arguments": [
                    {"name": "what", "type": "string", "description": "This"},
                    {"name": "where", "type": "file", "required": false, "description": "Here"},
                ],
                "options": [
                    {"name": "size", "flags": ["-s", "--size"], "type": "integer", "default": 3, "description": "S"},
                    {"name": "kind", "flags": ["--kind"], "type": "enum", "enum": ["a", "b"], "description": "K"},
                    {"name": "tag", "flags": ["--tag"], "type": "string", "variadic": true, "description": "T"},
                ],
                "effects": {"destructive": false, "creates": ["thing"], "filesystem": {"write": false}},
            },
            "list": {"description": "List them"},
        },
    })
}

fn metadata(value: &Value) -> Metadata {
    load(value.to_string().as_bytes()).unwrap().metadata
}

/// Sets what a pointer leads to, or removes it.
fn edited(edits: &[(&str, Value)]) -> Value {
    let mut tool = tool();
    for (pointer, value) in edits {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        match tool.pointer_mut(parent).unwrap() {
            Value::Object(members) if value.is_null() => {
                members.shift_remove(key);
            }
            Value::Object(members) => {
                members.insert(key.to_owned(), value.clone());
            }
            Value::Array(items) if value.is_null() => {
                items.remove(key.parse().unwrap());
            }
            Value::Array(items) => items.insert(key.parse().unwrap(), value.clone()),
            other => panic!("{other}"),
        }
    }
    tool
}

#[test]
fn every_kind_of_change_is_told() {
    use Advice::{Major, Minor, Patch};
    use ChangeKind::{Breaking, Effects, Safe};
    let put = "/commands/put";
    let check = |edits: &[(&str, Value)], kind: ChangeKind, advice: Advice, at: &str, what: &str| {
        let edits: Vec<(String, Value)> = edits
            .iter()
            .map(|(pointer, value)| (pointer.replace("PUT", put), value.clone()))
            .collect();
        let edits: Vec<(&str, Value)> = edits
            .iter()
            .map(|(pointer, value)| (pointer.as_str(), value.clone()))
            .collect();
        let difference = diff(&metadata(&tool()), &metadata(&edited(&edits)));
        let at = at.replace("PUT", put);
        let found = difference
            .changes
            .iter()
            .find(|change| change.pointer == at && change.what.contains(what));
        let found = found.unwrap_or_else(|| panic!("{at} {what}: {difference:#?}"));
        assert_eq!((found.kind, found.advice), (kind, advice), "{found:?}");
        assert_eq!(difference.advice, advice, "{difference:#?}");
    };
    let option = |extra: Value| {
        let mut option = json!({"name": "new", "flags": ["--new"], "type": "string", "description": "N"});
        option
            .as_object_mut()
            .unwrap()
            .extend(extra.as_object().unwrap().clone());
        option
    };
    // Calls that no longer work.
    check(
        &[("/name", json!("crate"))],
        Breaking,
        Major,
        "/name",
        "called otherwise",
    );
    check(
        &[("/commands/list", Value::Null)],
        Breaking,
        Major,
        "/commands/list",
        "is gone",
    );
    check(
        &[("PUT/aliases", json!([]))],
        Breaking,
        Major,
        "PUT/aliases",
        "is gone",
    );
    check(
        &[("PUT/options/0", Value::Null)],
        Breaking,
        Major,
        "PUT/options/0",
        "is gone",
    );
    check(
        &[("PUT/options/0/flags", json!(["--size"]))],
        Breaking,
        Major,
        "PUT/options/0/flags",
        "is gone",
    );
    check(
        &[("PUT/options/1/enum", json!(["a"]))],
        Breaking,
        Major,
        "PUT/options/1/enum",
        "is gone",
    );
    check(
        &[("PUT/options/2/enum", json!(["a"]))],
        Breaking,
        Major,
        "PUT/options/2/enum",
        "only these",
    );
    check(
        &[("PUT/options/0/default", json!(4))],
        Breaking,
        Major,
        "PUT/options/0/default",
        "something else",
    );
    check(
        &[("PUT/options/0/default", Value::Null)],
        Breaking,
        Major,
        "PUT/options/0/default",
        "something else",
    );
    check(
        &[("PUT/options/2/variadic", json!(false))],
        Breaking,
        Major,
        "PUT/options/2/variadic",
        "only one",
    );
    check(
        &[("PUT/options/2/type", json!("boolean"))],
        Breaking,
        Major,
        "PUT/options/2/type",
        "something else",
    );
    check(
        &[("PUT/options/2/pattern", json!("^a"))],
        Breaking,
        Major,
        "PUT/options/2/pattern",
        "less",
    );
    check(
        &[("PUT/options/2/required", json!(true))],
        Breaking,
        Major,
        "PUT/options/2/required",
        "must be",
    );
    check(
        &[("PUT/options/2/exclusive", json!(["kind"]))],
        Breaking,
        Major,
        "PUT/options/2/exclusive",
        "beside",
    );
    check(
        &[("PUT/options/3", option(json!({"required": true})))],
        Breaking,
        Major,
        "PUT/options/3",
        "must be",
    );
    check(
        &[("PUT/arguments/1/required", json!(true))],
        Breaking,
        Major,
        "PUT/arguments/1/required",
        "must be",
    );
    check(
        &[("PUT/arguments/2", json!({"name": "n", "type": "string"}))],
        Breaking,
        Major,
        "PUT/arguments/2",
        "must be",
    );
    check(
        &[("PUT/arguments/1", Value::Null)],
        Breaking,
        Major,
        "PUT/arguments/1",
        "is gone",
    );
    let swapped = json!([
        {"name": "where", "type": "file", "required": false, "description": "Here"},
        {"name": "what", "type": "string", "description": "This"},
    ]);
    check(
        &[("PUT/arguments", swapped)],
        Breaking,
        Major,
        "PUT/arguments/0/name",
        "another order",
    );
    check(
        &[("/authentication", json!({"required": true}))],
        Breaking,
        Major,
        "/authentication",
        "must sign in",
    );
    // Calls that newly work.
    check(
        &[("/commands/drop", json!({"description": "Out"}))],
        Safe,
        Minor,
        "/commands/drop",
        "new",
    );
    check(
        &[("PUT/aliases", json!(["add", "in"]))],
        Safe,
        Minor,
        "PUT/aliases",
        "another name",
    );
    check(
        &[("PUT/options/3", option(json!({})))],
        Safe,
        Minor,
        "PUT/options/3",
        "new",
    );
    check(
        &[("PUT/options/2/flags", json!(["--tag", "-t"]))],
        Safe,
        Minor,
        "PUT/options/2/flags",
        "another flag",
    );
    check(
        &[("PUT/options/1/enum", json!(["a", "b", "c"]))],
        Safe,
        Minor,
        "PUT/options/1/enum",
        "another value",
    );
    check(
        &[("PUT/options/0/type", json!("number"))],
        Safe,
        Minor,
        "PUT/options/0/type",
        "more",
    );
    check(
        &[("PUT/options/2/default", json!("x"))],
        Safe,
        Minor,
        "PUT/options/2/default",
        "said",
    );
    check(
        &[("PUT/options/2/envVar", json!("X"))],
        Safe,
        Minor,
        "PUT/options/2/envVar",
        "too",
    );
    check(
        &[("PUT/arguments/0/required", json!(false))],
        Safe,
        Minor,
        "PUT/arguments/0/required",
        "need not",
    );
    check(
        &[("PUT/deprecated", json!(true))],
        Safe,
        Minor,
        "PUT/deprecated",
        "on its way out",
    );
    let renamed = json!({"description": "List them", "aliases": ["list"]});
    check(
        &[("/commands/list", Value::Null), ("/commands/show", renamed)],
        Safe,
        Minor,
        "/commands/show",
        "still leads to it",
    );
    // Other words.
    check(
        &[("/description", json!("A crate"))],
        Safe,
        Patch,
        "/description",
        "worded",
    );
    check(
        &[("PUT/options/0/description", json!("Z"))],
        Safe,
        Patch,
        "PUT/options/0/description",
        "worded",
    );
    check(
        &[("PUT/examples", json!(["box put a"]))],
        Safe,
        Patch,
        "PUT/examples",
        "worded",
    );
    // Claims about the world.
    check(
        &[("/effects/network", json!(true))],
        Effects,
        Major,
        "/effects/network",
        "more",
    );
    check(
        &[("/effects/network", Value::Null)],
        Effects,
        Minor,
        "/effects/network",
        "any more",
    );
    check(
        &[("PUT/effects/destructive", json!(true))],
        Effects,
        Major,
        "PUT/effects/destructive",
        "more",
    );
    check(
        &[("PUT/effects/idempotent", json!(true))],
        Effects,
        Patch,
        "PUT/effects/idempotent",
        "claimed now",
    );
    check(
        &[("PUT/effects/reversible", json!(false))],
        Effects,
        Minor,
        "PUT/effects/reversible",
        "claimed now",
    );
    check(
        &[("PUT/effects/creates", json!([]))],
        Effects,
        Minor,
        "PUT/effects/creates",
        "less",
    );
    check(
        &[("PUT/effects/creates", json!(["thing", "x"]))],
        Effects,
        Major,
        "PUT/effects/creates",
        "more",
    );
    check(
        &[("PUT/effects/filesystem", json!({"write": true}))],
        Effects,
        Major,
        "PUT/effects/filesystem/write",
        "more",
    );
    check(
        &[("/effects/cost", json!({"estimate": "variable"}))],
        Effects,
        Major,
        "/effects/cost/estimate",
        "more",
    );
    check(
        &[("PUT/effects", Value::Null)],
        Effects,
        Minor,
        "PUT/effects/destructive",
        "any more",
    );
}

#[test]
fn the_same_is_no_difference() {
    for metadata in all() {
        let difference = diff(&metadata, &metadata);
        assert!(
            difference.changes.is_empty() && difference.advice == Advice::None,
            "{difference:?}"
        );
    }
    // `none` of the draft is `free` of later ones, and the version is what the advice is about.
    let same = edited(&[
        ("/effects/cost", json!({"estimate": "free"})),
        ("/version", json!("9.9.9")),
    ]);
    assert_eq!(diff(&metadata(&tool()), &metadata(&same)).advice, Advice::None);
}

#[test]
fn any_two_tools_can_be_compared() {
    let tools = all();
    for old in &tools {
        for new in &tools {
            let difference = diff(old, new);
            assert_eq!(difference.changes.is_empty(), old == new);
            let (old, new) = (
                serde_json::to_value(old).unwrap(),
                serde_json::to_value(new).unwrap(),
            );
            for change in &difference.changes {
                // A field that is gone would stand in something that is there.
                let parent = change.pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
                let leads = |value: &Value| {
                    [parent, &change.pointer]
                        .iter()
                        .any(|at| value.pointer(at).is_some())
                };
                assert!(leads(&old) || leads(&new), "{change:?}");
            }
        }
    }
}
