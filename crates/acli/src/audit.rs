//! The record of one call (ACLI §8.3), handed to whoever keeps it.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::envelope::milliseconds;
use crate::host::Caller;
use crate::text::{cut, visible};

/// How many characters of a command a record keeps: the most that a command may have.
const COMMAND_KEPT: usize = 10_000;

/// How many characters of a client's name a record keeps.
const NAME_KEPT: usize = 100;

/// Keeps records. Called once per call, also for refused and cancelled ones.
pub trait AuditSink: Send + Sync {
    /// Keeps one record.
    fn record(&self, entry: &AuditEntry);
}

/// One record.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditEntry {
    /// When the call came in.
    pub timestamp: jiff::Timestamp,
    /// The command string as it came, cut at the limit.
    pub command: String,
    /// The command it was understood as; empty if none.
    pub parsed_command: String,
    /// Whether it succeeded.
    pub success: bool,
    /// The error code, if it did not; `CANCELLED` if the caller gave up.
    pub error_code: Option<&'static str>,
    /// How long it took.
    pub duration: Duration,
    /// Who asked: the caller's id, and its name for itself.
    pub user_context: Value,
}

impl AuditEntry {
    /// Returns the record with the draft's field names.
    pub fn to_json(&self) -> Value {
        let mut out = Map::new();
        out.insert("timestamp".into(), self.timestamp.to_string().into());
        out.insert("command".into(), self.command.as_str().into());
        out.insert("parsed_command".into(), self.parsed_command.as_str().into());
        out.insert("success".into(), self.success.into());
        if let Some(code) = self.error_code {
            out.insert("error_code".into(), code.into());
        }
        out.insert("duration_ms".into(), milliseconds(self.duration));
        out.insert("user_context".into(), self.user_context.clone());
        Value::Object(out)
    }
}

pub(crate) fn kept_command(command: &str) -> String {
    cut(command, COMMAND_KEPT)
}

pub(crate) fn user_context(caller: &Caller) -> Value {
    let mut context = Map::new();
    context.insert("caller".into(), visible(&caller.id, NAME_KEPT).into());
    if let Some(name) = &caller.name {
        context.insert("name".into(), visible(name, NAME_KEPT).into());
    }
    Value::Object(context)
}
