//! Tools of MCP servers as metadata: the vectors of `corpus/atip/mcp.json`, bounds, and any JSON at all.

use std::collections::HashSet;
use std::sync::Arc;

use argrail_spec::atip::{Effects, Reader, Voice, load};
use argrail_spec::mcp_tools::{MOST_TOOLS, arguments, metadata, tool_name};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::corpus::{difference, run, warnings};

const MCP: &str = include_str!("../../../../corpus/atip/mcp.json");

fn judge(case: &Value) -> Vec<String> {
    let (input, expect) = (&case["input"], &case["expect"]);
    let read = metadata(input["server"].as_str().unwrap(), &input["info"], &input["tools"]);
    let loaded = match (read, expect["error"].as_str()) {
        (Err(error), Some(code)) if error.code == code && error.hint.is_some() => return Vec::new(),
        (Err(error), _) => return vec![format!("refused with {error:?}")],
        (Ok(_), Some(code)) => return vec![format!("read, expected {code}")],
        (Ok(loaded), None) => loaded,
    };
    let emitted = serde_json::to_value(&loaded.metadata).unwrap();
    let mut wrong = difference(expect, &emitted);
    wrong.extend(warnings(expect, &loaded.warnings));
    let again = load(emitted.to_string().as_bytes()).map(|loaded| loaded.metadata);
    if again.as_ref() != Ok(&loaded.metadata) {
        wrong.push(format!("read again as {again:?}"));
    }
    wrong
}

#[test]
fn every_vector_of_mcp_servers_holds() {
    run(MCP, judge);
}

/// Reads these tools and checks that what comes out can be stored and read again.
fn kept(tools: &Value) -> argrail_spec::atip::Loaded {
    let loaded = metadata("demo", &json!({"name": "x"}), tools).unwrap();
    let text = serde_json::to_string(&loaded.metadata).unwrap();
    assert_eq!(load(text.as_bytes()).unwrap().metadata, loaded.metadata);
    loaded
}

#[test]
fn a_command_line_becomes_the_arguments_of_a_tool() {
    let properties = json!({"city": {"type": "string"}, "days": {"type": "integer"}, "loud": {"type": "boolean"},
        "tags": {"type": "array", "items": {"type": "string"}}, "more": {"type": "object"}});
    let schema = json!({"type": "object", "properties": properties, "required": ["city"]});
    let loaded = kept(&json!([{"name": "get it", "inputSchema": schema}]));
    let reader = Reader::new(Arc::new(loaded.metadata.clone()), Voice::Claimed);
    let check = |line: &str, want: Option<Value>| {
        let words = argrail_acli::tokenize(line, &argrail_acli::Limits::default()).unwrap();
        let made = reader.read(&words).ok().and_then(|invoked| {
            assert_eq!(invoked.path, ["get-it"]);
            let command = &loaded.metadata.commands["get-it"];
            assert_eq!(tool_name("get-it", command), "get it");
            arguments(command, &invoked).ok().map(Value::Object)
        });
        assert_eq!(made, want, "{line}");
    };
    check(
        "get-it --city 'New York' --days=3 --loud --tags a --tags b,c --more '{\"x\":[null]}'",
        Some(
            json!({"city": "New York", "days": 3, "loud": true, "tags": ["a", "b", "c"], "more": {"x": [null]}}),
        ),
    );
    check(
        "get-it --loud=false --city x",
        Some(json!({"loud": false, "city": "x"})),
    );
    check(
        "get-it --loud false --city x",
        Some(json!({"loud": false, "city": "x"})),
    );
    check("get-it --json '{\"city\":7}'", Some(json!({"city": 7})));
    check("get-it --json '{}' --city x", None);
    check("get-it --no-loud", Some(json!({"loud": false})));
    check("get-it --city x --nope", None);
    check("get-it --city x --days many", None);
    check("get-it --city x stray", None);
}

#[test]
fn a_thousand_tools_are_enough() {
    let tools: Value = (0..MOST_TOOLS + 7)
        .map(|n| json!({"name": format!("t{n}")}))
        .collect();
    let loaded = kept(&tools);
    assert_eq!(loaded.metadata.commands.len(), MOST_TOOLS);
    assert_eq!(loaded.metadata.total_commands, Some(1_007));
    let omitted = loaded.metadata.omitted.unwrap();
    assert_eq!(omitted.reason.as_deref(), Some("size-limited"));
    let codes: Vec<&str> = loaded.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, ["mcp/too-many"]);
    assert!(
        loaded.warnings[0].message.starts_with("7 tools"),
        "{:?}",
        loaded.warnings
    );
}

