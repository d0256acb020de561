//! One command as a `TOOL.md`.

use serde_json::{Map, Value, json};

use super::argv::inputs;
use super::effects::claims;
use super::sandbox::Needs;
use super::yaml;
use crate::atip::Leaf;
use crate::export::line;

/// Meanings of exit codes that everybody knows.
const MEANINGS: [&str; 6] = [
    "ok",
    "error",
    "usage_error",
    "auth_required",
    "not_found",
    "timeout",
];

/// Returns the text, and whether something of the command is left out.
pub(super) fn tool(id: &str, slug: &str, bin: &str, leaf: &Leaf<'_>, needs: &Needs) -> (String, bool) {
    let inputs = inputs(leaf);
    let title = std::iter::once(bin).chain(leaf.path.iter().copied());
    let title = line(&title.collect::<Vec<_>>().join(" "), 80);
    let mut out = Map::new();
    out.insert("name".to_owned(), title.clone().into());
    out.insert("id".to_owned(), format!("{id}.{slug}").into());
    let description = match line(leaf.description, 2000) {
        text if text.is_empty() => title.clone(),
        text => text,
    };
    out.insert("description".to_owned(), description.into());
    out.insert("version".to_owned(), "1.0.0".into());
    out.insert("inputs".to_owned(), inputs.schema);
    let printed = "What it printed";
    out.insert(
        "outputs".to_owned(),
        json!({"type": ["string", "object", "array", "number", "boolean", "null"], "description": printed}),
    );
    claims(leaf, &mut out);
    if let Some(output) = output(leaf) {
        out.insert("output".to_owned(), output);
    }
    if let Some(narrowed) = needs.narrowed(leaf) {
        out.insert("sandbox".to_owned(), narrowed);
    }
    out.insert(
        "runner".to_owned(),
        json!({"cli": "../../CLI.md", "argv": inputs.argv}),
    );
    let text = format!("---\n{}---\n`{title}`\n", yaml::members(&out));
    (text, inputs.left_out)
}

/// How a command prints, where the metadata says so.
fn output(leaf: &Leaf<'_>) -> Option<Value> {
    let extra = &leaf.command?.extra;
    let mut out = Map::new();
    let printed = extra.get("x-output");
    let format = printed.and_then(|printed| match printed {
        Value::Object(printed) => printed.get("format")?.as_str(),
        Value::String(format) => Some(format.as_str()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
    });
    if let Some(format) = format.filter(|format| ["json", "yaml", "binary"].contains(format)) {
        out.insert("default_format".to_owned(), format.into());
    }
    let words = printed.and_then(|printed| printed.get("json")?.as_array());
    let words: Option<Vec<&str>> = words.and_then(|words| words.iter().map(Value::as_str).collect());
    let plain = |word: &&str| {
        word.chars()
            .all(|c| c.is_ascii_alphanumeric() || "-=_".contains(c))
    };
    if let Some(words) = words.filter(|words| !words.is_empty() && words.iter().all(plain)) {
        out.insert("json_flag".to_owned(), words.join(" ").into());
    }
    let codes: Map<String, Value> = extra
        .get("x-exit")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .filter(|(code, meaning)| {
            code.parse::<u8>().is_ok()
                && meaning
                    .as_str()
                    .is_some_and(|meaning| MEANINGS.contains(&meaning))
        })
        .map(|(code, meaning)| (code.clone(), meaning.clone()))
        .collect();
    if !codes.is_empty() {
        out.insert("exit_codes".to_owned(), Value::Object(codes));
    }
    (!out.is_empty()).then_some(Value::Object(out))
}
