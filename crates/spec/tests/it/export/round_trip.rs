//! From an exported definition to a call, from the call to words, and from the words to the values that went in.
//!
//! Calls are made from what was exported, as a model would: nothing here looks at the metadata.

use argrail_acli::{Surroundings, TokioHost, scan};
use argrail_spec::atip::Metadata;
use argrail_spec::export::{Format, ProviderCall, Strictness, argv, export};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::rules::{Seen, seen};
use crate::command::made;
use crate::example::{all, example};

const PROVIDERS: [(Format, Strictness); 5] = [
    (Format::Openai, Strictness::Plain),
    (Format::Openai, Strictness::Strict),
    (Format::Anthropic, Strictness::Plain),
    (Format::Gemini, Strictness::Plain),
    (Format::Mcp, Strictness::Plain),
];

/// A call as the provider would send it.
fn message(format: Format, name: &str, arguments: &Value) -> Vec<u8> {
    let message = match format {
        Format::Openai => json!({"role": "assistant", "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": name, "arguments": arguments.to_string()}},
        ]}),
        Format::Anthropic => json!({"role": "assistant", "content": [
            {"type": "text", "text": "Now I call it."},
            {"type": "tool_use", "id": "c1", "name": name, "input": arguments},
        ]}),
        Format::Gemini => json!({"candidates": [{"content": {"role": "model", "parts": [
            {"functionCall": {"id": "c1", "name": name, "args": arguments}},
        ]}}]}),
        Format::Mcp | Format::Atip => json!({
            "jsonrpc": "2.0", "id": "c1", "method": "tools/call", "params": {"name": name, "arguments": arguments},
        }),
    };
    message.to_string().into_bytes()
}

/// A value that fits a schema: the first choice, or `text` where any text does.
fn value(schema: &Value, text: &str) -> Value {
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds[0].clone(),
        kind => kind.clone(),
    };
    if let Some(choices) = schema.get("enum") {
        return choices[0].clone();
    }
    match kind.as_str().unwrap().to_lowercase().as_str() {
        "string" => json!(text),
        "integer" => json!(-7),
        "number" => json!(-2.5),
        "boolean" => json!(true),
        "array" => json!([value(&schema["items"], text), value(&schema["items"], text)]),
        "object" => json!({"colour": text}),
        other => panic!("{other}"),
    }
}

/// Arguments for all parameters, but for those that exclude another.
fn arguments(tool: &Seen<'_>, text: &str) -> Map<String, Value> {
    let properties = tool.parameters.and_then(|schema| schema.get("properties"));
    let excluded = ["from-file", "from_file", "squash", "rebase"];
    properties
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .filter(|(name, _)| !excluded.contains(&name.as_str()))
        .map(|(name, schema)| (name.clone(), value(schema, text)))
        .collect()
}

fn called(tools: &[Metadata], format: Format, name: &str, arguments: &Map<String, Value>) -> ProviderCall {
    let message = message(format, name, &Value::Object(arguments.clone()));
    let mut calls =
        argv(tools, format, &message).unwrap_or_else(|error| panic!("{name} {arguments:?}: {error}"));
    assert_eq!(calls.len(), 1);
    calls.remove(0)
}

/// Every text that the arguments hold, as it stands in a word.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Null | Value::Bool(_) => Vec::new(),
        Value::Number(number) => vec![number.to_string()],
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Object(_) => vec![value.to_string()],
    }
}

