//! What a person is shown before they answer: the words as they will run, what they do, why it was asked, and what the
//! sandbox will allow. No secret is in it.

use std::path::Path;

use argrail_acli::Mask;
use serde_json::{Map, Value, json};

use super::binding::{Bound, hex};
use super::legible::Code;
use super::named_files::{Found, NamedFile};
use super::named_paths::texts;
use crate::call::CommandMask;
use crate::output::Secrets;
use crate::policy::{Danger, Facts, Refused, Rules, suggested};

/// What is shown beside what the answer holds for.
pub(crate) struct About<'a> {
    /// The call, and why it asks.
    pub(crate) refused: &'a Refused,
    /// The rules that it was judged by.
    pub(crate) rules: &'a Rules,
    /// What it runs in, for people.
    pub(crate) sandbox: Value,
    /// What the client calls itself.
    pub(crate) caller_name: Option<&'a str>,
    /// What an act of an agent is beside its words.
    pub(crate) act: Option<&'a Value>,
}

/// Returns what is shown.
pub(crate) fn shown(bound: &Bound, about: &About<'_>) -> Value {
    let facts = about.refused.facts();
    let invoked = &facts.invoked;
    let argv: Vec<String> = bound
        .argv
        .iter()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let command = std::iter::once(&invoked.tool).chain(&invoked.path);
    let reasons = about.refused.decision().reasons.iter();
    let code = Code::of(facts);
    let secret = secret_words(facts, &code);
    let reasons = reasons.map(|reason| reason.without(&secret).to_json());
    let dangers = facts.dangers();
    let mut shown = Map::new();
    let mut put = |key: &str, value: Value| {
        shown.insert(key.to_owned(), value);
    };
    put("tool", json!(invoked.tool));
    put("command", json!(command.cloned().collect::<Vec<_>>().join(" ")));
    put("argv", json!(code.masked(&argv, &Secrets::none())));
    put("options", options(facts, &code));
    put("words", json!(words(facts, &code)));
    put("effects", json!(about.refused.effects()));
    put("reasons", reasons.collect());
    put("sandbox", about.sandbox.clone());
    put("cwd", json!(bound.directory.to_string_lossy()));
    put("files", bound.files.iter().filter_map(file).collect());
    put("destructive", json!(dangers.contains(&Danger::Destructive)));
    put("billable", json!(dangers.contains(&Danger::Billable)));
    put("unread", json!(dangers.contains(&Danger::Unread)));
    put("callerName", json!(about.caller_name));
    if let Some(act) = about.act {
        put("act", act.clone());
    }
    let pattern = suggested(facts, about.rules).map(|pattern| pattern.to_string());
    // A pattern repeats the words, and a grant must not keep a secret.
    put(
        "suggest",
        json!(pattern.filter(|text| CommandMask.mask(text) == *text)),
    );
    Value::Object(shown)
}

/// Words that hold a credential, each with how it is shown.
fn secret_words(facts: &Facts, code: &Code<'_>) -> Vec<(String, String)> {
    let words: Vec<String> = texts(&facts.invoked).map(str::to_owned).collect();
    let shown = code.masked(&words, &Secrets::none());
    let mut secret: Vec<(String, String)> = words
        .into_iter()
        .zip(shown)
        .filter(|(word, shown)| word != shown)
        .collect();
    secret.extend(facts.inner.iter().flat_map(|inner| secret_words(inner, code)));
    secret
}

fn options(facts: &Facts, code: &Code<'_>) -> Value {
    let option = |given: &argrail_spec::atip::Given| {
        let line: Vec<String> = std::iter::once(&given.spelt)
            .chain(&given.values)
            .cloned()
            .collect();
        let values: Vec<String> = code.masked(&line, &Secrets::none()).into_iter().skip(1).collect();
        json!({"name": given.name, "spelt": given.spelt, "values": values})
    };
    facts.invoked.options.iter().map(option).collect()
}

fn words(facts: &Facts, code: &Code<'_>) -> Vec<String> {
    let words: Vec<String> = facts.invoked.words.iter().map(|word| word.text.clone()).collect();
    code.masked(&words, &Secrets::none())
}

fn file(file: &NamedFile) -> Option<Value> {
    let path = shown_path(&file.path);
    match &file.found {
        Found::Absent | Found::Directory(_) | Found::Special => None,
        Found::File { digest, bytes, kept } => Some(json!({
            "path": path, "sha256": hex(*digest), "bytes": bytes, "snapshot": kept.is_some(),
        })),
        Found::Unread(identity) => Some(json!({"path": path, "bytes": identity.size, "snapshot": false})),
    }
}

fn shown_path(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Returns the digests of the snapshots that a question needs, in hexadecimal digits.
pub(crate) fn snapshots(shown: &Value) -> impl Iterator<Item = &str> {
    let files = shown.get("files").and_then(Value::as_array);
    let content = shown.pointer("/act/content");
    let kept = files
        .into_iter()
        .flatten()
        .chain(content)
        .filter(|file| file.get("snapshot") == Some(&Value::Bool(true)));
    kept.filter_map(|file| file.get("sha256")?.as_str())
}
