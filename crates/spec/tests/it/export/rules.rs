//! What each provider says that a tool definition must be, as checks. They know nothing of how ours are made.

use std::collections::HashSet;

use argrail_spec::export::{Format, Strictness};
use serde_json::Value;

/// A definition, whatever the provider calls its parts.
pub(crate) struct Seen<'a> {
    pub(crate) name: &'a str,
    pub(crate) description: &'a str,
    /// The schema of all parameters; absent where there are none.
    pub(crate) parameters: Option<&'a Value>,
}

/// Takes an export apart.
pub(crate) fn seen(format: Format, tools: &Value) -> Vec<Seen<'_>> {
    let list = match format {
        Format::Openai | Format::Anthropic => tools,
        Format::Gemini => &tools["functionDeclarations"],
        Format::Mcp => &tools["tools"],
        Format::Atip => return Vec::new(),
    };
    list.as_array()
        .unwrap()
        .iter()
        .map(|tool| {
            let (tool, schema) = match format {
                Format::Openai => (&tool["function"], "parameters"),
                Format::Anthropic => (tool, "input_schema"),
                Format::Gemini => (tool, "parameters"),
                Format::Mcp | Format::Atip => (tool, "inputSchema"),
            };
            Seen {
                name: tool["name"].as_str().unwrap(),
                description: tool["description"].as_str().unwrap(),
                parameters: tool.get(schema),
            }
        })
        .collect()
}

/// Checks an export against the provider's rules and returns what breaks them.
pub(crate) fn broken(format: Format, strictness: Strictness, tools: &Value) -> Vec<String> {
    let mut broken = Vec::new();
    let mut names = HashSet::new();
    for tool in seen(format, tools) {
        let mut rule = |holds: bool, what: &str| {
            if !holds {
                broken.push(format!("{}: {what}", tool.name));
            }
        };
        rule(names.insert(tool.name), "two of one name");
        rule(
            is_made_of(tool.name, 64, "_-"),
            "characters or length of the name",
        );
        rule(
            !tool.name.starts_with(|c: char| c.is_ascii_digit() || c == '-'),
            "start of the name",
        );
        rule(
            tool.description.chars().count() <= 1024,
            "length of the description",
        );
        rule(!tool.description.is_empty(), "no description");
        rule(
            is_visible(&tool.description.replace('\n', "")),
            "invisible characters",
        );
        match (format, tool.parameters) {
            (Format::Gemini, None) => {}
            (_, None) => rule(false, "no schema"),
            (Format::Gemini, Some(schema)) => {
                rule(schema["type"] == "OBJECT", "the root is no object");
                walk(schema, &mut |schema| gemini(schema, &mut rule));
            }
            (_, Some(schema)) => {
                rule(schema["type"] == "object", "the root is no object");
                walk(schema, &mut |schema| plain(schema, &mut rule));
            }
        }
        let is_strict = strictness == Strictness::Strict && format == Format::Openai;
        if let (true, Some(schema)) = (is_strict, tool.parameters) {
            walk(schema, &mut |schema| strict(schema, &mut rule));
        }
    }
    broken
}

/// Calls `check` with a schema and every one inside it.
fn walk(schema: &Value, check: &mut dyn FnMut(&Value)) {
    check(schema);
    let properties = schema.get("properties").and_then(Value::as_object);
    properties
        .into_iter()
        .flatten()
        .for_each(|(_, schema)| walk(schema, check));
    if let Some(items) = schema.get("items") {
        walk(items, check);
    }
}

fn is_made_of(name: &str, length: usize, others: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || others.contains(c);
    (1..=length).contains(&name.len()) && name.chars().all(is_allowed)
}

fn is_visible(text: &str) -> bool {
    !text.chars().any(argrail_acli::is_invisible)
}

fn keys(schema: &Value) -> Vec<&String> {
    schema.as_object().unwrap().keys().collect()
}

fn names(schema: &Value, of: &str) -> HashSet<String> {
    match schema.get(of) {
        Some(Value::Object(members)) => members.keys().cloned().collect(),
        Some(Value::Array(items)) => items
            .iter()
            .map(|item| item.as_str().unwrap().to_owned())
            .collect(),
        Some(_) | None => HashSet::new(),
    }
}

