//! How a command behaves, by its own words: `x-prompts`, `x-output`, `x-exit`, `x-env`, read once.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::level::json_words;
use super::super::model::Extra;
use super::types::{ExitMeaning, OutputFormat};

/// When it asks a person, and what to write instead.
#[derive(Debug, Clone, Default)]
pub(super) struct Prompts {
    pub(super) unless: Vec<String>,
    pub(super) advice: String,
}

/// What it prints, and how it is made to print JSON.
#[derive(Debug, Clone, Default)]
pub(super) struct Output {
    pub(super) format: OutputFormat,
    pub(super) json: Vec<String>,
}

/// What is said about prompting: nothing, that it does not, or when it does.
pub(super) fn prompts(extra: &Extra) -> Option<Option<Prompts>> {
    match extra.get("x-prompts")? {
        Value::Null | Value::Bool(false) => Some(None),
        Value::Object(said) => Some(Some(Prompts {
            unless: texts(said.get("unless")),
            advice: said
                .get("advice")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
        })),
        Value::Bool(true) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Some(Some(Prompts::default()))
        }
    }
}

pub(super) fn output(extra: &Extra) -> Option<Output> {
    match extra.get("x-output")? {
        Value::String(word) => Some(Output {
            format: format(word)?,
            json: Vec::new(),
        }),
        Value::Object(said) => Some(Output {
            format: said
                .get("format")
                .and_then(Value::as_str)
                .and_then(format)
                .unwrap_or_default(),
            json: said.get("json").map(json_words).unwrap_or_default(),
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
    }
}

fn format(word: &str) -> Option<OutputFormat> {
    match word {
        "text" => Some(OutputFormat::Text),
        "json" => Some(OutputFormat::Json),
        "ndjson" => Some(OutputFormat::Ndjson),
        "yaml" => Some(OutputFormat::Yaml),
        "binary" => Some(OutputFormat::Binary),
        _ => None,
    }
}

/// Reads what exit codes mean. A code or a meaning that is none says nothing.
pub(super) fn exits(extra: &Extra) -> Option<BTreeMap<i32, ExitMeaning>> {
    let said = extra.get("x-exit")?.as_object()?;
    let read = |(code, meaning): (&String, &Value)| Some((code.parse().ok()?, exit(meaning.as_str()?)?));
    Some(said.iter().filter_map(read).collect())
}

fn exit(word: &str) -> Option<ExitMeaning> {
    match word {
        "ok" => Some(ExitMeaning::Ok),
        "usage_error" => Some(ExitMeaning::UsageError),
        "auth_required" => Some(ExitMeaning::AuthRequired),
        "not_found" => Some(ExitMeaning::NotFound),
        "timeout" => Some(ExitMeaning::Timeout),
        "killed" => Some(ExitMeaning::Killed),
        "error" => Some(ExitMeaning::Error),
        _ => None,
    }
}

pub(super) fn env(extra: &Extra) -> BTreeMap<String, String> {
    let said = extra.get("x-env").and_then(Value::as_object);
    let read = |(name, value): (&String, &Value)| Some((name.clone(), value.as_str()?.to_owned()));
    said.into_iter().flatten().filter_map(read).collect()
}

/// Reads a list of texts, or one.
pub(super) fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::String(one)) => vec![one.clone()],
        Some(Value::Array(items)) => items
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) | None => Vec::new(),
    }
}
