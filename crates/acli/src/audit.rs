//! The record of one call (ACLI §8.3), handed to whoever keeps it.

use std::io;
use std::time::Duration;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::envelope::milliseconds;
use crate::error::{Code, Error};
use crate::host::Caller;
use crate::text::{Text, visible};

/// How many characters of a command a record keeps: the most that a command may have.
pub(crate) const COMMAND_KEPT: usize = 10_000;

/// How many characters of a client's name a record keeps.
const NAME_KEPT: usize = 100;

/// Keeps records. Nothing is answered that it does not keep.
pub trait AuditSink: Send + Sync {
    /// Tells whether a record could be kept now. Asked before a command runs.
    ///
    /// # Errors
    /// Why not; the command is then refused.
    fn ready(&self) -> io::Result<()> {
        Ok(())
    }

    /// Keeps one record: one for each call, also for refused and cancelled ones.
    ///
    /// # Errors
    /// Why it could not be kept; the answer is then withheld.
    fn record(&self, entry: &AuditEntry) -> io::Result<()>;
}

/// What is answered instead of an answer that cannot be recorded: what the sink itself says, if it says it as an
/// [`Error`].
pub(crate) fn unrecorded(error: io::Error) -> Error {
    let error = match error.downcast::<Error>() {
        Ok(told) => return told,
        Err(error) => error,
    };
    let message = Text::new("Execution failed: the record could not be kept: {}").value(error.to_string());
    Error::new(Code::ExecutionError, message)
        .hint("Nothing is answered without a record: ask a person to look at its disk")
}

/// One record. Serialises with the draft's field names.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AuditEntry {
    /// When the call came in.
    #[serde(serialize_with = "as_text")]
    pub timestamp: jiff::Timestamp,
    /// The command string as it came, masked, cut at the limit.
    pub command: String,
    /// All of it, where it was cut: what tells one long refused command from another.
    #[serde(skip)]
    pub whole_command: Option<String>,
    /// The command it was understood as; empty if none.
    pub parsed_command: String,
    /// Whether it succeeded.
    pub success: bool,
    /// The error code, if it did not; `CANCELLED` if the caller gave up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_code: Option<&'static str>,
    /// How long it took.
    #[serde(rename = "duration_ms", serialize_with = "as_milliseconds")]
    pub duration: Duration,
    /// Who asked: the caller's id, and its name for itself.
    pub user_context: UserContext,
    /// What the command itself has to say about its run.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub details: Map<String, Value>,
}

/// Who asked, by its own word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UserContext {
    /// The caller's id.
    pub caller: String,
    /// What the client calls itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl UserContext {
    /// Returns how a caller stands in records: visible, and bounded.
    pub fn of(caller: &Caller) -> Self {
        let name = caller.name.as_deref().map(|name| visible(name, NAME_KEPT));
        Self {
            caller: visible(&caller.id, NAME_KEPT),
            name,
        }
    }
}

fn as_text<S: Serializer>(timestamp: &jiff::Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(timestamp)
}

fn as_milliseconds<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    milliseconds(*duration).serialize(serializer)
}
