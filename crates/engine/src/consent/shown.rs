//! What a person is shown before they answer: the words as they will run, what they do, why it was asked, and what the
//! sandbox will allow. No secret is in it.

use std::path::Path;

use argrail_acli::{KnownOnly, Mask, mask_fields};
use serde_json::{Map, Value, json};

use super::binding::Bound;
use super::instructions::written_instructions;
use super::legible::Code;
use super::named_files::{Found, NamedFile};
use super::named_paths::texts;
use crate::output::CommandMask;
use crate::policy::{CallShape, Danger, Facts, Refused, Rules, Suggestion, suggested};

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
    /// Which session asks.
    pub(crate) session: &'a str,
    /// What an act of an agent is beside its words.
    pub(crate) act: Option<&'a Value>,
    /// What nobody is told.
    pub(crate) mask: &'a CommandMask,
    /// Which options calls of a command can have, where that is known.
    pub(crate) known_options: &'a dyn Fn(&CallShape) -> Option<Vec<String>>,
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
    let secret = secret_words(facts, &code, about.mask);
    let reasons = reasons.map(|reason| reason.without(&secret).to_json());
    let dangers = facts.dangers();
    let mut shown = Map::new();
    let mut put = |key: &str, value: Value| {
        shown.insert(key.to_owned(), value);
    };
    put("tool", json!(invoked.tool));
    put("command", json!(command.cloned().collect::<Vec<_>>().join(" ")));
    put("argv", json!(code.masked(&argv, about.mask)));
    put("options", options(facts, &code, about.mask));
    put("words", json!(words(facts, &code, about.mask)));
    put("effects", json!(about.refused.effects()));
    put("reasons", reasons.collect());
    put("sandbox", about.sandbox.clone());
    put("cwd", json!(bound.directory.to_string_lossy()));
    put("files", bound.files.iter().filter_map(file).collect());
    put("destructive", json!(dangers.contains(&Danger::Destructive)));
    put("billable", json!(dangers.contains(&Danger::Billable)));
    put("unread", json!(dangers.contains(&Danger::Unread)));
    put("callerName", json!(about.caller_name));
    put("session", json!(about.session));
    put("newHosts", json!(about.refused.new_hosts(about.rules)));
    put("usesCredentials", json!(facts.uses_credentials()));
    if let Some(act) = about.act {
        put("act", act.clone());
    }
    let instructions = written_instructions(facts, &bound.files);
    if !instructions.is_empty() {
        put("instructions", json!(instructions));
    }
    // A pattern repeats the words, and a grant must not keep a secret.
    let suggestion = suggested(facts, about.rules).filter(|Suggestion { pattern, .. }| {
        let text = pattern.to_string();
        about.mask.mask(&text) == text
    });
    let text = suggestion
        .as_ref()
        .map(|suggestion| suggestion.pattern.to_string());
    put("suggest", json!(text));
    if let Some(Suggestion { call, .. }) = suggestion {
        put(
            "scope",
            json!({"call": call, "options": (about.known_options)(&call)}),
        );
    }
    // Paths, reasons, effects and what an act will write may hold what is known, too.
    mask_fields(&KnownOnly(about.mask), &mut shown);
    Value::Object(shown)
}

/// Words that hold a credential, each with how it is shown.
fn secret_words(facts: &Facts, code: &Code<'_>, mask: &CommandMask) -> Vec<(String, String)> {
    let words: Vec<String> = texts(&facts.invoked).map(str::to_owned).collect();
    let shown = code.masked(&words, mask);
    let mut secret: Vec<(String, String)> = words
        .into_iter()
        .zip(shown)
        .filter(|(word, shown)| word != shown)
        .collect();
    secret.extend(
        facts
            .inner
            .iter()
            .flat_map(|inner| secret_words(inner, code, mask)),
    );
    secret
}

fn options(facts: &Facts, code: &Code<'_>, mask: &CommandMask) -> Value {
    let option = |given: &argrail_spec::atip::Given| {
        let line: Vec<String> = std::iter::once(&given.spelt)
            .chain(&given.values)
            .cloned()
            .collect();
        let values: Vec<String> = code.masked(&line, mask).into_iter().skip(1).collect();
        json!({"name": given.name, "spelt": given.spelt, "values": values})
    };
    facts.invoked.options.iter().map(option).collect()
}

fn words(facts: &Facts, code: &Code<'_>, mask: &CommandMask) -> Vec<String> {
    let words: Vec<String> = facts.invoked.words.iter().map(|word| word.text.clone()).collect();
    code.masked(&words, mask)
}

fn file(file: &NamedFile) -> Option<Value> {
    let path = shown_path(&file.path);
    match &file.found {
        Found::Absent | Found::Directory(_) | Found::Special => None,
        Found::File { digest, bytes, kept } => Some(json!({
            "path": path, "sha256": digest.hex(), "bytes": bytes, "snapshot": kept.is_some(),
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
