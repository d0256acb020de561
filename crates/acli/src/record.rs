//! The record of one call while it runs (ACLI §8.3): opened before anything is done, kept whatever becomes of it.

use std::borrow::Cow;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value};

use crate::audit::{AuditEntry, AuditSink, COMMAND_KEPT, UserContext, unrecorded};
use crate::envelope::{Answer, Envelope};
use crate::error::Error;
use crate::host::{Caller, Host};
use crate::mask::{KnownOnly, Mask, mask_fields};
use crate::rate::Limited;
use crate::text::{Text, cut};

/// What a handler adds to the record of its call: facts, and what must not be repeated of it.
#[derive(Clone)]
pub(crate) struct Notes(Arc<Mutex<Noted>>);

struct Noted {
    facts: Map<String, Value>,
    mask: Option<Arc<dyn Mask>>,
    /// Whether the mask is the call's own.
    concealed: bool,
}

impl Notes {
    fn new(mask: Option<Arc<dyn Mask>>) -> Self {
        Self(Arc::new(Mutex::new(Noted {
            facts: Map::new(),
            mask,
            concealed: false,
        })))
    }

    pub(crate) fn add(&self, name: &str, value: Value) {
        self.noted(|noted| noted.facts.insert(name.to_owned(), value));
    }

    /// Sets what must not be repeated of this call.
    pub(crate) fn conceal(&self, mask: Arc<dyn Mask>) {
        self.noted(|noted| {
            noted.mask = Some(mask);
            noted.concealed = true;
        });
    }

    /// Returns a text without what must not be repeated.
    pub(crate) fn masked(&self, text: Text) -> Text {
        match self.noted(|noted| noted.mask.clone()) {
            Some(mask) => text.masked(mask.as_ref()),
            None => text,
        }
    }

    fn noted<T>(&self, work: impl FnOnce(&mut Noted) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
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
        mask: Option<Arc<dyn Mask>>,
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
            notes: Notes::new(mask),
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
        let mask = self.mask(outcome.is_err());
        let outcome = outcome.map_err(|error| error.templated(duration));
        let outcome = match &mask {
            Some(mask) => outcome
                .map(|answer| answer.masked(mask.as_ref()))
                .map_err(|error| error.masked(mask.as_ref())),
            None => outcome,
        };
        let command = masked(self.command, mask.as_deref());
        let code = outcome.as_ref().err().map(|error| error.code().name());
        let kept = self.write(&command, mask.as_deref(), code, duration);
        self.closed = true;
        let outcome = match kept {
            Ok(()) => outcome,
            Err(error) => Err(unrecorded(error)),
        };
        let shown = outcome.is_ok().then_some(duration);
        Envelope::new(&command, outcome, shown)
    }

    /// Refuses a caller that asks too often. Of refusals in a row only a few are recorded: they cost nothing to provoke,
    /// and the record has no end.
    pub(crate) fn close_limited(mut self, refused: Limited) -> Envelope {
        if refused.is_recorded() {
            self.notes.add("refused_in_a_row", refused.in_a_row.into());
        } else {
            self.audit = None;
        }
        self.close(Err(refused.error()))
    }

    /// What must not be repeated. A call that never came to its handler has a command whose secrets are still known.
    fn mask(&self, failed: bool) -> Option<Arc<dyn Mask>> {
        let (mask, concealed) = self.notes.noted(|noted| (noted.mask.clone(), noted.concealed));
        let name = self.parsed.split(' ').next().filter(|name| !name.is_empty());
        match (mask, name) {
            (Some(mask), Some(name)) if failed && !concealed => mask.of_command(name).or(Some(mask)),
            (mask, _) => mask,
        }
    }

    fn write(
        &mut self,
        command: &str,
        mask: Option<&dyn Mask>,
        error_code: Option<&'static str>,
        duration: Duration,
    ) -> io::Result<()> {
        let Some((audit, user_context)) = self.audit.zip(self.context.take()) else {
            return Ok(());
        };
        let mut details = self.notes.noted(|noted| std::mem::take(&mut noted.facts));
        if let Some(mask) = mask {
            mask_fields(&KnownOnly(mask), &mut details);
        }
        let kept = cut(command, COMMAND_KEPT);
        audit.record(&AuditEntry {
            timestamp: self.timestamp,
            whole_command: (kept != command).then(|| command.to_owned()),
            command: kept,
            parsed_command: std::mem::take(&mut self.parsed),
            success: error_code.is_none(),
            error_code,
            duration,
            user_context,
            details,
        })
    }
}

fn masked<'t>(command: &'t str, mask: Option<&dyn Mask>) -> Cow<'t, str> {
    match mask {
        Some(mask) => mask.mask(command),
        None => Cow::Borrowed(command),
    }
}

impl Drop for Record<'_> {
    fn drop(&mut self) {
        if !self.closed {
            let duration = self.host.elapsed().saturating_sub(self.started);
            let mask = self.mask(true);
            let command = masked(self.command, mask.as_deref());
            // Nobody waits for this answer, so nobody can be told that its record failed.
            let _ = self.write(&command, mask.as_deref(), Some("CANCELLED"), duration);
        }
    }
}