/// JSON Schema as OpenAI (not strict), Anthropic and MCP take it.
fn plain(schema: &Value, rule: &mut dyn FnMut(bool, &str)) {
    let (properties, required) = (names(schema, "properties"), names(schema, "required"));
    rule(required.is_subset(&properties), "required, and not there");
    rule(
        properties.iter().all(|name| is_made_of(name, 64, "_.-")),
        "name of a property",
    );
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        let unique: HashSet<String> = values.iter().map(Value::to_string).collect();
        rule(
            !values.is_empty() && unique.len() == values.len(),
            "choices are empty or double",
        );
    }
    if let Some(description) = schema.get("description") {
        rule(
            description.as_str().is_some_and(is_visible),
            "description of a parameter",
        );
    }
}

/// The published rules of strict mode.
fn strict(schema: &Value, rule: &mut dyn FnMut(bool, &str)) {
    let known = [
        "type",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "enum",
        "description",
    ];
    rule(
        keys(schema).iter().all(|key| known.contains(&key.as_str())),
        "a keyword that strict mode lacks",
    );
    if schema["type"] == "object" {
        rule(schema["additionalProperties"] == false, "additionalProperties");
        rule(
            names(schema, "properties") == names(schema, "required"),
            "not every property is required",
        );
    }
    let nullable = schema["type"]
        .as_array()
        .is_some_and(|kinds| kinds.contains(&"null".into()));
    if let (true, Some(values)) = (nullable, schema.get("enum")) {
        rule(
            values.as_array().unwrap().contains(&Value::Null),
            "null is no choice",
        );
    }
}

/// The subset of OpenAPI that function declarations take.
fn gemini(schema: &Value, rule: &mut dyn FnMut(bool, &str)) {
    let known = [
        "type",
        "properties",
        "required",
        "items",
        "enum",
        "description",
        "nullable",
    ];
    rule(
        keys(schema).iter().all(|key| known.contains(&key.as_str())),
        "a keyword outside the subset",
    );
    let kinds = ["STRING", "INTEGER", "NUMBER", "BOOLEAN", "ARRAY", "OBJECT"];
    let kind = schema["type"].as_str().unwrap_or_default();
    rule(kinds.contains(&kind), "the type");
    rule(
        schema.get("enum").is_none() || kind == "STRING",
        "choices that are no text",
    );
    let texts = |values: &Value| values.as_array().unwrap().iter().all(Value::is_string);
    rule(schema.get("enum").is_none_or(texts), "a choice that is no text");
    rule(
        kind != "OBJECT" || !names(schema, "properties").is_empty(),
        "an object without properties",
    );
    let is_name =
        |name: &String| is_made_of(name, 64, "_") && !name.starts_with(|c: char| c.is_ascii_digit());
    rule(
        names(schema, "properties").iter().all(is_name),
        "name of a property",
    );
    rule(
        names(schema, "required").is_subset(&names(schema, "properties")),
        "required, and not there",
    );
}

#[test]
fn the_rules_can_be_broken() {
    use serde_json::json;
    let check = |format: Format, strictness: Strictness, tools: Value, want: &str| {
        let found = broken(format, strictness, &tools);
        assert!(
            found.iter().any(|found| found.contains(want)),
            "{want}: {found:?}"
        );
    };
    let tool = |name: &str, schema: Value| {
        json!([{"type": "function", "function": {
            "name": name, "description": "d", "parameters": schema,
        }}])
    };
    let (openai, gemini) = (Format::Openai, Format::Gemini);
    check(
        openai,
        Strictness::Plain,
        tool("a b", json!({"type": "object"})),
        "characters",
    );
    check(
        openai,
        Strictness::Plain,
        tool("7", json!({"type": "object"})),
        "start",
    );
    check(
        openai,
        Strictness::Plain,
        tool("a", json!({"type": "object", "required": ["x"]})),
        "required",
    );
    let optional =
        json!({"type": "object", "properties": {"x": {"type": "string"}}, "additionalProperties": false});
    check(
        openai,
        Strictness::Strict,
        tool("a", optional),
        "not every property",
    );
    let default = json!({"type": "object", "additionalProperties": false, "properties": {}, "default": 1});
    check(openai, Strictness::Strict, tool("a", default), "a keyword");
    let declare = |schema: Value| json!({"functionDeclarations": [{"name": "a", "description": "d", "parameters": schema}]});
    check(
        gemini,
        Strictness::Plain,
        declare(json!({"type": "OBJECT", "properties": {}})),
        "without properties",
    );
    let dashed = json!({"type": "OBJECT", "properties": {"a-b": {"type": "STRING"}}});
    check(gemini, Strictness::Plain, declare(dashed), "name of a property");
    let numbers = json!({"type": "OBJECT", "properties": {"a": {"type": "INTEGER", "enum": [1]}}});
    check(
        gemini,
        Strictness::Plain,
        declare(numbers),
        "choices that are no text",
    );
}
