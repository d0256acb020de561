//! The end of every call, as ACLI §8.3 tells it: refused, failed and cancelled ones too.
//!
//! What the handler noted about its call stands beside the draft's fields. A few notes have a place of their own in the
//! record: the tool, the decision.

use std::ffi::OsStr;
use std::io;

use argrail_acli::{AuditEntry, AuditSink};
use serde_json::{Map, Value};

use super::chain::{Chain, Durability};
use super::event::{Action, Event, Policy};
use super::record::time;
use crate::policy::Verdict;

/// How many characters of a command are kept that was refused.
const REFUSED_KEPT: usize = 1_000;

impl AuditSink for Chain {
    /// After a record that could not be kept, another one has to go through first.
    fn ready(&self) -> io::Result<()> {
        Ok(self.recovered()?)
    }

    fn record(&self, entry: &AuditEntry) -> io::Result<()> {
        let mut event = outcome(entry);
        if let Some(cut) = refused_and_long(entry) {
            let whole = entry.whole_command.as_deref().unwrap_or(&entry.command);
            event = event
                .with("command", cut)
                .with("commandLength", whole.len())
                .with("commandHash", self.argv_hash([OsStr::new(whole)])?);
        }
        self.append(&event, Durability::Soon)?;
        Ok(())
    }
}

/// The beginning of a long command that was refused before anything of it ran. Such a command costs whoever sends it
/// nothing, and is told from others by its length and hash.
fn refused_and_long(entry: &AuditEntry) -> Option<String> {
    let started = entry.success || entry.details.contains_key("intent");
    let (at, _) = entry.command.char_indices().nth(REFUSED_KEPT)?;
    (!started).then(|| format!("{}…", entry.command.get(..at).unwrap_or_default()))
}

fn outcome(entry: &AuditEntry) -> Event {
    let parsed = Some(entry.parsed_command.as_str()).filter(|parsed| !parsed.is_empty());
    let mut event = Event::new(Action::CliInvoked, &entry.user_context.caller, "cli", parsed).role("agent");
    let mut metadata = Map::with_capacity(entry.details.len() + 9);
    let mut put = |name: &str, value: Value| metadata.insert(name.to_owned(), value);
    put("timestamp", time(entry.timestamp).into());
    put("command", entry.command.as_str().into());
    put("parsed_command", entry.parsed_command.as_str().into());
    put("success", entry.success.into());
    put("ok", entry.success.into());
    if let Some(code) = entry.error_code {
        put("error_code", code.into());
    }
    put(
        "duration_ms",
        u64::try_from(entry.duration.as_millis())
            .unwrap_or(u64::MAX)
            .into(),
    );
    let context = &entry.user_context;
    let name = context
        .name
        .iter()
        .map(|name| ("name".to_owned(), Value::from(name.as_str())));
    let who = std::iter::once(("caller".to_owned(), Value::from(context.caller.as_str()))).chain(name);
    put("user_context", Value::Object(who.collect()));
    for (name, value) in &entry.details {
        put(name, value.clone());
    }
    event.policy = policy(&metadata);
    event.metadata = metadata;
    event
}

/// The decision that the call noted, if it came to one.
fn policy(metadata: &Map<String, Value>) -> Option<Policy> {
    let decision = metadata.get("decision")?.as_str()?;
    let verdicts = [Verdict::Allow, Verdict::Ask, Verdict::Deny];
    let version = metadata.get("policyVersion").and_then(Value::as_str);
    Some(Policy {
        reference: version.unwrap_or("argrail").to_owned(),
        decision: verdicts
            .into_iter()
            .find(|verdict| verdict.as_str() == decision)?,
    })
}
