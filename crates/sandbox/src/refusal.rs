//! A policy, or a part of one, that is not run: which part, why, and what to do about it.

use std::fmt;
use std::io;

/// Why nothing was started. Says everything that an error message needs to teach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The part of the policy: `fs.write[1]`, `exec.spawn[0]`, `limits.memory`; or `host` for the machine.
    pub field: String,
    /// What stands there, as it was written.
    pub pattern: String,
    /// Why it cannot be held. Our own words; foreign text only in quotes.
    pub reason: String,
    /// The kernel feature that is missing, when that is the cause: `user namespaces`, `landlock`.
    pub missing: Option<&'static str>,
    /// What to change.
    pub fix: String,
}

impl Refusal {
    /// Makes a refusal of one field.
    pub fn new(
        field: impl Into<String>,
        pattern: impl Into<String>,
        reason: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self {
            field: field.into(),
            pattern: pattern.into(),
            reason: reason.into(),
            missing: None,
            fix: fix.into(),
        }
    }

    /// Returns the refusal for a host that ran out of something just then, if that is what an error says: the file that
    /// was to be opened has nothing to do with it.
    pub fn exhausted(error: &io::Error) -> Option<Self> {
        let (what, fix) = match error.raw_os_error()? {
            libc::EMFILE => (
                "open files of argrail",
                "Raise the limit of open files ('ulimit -n'), or try again when fewer calls run at once",
            ),
            libc::ENFILE => ("open files of the machine", "Try again when fewer files are open"),
            libc::ENOMEM => ("memory", "Try again when more memory is free"),
            _ => return None,
        };
        Some(Self::new(
            "host",
            what,
            format!("nothing is left of it: {error}"),
            fix,
        ))
    }

    /// Names the kernel feature whose absence is the cause.
    #[must_use]
    pub fn missing(mut self, feature: &'static str) -> Self {
        self.missing = Some(feature);
        self
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {:?}: {}", self.field, self.pattern, self.reason)?;
        match self.missing {
            Some(feature) => write!(out, " (missing: {feature})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Refusal {}
