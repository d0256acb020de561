//! As many of everything as a file may hold: what is said about it takes time by its length, not by its square.

use argrail_spec::atip::load;
use argrail_spec::diff::diff;
use argrail_spec::export::{self, Format, export};
use argrail_spec::lint::{Strictness, lint};
use argrail_testkit::assert_growth;
use serde_json::{Map, Value, json};

/// A quarter of the values that a file may have, and an eighth of that.
const MANY: usize = 48_000;
const FEWER: usize = MANY / 8;
/// Eight times as much takes about eight times as long, and sixty-four times where each is compared with each.
const MOST: f64 = 32.0;

fn tool(fields: Value) -> String {
    let mut tool = json!({"atip": "0.1", "name": "demo", "version": "1.0.0", "description": "Does it"});
    let fields = fields.as_object().unwrap().clone();
    tool.as_object_mut().unwrap().extend(fields);
    tool.to_string()
}

/// Holds the time for many against the time for fewer.
fn in_proportion<T>(what: &str, prepare: impl Fn(usize) -> T, act: impl Fn(&T)) {
    assert_growth(what, &prepare(FEWER), &prepare(MANY), MOST, act);
}

#[test]
fn many_values_and_flags_are_compared_in_time() {
    let option = |key: &str, values: Vec<String>| {
        let mut option =
            json!({"name": "x", "flags": ["-x"], "type": "enum", "enum": ["a"], "description": "X"});
        option[key] = json!(values);
        tool(json!({"commands": {"run": {"description": "Runs it", "options": [option]}}}))
    };
    for key in ["flags", "enum", "exclusive"] {
        let read = |size: usize, from: usize| {
            let words = (from..from + size).map(|at| format!("--x{at}")).collect();
            load(option(key, words).as_bytes()).unwrap().metadata
        };
        in_proportion(
            key,
            |size| (read(size, 0), read(size, 1)),
            |(old, new)| {
                let changes = diff(old, new).changes;
                assert_eq!(changes.len(), 2, "{key}: one is gone, and one is new");
            },
        );
        in_proportion(
            key,
            |size| read(size, 0),
            |tool| {
                let exported = export(std::slice::from_ref(tool), Format::Mcp, export::Strictness::Plain);
                assert_eq!(exported.names.len(), 1, "{key}");
            },
        );
    }
}

#[test]
fn many_fields_and_variables_are_looked_at_in_time() {
    let fields = |size: usize| {
        let fields: Map<String, Value> = (0..size).map(|at| (format!("k{at}"), json!(1))).collect();
        tool(Value::Object(fields))
    };
    let variables = |letter: &str, size: usize| {
        let holes: Vec<String> = (0..size / 4).map(|at| format!("{{{letter}{at}}}")).collect();
        let variables: Map<String, Value> = (0..size / 4)
            .map(|at| (format!("v{at}"), json!({"type": "string", "description": "V"})))
            .collect();
        let steps = json!([{"command": format!("demo {}", holes.join(" "))}]);
        tool(json!({"patterns": [{"name": "p", "description": "P", "steps": steps, "variables": variables}]}))
    };
    let judge = |text: &String| {
        let outcome = lint("demo.json", text.as_bytes(), Strictness::Relaxed);
        assert!(!outcome.diagnostics.is_empty());
    };
    in_proportion("fields", fields, judge);
    in_proportion("variables", |size| variables("v", size), judge);
    in_proportion("other variables", |size| variables("w", size), judge);
}
