//! One vector, as its file writes it.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

const FILES: [&str; 4] = ["parser", "security", "discovery", "response"];

pub(crate) struct Case {
    pub(crate) file: &'static str,
    pub(crate) id: String,
    pub(crate) clause: String,
    pub(crate) about: String,
    pub(crate) input: Input,
    pub(crate) expect: Value,
}

pub(crate) enum Input {
    /// For the tokenizer alone.
    Tokenize(String),
    /// A `tools/call` of `cli`.
    Call {
        profile: String,
        arguments: Option<Value>,
        times: u64,
    },
    /// The tool definition of `tools/list`.
    Definition { profile: String },
}

/// Returns the directory of the vectors.
pub(crate) fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/acli")
}

/// Reads all vectors.
pub(crate) fn all() -> Vec<Case> {
    let read = |file: &&'static str| {
        let path = directory().join(format!("{file}.json"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let cases: Vec<Value> =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        cases
            .into_iter()
            .map(|case| decode(file, case))
            .collect::<Vec<_>>()
    };
    FILES.iter().flat_map(read).collect()
}

fn decode(file: &'static str, case: Value) -> Case {
    let text = |name: &str| {
        let text = case[name].as_str();
        text.unwrap_or_else(|| panic!("{file}: no {name} in {case}"))
            .to_owned()
    };
    let known = ["id", "clause", "about", "input", "expect"];
    let fields = case.as_object().expect("a case is an object");
    assert!(
        fields.keys().all(|name| known.contains(&name.as_str())) && case["expect"].is_object(),
        "{file}: unknown field in {case}"
    );
    Case {
        file,
        id: text("id"),
        clause: text("clause"),
        about: text("about"),
        input: input(
            case["input"]
                .as_object()
                .unwrap_or_else(|| panic!("no input in {case}")),
        ),
        expect: case["expect"].clone(),
    }
}

fn input(given: &Map<String, Value>) -> Input {
    let profile = given
        .get("profile")
        .map_or("plain", |name| name.as_str().expect("a name"));
    let profile = profile.to_owned();
    let times = given
        .get("times")
        .map_or(1, |times| times.as_u64().expect("a number"));
    let call = |arguments| Input::Call {
        profile: profile.clone(),
        arguments,
        times,
    };
    let only = |main: &str| {
        let others = given
            .keys()
            .filter(|name| !["profile", "times"].contains(&name.as_str()));
        assert!(others.eq([main]), "unknown input in {given:?}");
    };
    if let Some(text) = given.get("tokenize") {
        only("tokenize");
        Input::Tokenize(expanded(text).as_str().expect("a string").to_owned())
    } else if let Some(command) = given.get("command") {
        only("command");
        call(Some(serde_json::json!({ "command": expanded(command) })))
    } else if let Some(arguments) = given.get("arguments") {
        only("arguments");
        call(Some(arguments.clone()).filter(|arguments| !arguments.is_null()))
    } else {
        only("definition");
        Input::Definition {
            profile: profile.clone(),
        }
    }
}

/// Writes out `{"repeat": "x", "times": 3}`, in place of a string or as a part of a list that starts with
/// `{"joined": [...]}`.
pub(crate) fn expanded(value: &Value) -> Value {
    match value {
        Value::Object(object) if object.contains_key("repeat") => {
            let (text, times) = (object["repeat"].as_str(), object["times"].as_u64());
            let times = usize::try_from(times.expect("times")).expect("a small number");
            text.expect("a string").repeat(times).into()
        }
        Value::Object(object) if object.contains_key("joined") => {
            let parts = object["joined"].as_array().expect("a list");
            let parts = parts
                .iter()
                .map(|part| expanded(part).as_str().expect("a string").to_owned());
            parts.collect::<String>().into()
        }
        Value::Array(items) => items.iter().map(expanded).collect(),
        other => other.clone(),
    }
}
