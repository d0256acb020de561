//! The vectors of `corpus/atip`. Every one that fails is named, with what came.

use argrail_spec::atip::{Authority, Extent, Layer, Loaded, decode, decode_part, load, merge};
use argrail_spec::doc::{Diagnostic, Node};
use serde_json::Value;

const LOAD: &str = include_str!("../../../../corpus/atip/load.json");
const MERGE: &str = include_str!("../../../../corpus/atip/merge.json");

fn cases(text: &str) -> Vec<Value> {
    let file: Value = serde_json::from_str(text).unwrap();
    file["cases"].as_array().unwrap().clone()
}

/// Returns what differs between the expectation and what came.
pub(crate) fn difference(expect: &Value, emitted: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    for (pointer, want) in expect["values"].as_object().into_iter().flatten() {
        if emitted.pointer(pointer) != Some(want) {
            wrong.push(format!("{pointer} is {:?}, not {want}", emitted.pointer(pointer)));
        }
    }
    for pointer in expect["absent"].as_array().into_iter().flatten() {
        if let Some(there) = emitted.pointer(pointer.as_str().unwrap()) {
            wrong.push(format!("{pointer} is {there}"));
        }
    }
    wrong
}

/// Returns what differs between the expected complaints and those that came.
pub(crate) fn warnings(expect: &Value, came: &[Diagnostic]) -> Option<String> {
    let mut want: Vec<_> = expect["warnings"]
        .as_array()?
        .iter()
        .map(|code| code.as_str().unwrap())
        .collect();
    let mut codes: Vec<_> = came.iter().map(|warning| warning.code).collect();
    want.sort_unstable();
    codes.sort_unstable();
    (want != codes).then(|| format!("warnings {came:?}"))
}

fn read(input: &Value) -> Result<Loaded, Diagnostic> {
    match (&input["metadata"], &input["text"]) {
        (Value::Null, Value::String(text)) => load(text.as_bytes()),
        (Value::Null, repeated) => {
            let times = usize::try_from(repeated["times"].as_u64().unwrap()).unwrap();
            load(repeated["repeat"].as_str().unwrap().repeat(times).as_bytes())
        }
        (metadata, _) => load(metadata.to_string().as_bytes()),
    }
}

fn judge_load(case: &Value) -> Vec<String> {
    let expect = &case["expect"];
    let loaded = match (read(&case["input"]), expect["error"].as_str()) {
        (Err(error), Some(code)) if error.code == code => return Vec::new(),
        (Err(error), _) => return vec![format!("refused with {}: {}", error.code, error.message)],
        (Ok(_), Some(code)) => return vec![format!("loaded, expected {code}")],
        (Ok(loaded), None) => loaded,
    };
    let emitted = serde_json::to_value(&loaded.metadata).unwrap();
    let mut wrong = difference(expect, &emitted);
    if expect["same"] == true && emitted != case["input"]["metadata"] {
        wrong.push(format!("emitted {emitted}"));
    }
    wrong.extend(warnings(expect, &loaded.warnings));
    // What was emitted is read again as the same thing, and then without complaint about types.
    let again = load(emitted.to_string().as_bytes()).map(|loaded| loaded.metadata);
    if again.as_ref() != Ok(&loaded.metadata) {
        wrong.push(format!("read again as {again:?}"));
    }
    wrong
}

fn layer(value: &Value) -> Layer {
    let part = value["part"] == true;
    let node = Node::plain(&value["metadata"]);
    let loaded = if part {
        decode_part(&node, "demo", Extent::All)
    } else {
        decode(&node)
    };
    Layer {
        origin: value["origin"].as_str().unwrap().to_owned(),
        authority: if value["authority"] == "settles" {
            Authority::Settles
        } else {
            assert_eq!(value["authority"], "claims");
            Authority::Claims
        },
        part,
        metadata: loaded.unwrap().metadata,
    }
}

fn judge_merge(case: &Value) -> Vec<String> {
    let expect = &case["expect"];
    let layers: Vec<_> = case["layers"].as_array().unwrap().iter().map(layer).collect();
    let merged = match (merge(layers), expect["error"].as_str()) {
        (Err(error), Some(code)) if error.code == code => return Vec::new(),
        (Err(error), _) => return vec![format!("refused with {}: {}", error.code, error.message)],
        (Ok(_), Some(code)) => return vec![format!("merged, expected {code}")],
        (Ok(merged), None) => merged,
    };
    let emitted = serde_json::to_value(&merged.metadata).unwrap();
    let provenance = merged.provenance.fields(&merged.metadata);
    let mut wrong = difference(expect, &emitted);
    for (pointer, want) in expect["provenance"].as_object().into_iter().flatten() {
        let came = provenance.get(pointer);
        if came.map(String::as_str) != want.as_str() {
            wrong.push(format!("{pointer} comes from {came:?}, not {want}"));
        }
    }
    for pointer in provenance.keys() {
        if emitted.pointer(pointer).is_none() {
            wrong.push(format!("provenance of {pointer}, which is not there"));
        }
    }
    for pointer in leaves(&emitted, String::new()) {
        if !provenance.contains_key(&pointer) {
            wrong.push(format!("no provenance of {pointer}"));
        }
    }
    wrong
}

/// Every field that holds a value: texts, numbers, lists of them.
fn leaves(value: &Value, pointer: String) -> Vec<String> {
    let step = |key: &str| format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
    match value {
        Value::Object(fields) if !fields.is_empty() => fields
            .iter()
            .flat_map(|(key, value)| leaves(value, step(key)))
            .collect(),
        Value::Array(items) if items.iter().any(Value::is_object) => {
            let items = items.iter().enumerate();
            items
                .flat_map(|(index, item)| leaves(item, step(&index.to_string())))
                .collect()
        }
        _ => vec![pointer],
    }
}

pub(crate) fn run(text: &str, judge: impl Fn(&Value) -> Vec<String>) {
    let failed: Vec<String> = cases(text)
        .iter()
        .map(|case| (case, judge(case)))
        .filter(|(_, wrong)| !wrong.is_empty())
        .map(|(case, wrong)| format!("{}: {}", case["id"], wrong.join("\n  ")))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn every_loading_vector_holds() {
    run(LOAD, judge_load);
}

#[test]
fn every_merging_vector_holds() {
    run(MERGE, judge_merge);
}
