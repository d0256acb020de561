//! As many of everything as a file may hold: what is said about it takes time by its length, not by its square.

use std::time::{Duration, Instant};

use argrail_spec::atip::load;
use argrail_spec::diff::diff;
use argrail_spec::export::{self, Format, export};
use argrail_spec::lint::{Strictness, lint};
use serde_json::{Map, Value, json};

/// Half as many values as a file may have.
const MANY: usize = 100_000;
/// Many times what it takes, and a fraction of what comparing each with each would.
const ENOUGH: Duration = Duration::from_secs(30);

fn tool(fields: Value) -> String {
    let mut tool = json!({"atip": "0.1", "name": "demo", "version": "1.0.0", "description": "Does it"});
    let fields = fields.as_object().unwrap().clone();
    tool.as_object_mut().unwrap().extend(fields);
    tool.to_string()
}

fn in_time(what: &str, body: impl FnOnce()) {
    let begun = Instant::now();
    body();
    let took = begun.elapsed();
    assert!(took < ENOUGH, "{what}: {took:?}");
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
        let words = |from: usize| (from..from + MANY).map(|at| format!("--x{at}")).collect();
        let read = |text: String| load(text.as_bytes()).unwrap().metadata;
        let (old, new) = (read(option(key, words(0))), read(option(key, words(1))));
        in_time(key, || {
            let changes = diff(&old, &new).changes;
            assert_eq!(changes.len(), 2, "{key}: one is gone, and one is new");
        });
        in_time(key, || {
            let exported = export(std::slice::from_ref(&new), Format::Mcp, export::Strictness::Plain);
            assert_eq!(exported.names.len(), 1, "{key}");
        });
    }
}

#[test]
fn many_fields_and_variables_are_looked_at_in_time() {
    let fields: Map<String, Value> = (0..MANY).map(|at| (format!("k{at}"), json!(1))).collect();
    let variables = |letter: &str| {
        let holes: Vec<String> = (0..MANY / 4).map(|at| format!("{{{letter}{at}}}")).collect();
        let variables: Map<String, Value> = (0..MANY / 4)
            .map(|at| (format!("v{at}"), json!({"type": "string", "description": "V"})))
            .collect();
        let steps = json!([{"command": format!("demo {}", holes.join(" "))}]);
        tool(json!({"patterns": [{"name": "p", "description": "P", "steps": steps, "variables": variables}]}))
    };
    for (what, text) in [
        ("fields", tool(Value::Object(fields))),
        ("variables", variables("v")),
        ("other variables", variables("w")),
    ] {
        in_time(what, || {
            let outcome = lint("demo.json", text.as_bytes(), Strictness::Relaxed);
            assert!(!outcome.diagnostics.is_empty(), "{what}");
        });
    }
}