#[test]
fn sizes_are_bounded() {
    let prose = "\u{1}".repeat(5_000);
    let many: serde_json::Map<String, Value> = (0..400)
        .map(|n| (format!("p{n}"), json!({"type": "string", "description": prose})))
        .collect();
    let wide = json!({"type": "object", "properties": many});
    let tools: Value = (0..40)
        .map(|n| json!({"name": format!("t{n}"), "description": prose, "inputSchema": wide}))
        .collect();
    let loaded = kept(&tools);
    let commands = &loaded.metadata.commands;
    assert!(!commands.is_empty() && commands.len() < 40, "{}", commands.len());
    assert!(commands.values().all(|command| command.options.len() == 256));
    assert!(
        loaded
            .warnings
            .iter()
            .any(|warning| warning.code == "mcp/too-large")
    );
}

#[test]
fn depth_is_bounded() {
    let deep = (0..100).fold(
        json!({"type": "string"}),
        |inner, _| json!({"type": "array", "items": inner}),
    );
    let tool = json!({"name": "t", "inputSchema": {"properties": {"a": deep.clone()}}, "outputSchema": {"items": deep}});
    let loaded = kept(&json!([tool]));
    let command = &loaded.metadata.commands["t"];
    assert_eq!(command.options[0].schema, None);
    assert!(!command.extra.contains_key("x-output-schema"));
    assert_eq!(loaded.warnings.len(), 2, "{:?}", loaded.warnings);
}

#[test]
fn what_is_said_of_a_server_is_escaped_and_short() {
    let tools = json!([{"name": "\u{1b}[31m".repeat(100)}, {"name": "t", "inputSchema": {"properties": {"\u{202e}": {}}}}]);
    for warning in kept(&tools).warnings {
        assert!(
            !warning.message.chars().any(argrail_acli::is_invisible),
            "{:?}",
            warning.message
        );
        assert!(warning.message.len() < 600, "{:?}", warning.message);
    }
}

/// Words that mean something in a schema or an annotation, and some that do not.
fn word() -> impl Strategy<Value = String> {
    let words = [
        "name",
        "type",
        "properties",
        "required",
        "items",
        "enum",
        "const",
        "anyOf",
        "allOf",
        "$ref",
        "$defs",
        "default",
        "format",
        "description",
        "title",
        "inputSchema",
        "outputSchema",
        "annotations",
        "readOnlyHint",
        "destructiveHint",
        "idempotentHint",
        "openWorldHint",
        "string",
        "integer",
        "array",
        "object",
        "null",
        "#/$defs/a",
        "#",
        "uri",
        "a",
    ];
    prop_oneof![
        8 => prop::sample::select(words.to_vec()).prop_map(str::to_owned),
        1 => any::<String>(),
    ]
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((word(), inner), 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// A tool of which some parts are as they should be.
fn tool() -> impl Strategy<Value = Value> {
    let property = (word(), json_value());
    let schema = prop::collection::vec(property, 0..4)
        .prop_map(|fields| json!({"type": "object", "properties": serde_json::Map::from_iter(fields)}));
    let input = prop_oneof![3 => schema, 1 => json_value()];
    let whole = (word(), input, json_value(), json_value()).prop_map(|(name, input, output, annotations)| {
        json!({"name": name, "inputSchema": input, "outputSchema": output, "annotations": annotations})
    });
    prop_oneof![4 => whole, 1 => json_value()]
}

proptest! {
    #[test]
    fn any_tools_are_read_or_left_out(tools in prop::collection::vec(tool(), 0..5), info in json_value()) {
        let given = Value::from(tools.clone());
        let loaded = metadata("demo", &info, &given).unwrap();
        let text = serde_json::to_string(&loaded.metadata).unwrap();
        prop_assert_eq!(&load(text.as_bytes()).unwrap().metadata, &loaded.metadata);
        // The tool itself claims nothing; each command only what a hint of its own says.
        prop_assert_eq!(&loaded.metadata.effects, &None);
        for (name, command) in &loaded.metadata.commands {
            let original = command.extra.get("x-mcp-tool").and_then(Value::as_str).unwrap_or(name);
            // Of two with one name, the first that can be read.
            let is_read = |tool: &&Value| {
                let alone = metadata("demo", &info, &json!([tool])).unwrap().metadata;
                !alone.commands.is_empty()
            };
            let mut named = tools.iter().filter(|tool| tool["name"] == original);
            let tool = named.find(is_read).unwrap();
            let hint = |hint: &str| tool["annotations"][hint].as_bool();
            let Effects { filesystem, network, idempotent, destructive, .. } = command.effects.clone().unwrap_or_default();
            let reads = hint("readOnlyHint") == Some(true);
            prop_assert!(network != Some(false));
            prop_assert!(filesystem.is_none_or(|files| reads && files.read.is_none()));
            prop_assert!(idempotent != Some(true) || reads || hint("idempotentHint") == Some(true));
            prop_assert!(destructive != Some(false) || reads || hint("destructiveHint") == Some(false));
            prop_assert!(hint("destructiveHint") != Some(true) || destructive == Some(true));
            // What must be given can be given.
            let mut flags = HashSet::new();
            for flag in command.options.iter().flat_map(|option| &option.flags) {
                prop_assert!(flag.starts_with("--") && flags.insert(flag));
            }
        }
    }
}