#[test]
fn every_command_of_every_example_can_be_called_through_every_provider() {
    let tools = all();
    for (format, strictness) in PROVIDERS {
        let export = export(&tools, format, strictness);
        for tool in seen(format, &export.tools) {
            let arguments = arguments(&tool, "-x =y");
            let call = called(&tools, format, tool.name, &arguments);
            let target = &export.names[tool.name];
            assert_eq!((&call.tool, &call.path), (&target.tool, &target.path));
            assert_eq!(call.id, Some("c1".into()));
            assert_eq!(call.argv[0], target.tool);
            let mut words = call.argv.clone();
            for text in arguments.values().flat_map(texts) {
                let place = words.iter().position(|word| word.ends_with(&text));
                let place = place.unwrap_or_else(|| panic!("{text:?} is not in {:?}", call.argv));
                words.remove(place);
            }
            // What is left is the command, flags, and the word that ends the options.
            let left: Vec<&String> = words.iter().filter(|word| !word.starts_with("-")).collect();
            let command: Vec<&String> = std::iter::once(&target.tool).chain(&target.path).collect();
            assert_eq!(left, command, "{:?}", call.argv);
        }
    }
}

/// What the words mean to the tool, as far as its metadata says.
fn bound(metadata: &Metadata, words: &[String]) -> Value {
    let root = argrail_acli::Command::new("root", "").subcommand(made(metadata));
    let host = TokioHost::default();
    let around = Surroundings {
        host: &host,
        roots: &["/".into()],
    };
    let bound = scan(&root, words).bind(around);
    bound
        .unwrap_or_else(|error| panic!("{words:?}: {error}"))
        .to_json()
}

/// Text that tries to be something else.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[^\0]{0,12}",
        "-{1,3}[a-z=]{0,8}",
        Just("--".to_owned()),
        Just("--draft".to_owned()),
        Just("-d".to_owned()),
        Just("add".to_owned()),
        Just("=x".to_owned()),
        Just("a\nb".to_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn no_value_adds_a_word_or_a_flag(
        title in text(), body in text(), tags in prop::collection::vec(text(), 1..4), draft in any::<bool>(),
    ) {
        let metadata = example("fields");
        let given = json!({"title": title, "body": body, "tags": tags, "draft": draft});
        let call = called(std::slice::from_ref(&metadata), Format::Anthropic, "shelf_note_add", given.as_object().unwrap());
        let mut want = json!({"output": "text", "title": title, "body": body, "tags": tags});
        if draft {
            want["draft"] = json!(true);
        }
        let mut bound = bound(&metadata, &call.argv);
        if !draft {
            bound.as_object_mut().unwrap().remove("draft");
        }
        prop_assert_eq!(bound, want, "{:?}", call.argv);
    }

    #[test]
    fn no_value_adds_a_word_or_a_flag_in_the_style_of_go(vars in prop::collection::vec(text(), 1..4)) {
        let metadata = example("terraform");
        let given = json!({"var": vars});
        let tools = std::slice::from_ref(&metadata);
        let call = called(tools, Format::Openai, "terraform_plan", given.as_object().unwrap());
        prop_assert_eq!(call.argv.len(), 2 + vars.len(), "{:?}", &call.argv);
        prop_assert_eq!(bound(&metadata, &call.argv), given);
    }

    #[test]
    fn whatever_a_model_sends_is_answered(arguments in any_json(), format in 0usize..4) {
        let tools = [example("fields"), example("gh"), example("go_style")];
        for name in ["shelf_note_add", "gh_pr_merge", "gocount", "nope"] {
            let message = message(Format::ALL[format], name, &arguments);
            if let Ok(calls) = argv(&tools, Format::ALL[format], &message) {
                for call in calls {
                    prop_assert!(call.argv.iter().all(|word| !word.contains('\0')));
                }
            }
        }
    }

    #[test]
    fn any_message_is_answered(message in any_json(), bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        for format in Format::ALL {
            prop_assert!(argv(&[example("gh")], format, message.to_string().as_bytes()).is_err());
            prop_assert!(argv(&[example("gh")], format, &bytes).is_err());
        }
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,6}".prop_map(Value::from),
    ];
    let key = prop_oneof![
        "[a-z]{1,6}",
        Just("title".to_owned()),
        Just("tags".to_owned()),
        Just("number".to_owned())
    ];
    leaf.prop_recursive(3, 16, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map(key.clone(), inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}
