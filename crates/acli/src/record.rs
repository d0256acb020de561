//! The record of one call while it runs (ACLI §8.3): opened before anything is done, kept whatever becomes of it.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value};

use crate::audit::{AuditEntry, AuditSink, UserContext, kept_command, unrecorded};
use crate::envelope::{Answer, Envelope};
use crate::error::Error;
use crate::host::{Caller, Host};

/// Facts that a handler adds to the record of its call.
#[derive(Debug, Clone, Default)]
pub(crate) struct Notes(Arc<Mutex<Map<String, Value>>>);

impl Notes {
    pub(crate) fn add(&self, name: &str, value: Value) {
        let mut notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        notes.insert(name.to_owned(), value);
    }

    fn take(&self) -> Map<String, Value> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Keeps the record of one call, also when the call is dropped half-way.
pub(crate) struct Record<'a> {
    host: &'a dyn Host,
    audit: Option<&'a dyn AuditSink>,
    command: &'a str,
    context: Option<UserContext>,
    started: Duration,
    timestamp: jiff::Timestamp,
    /// The command it was understood as.
    pub(crate) parsed: String,
    notes: Notes,
    closed: bool,
}

impl<'a> Record<'a> {
    pub(crate) fn open(
        host: &'a dyn Host,
        audit: Option<&'a dyn AuditSink>,
        command: &'a str,
        caller: &Caller,
    ) -> Self {
        let kept = audit.is_some();
        Self {
            host,
            audit,
            command,
            context: kept.then(|| UserContext::of(caller)),
            started: host.elapsed(),
            timestamp: if kept {
                host.now()
            } else {
                jiff::Timestamp::UNIX_EPOCH
            },
            parsed: String::new(),
            notes: Notes::default(),
            closed: false,
        }
    }

    /// Returns where the handler writes its facts.
    pub(crate) fn notes(&self) -> Notes {
        self.notes.clone()
    }

    /// Keeps the record and wraps the outcome. An answer that cannot be recorded is withheld.
    pub(crate) fn close(mut self, outcome: Result<Answer, Error>) -> Envelope {
        let duration = self.host.elapsed().saturating_sub(self.started);
        let kept = self.write(outcome.as_ref().err().map(|error| error.code().name()), duration);
        self.closed = true;
        let outcome = match kept {
            Ok(()) => outcome,
            Err(error) => Err(unrecorded(&error)),
        };
        let shown = outcome.is_ok().then_some(duration);
        Envelope::new(self.command, outcome, shown)
    }

    fn write(&mut self, error_code: Option<&'static str>, duration: Duration) -> io::Result<()> {
        let Some((audit, user_context)) = self.audit.zip(self.context.take()) else {
            return Ok(());
        };
        audit.record(&AuditEntry {
            timestamp: self.timestamp,
            command: kept_command(self.command),
            parsed_command: std::mem::take(&mut self.parsed),
            success: error_code.is_none(),
            error_code,
            duration,
            user_context,
            details: self.notes.take(),
        })
    }
}

impl Drop for Record<'_> {
    fn drop(&mut self) {
        if !self.closed {
            let duration = self.host.elapsed().saturating_sub(self.started);
            // Nobody waits for this answer, so nobody can be told that its record failed.
            let _ = self.write(Some("CANCELLED"), duration);
        }
    }
}
