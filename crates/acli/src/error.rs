//! The codes agents branch on, and the error object they read (ACLI §5.1.2, §5.2).
//!
//! An error has three readers: a program branches on the code, a person reads the message, an agent
//! retries from the hint. Message and hint are [`Text`], so no foreign value stands in them unquoted.

use std::fmt;
use std::time::Duration;

use serde_json::{Map, Value};

use crate::mask::{Mask, mask_fields};
use crate::text::{Text, visible};

/// A machine-readable error code. Stable: agents and exit numbers hang on it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Code {
    /// The command string could not be read, or broke a limit.
    ParseError,
    /// No command has this name.
    CommandNotFound,
    /// The caller may not run this.
    PermissionDenied,
    /// An argument is missing, unknown or of the wrong type.
    ValidationError,
    /// The command itself failed.
    ExecutionError,
    /// The command took longer than it may.
    Timeout,
    /// The caller asked too often.
    RateLimited,
    /// A path argument leads outside the caller's roots.
    PathTraversalBlocked,
    /// Someone must sign in first.
    AuthRequired,
    /// Someone must install, trust or set the tool up first.
    SetupRequired,
    /// A set-up step failed.
    SetupFailed,
    /// An installation failed.
    InstallFailed,
    /// The installed version is outside the declared range.
    VersionMismatch,
    /// A tool's output was not what it declared.
    OutputParseFailed,
    /// The operating system cannot hold the policy, so nothing was started.
    SandboxUnavailable,
    /// A code of a crate user's own handler.
    Custom(&'static str),
}

impl Code {
    /// Returns the name on the wire.
    pub fn name(&self) -> &'static str {
        match self {
            Self::ParseError => "PARSE_ERROR",
            Self::CommandNotFound => "COMMAND_NOT_FOUND",
            Self::PermissionDenied => "PERMISSION_DENIED",
            Self::ValidationError => "VALIDATION_ERROR",
            Self::ExecutionError => "EXECUTION_ERROR",
            Self::Timeout => "TIMEOUT",
            Self::RateLimited => "RATE_LIMITED",
            Self::PathTraversalBlocked => "PATH_TRAVERSAL_BLOCKED",
            Self::AuthRequired => "AUTH_REQUIRED",
            Self::SetupRequired => "SETUP_REQUIRED",
            Self::SetupFailed => "SETUP_FAILED",
            Self::InstallFailed => "INSTALL_FAILED",
            Self::VersionMismatch => "VERSION_MISMATCH",
            Self::OutputParseFailed => "OUTPUT_PARSE_FAILED",
            Self::SandboxUnavailable => "SANDBOX_UNAVAILABLE",
            Self::Custom(name) => name,
        }
    }

    /// Returns the exit number of a process that ends with this code.
    pub fn exit(&self) -> u8 {
        match self {
            Self::ParseError | Self::CommandNotFound | Self::ValidationError | Self::PathTraversalBlocked => {
                2
            }
            Self::PermissionDenied => 3,
            Self::AuthRequired | Self::SetupRequired => 4,
            Self::SandboxUnavailable => 6,
            Self::Timeout => 124,
            Self::ExecutionError
            | Self::RateLimited
            | Self::SetupFailed
            | Self::InstallFailed
            | Self::VersionMismatch
            | Self::OutputParseFailed
            | Self::Custom(_) => 1,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A refusal or failure, as an agent reads it: code, message, hint, examples (ACLI §5.1.2).
#[derive(Debug, Clone, PartialEq)]
pub struct Error(Box<Parts>);

#[derive(Debug, Clone, PartialEq)]
struct Parts {
    code: Code,
    message: Text,
    hint: Option<Text>,
    examples: Vec<String>,
    details: Map<String, Value>,
}

/// How many examples an error shows, and how long each may be.
const EXAMPLES: usize = 3;
const EXAMPLE_LIMIT: usize = 200;

impl Error {
    /// Builds an error. Both texts are templates of the program's author; values go in with [`Text`].
    pub fn new(code: Code, message: impl Into<Text>) -> Self {
        Self(Box::new(Parts {
            code,
            message: message.into(),
            hint: None,
            examples: Vec::new(),
            details: Map::new(),
        }))
    }

    /// Builds an `EXECUTION_ERROR` from whatever went wrong inside a handler.
    pub fn execution(detail: impl fmt::Display) -> Self {
        let message = Text::new("Execution failed: {}").value(detail.to_string());
        Self::new(Code::ExecutionError, message).hint("Check input and retry")
    }

    /// Builds a `VALIDATION_ERROR`, worded as Appendix B does.
    pub fn invalid(what: impl Into<Text>, hint: impl Into<Text>) -> Self {
        let message = Text::new("Invalid argument").then(": ", what.into());
        Self::new(Code::ValidationError, message).hint(hint)
    }

    /// Builds a `PERMISSION_DENIED`, worded as Appendix B does. For a [`Gate`](crate::Gate).
    pub fn denied(command: &str) -> Self {
        Self::new(
            Code::PermissionDenied,
            Text::new("Permission denied for {}").value(command),
        )
        .hint("Check your access level: this command is not allowed here; run 'help' for what is")
        .detail("reason", "denied_by_policy")
    }

    /// Sets what to try next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Text>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// Adds commands that would work. They may come from a manifest, so they are bounded and made visible.
    #[must_use]
    pub fn examples<S: AsRef<str>>(mut self, examples: impl IntoIterator<Item = S>) -> Self {
        let bounded = examples
            .into_iter()
            .take(EXAMPLES)
            .map(|e| visible(e.as_ref(), EXAMPLE_LIMIT));
        self.0.examples = bounded.collect();
        self
    }

    /// Adds a field that a program can branch on, such as `reason` or `position`.
    #[must_use]
    pub fn detail(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.0.details.insert(name.to_owned(), value.into());
        self
    }

    /// Returns the error worded as Appendix B does, where that has one template for a code whatever happened. `elapsed` is
    /// how long the call took.
    #[must_use]
    pub(crate) fn templated(mut self, elapsed: Duration) -> Self {
        let (opening, message, hint) = if self.0.code == Code::ExecutionError {
            (
                "Execution failed: ",
                Text::new("Execution failed"),
                "Check input and retry",
            )
        } else if self.0.code == Code::Timeout {
            let ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
            let message = Text::new("Command timed out after {}ms").number(ms);
            ("Command timed out after ", message, "Try a simpler query")
        } else {
            return self;
        };
        let parts = &mut *self.0;
        let said = parts.message.to_string();
        match (said.starts_with(opening), &parts.code) {
            (true, _) => {}
            // The template ends with the time: what was said instead stands beside it.
            (false, Code::Timeout) => {
                parts.message = message;
                parts.details.entry("why").or_insert_with(|| said.into());
            }
            (false, _) => parts.message = message.then(": ", parts.message.clone()),
        }
        parts.hint = Some(match parts.hint.take() {
            None => hint.into(),
            Some(given) if given.to_string().starts_with(hint) => given,
            Some(given) => Text::new(hint).then(": ", given),
        });
        self
    }

    /// Returns the error without what must not be repeated.
    #[must_use]
    pub fn masked(mut self, mask: &dyn Mask) -> Self {
        let parts = &mut *self.0;
        parts.message = parts.message.clone().masked(mask);
        parts.hint = parts.hint.take().map(|hint| hint.masked(mask));
        for example in &mut parts.examples {
            *example = mask.mask(example).into_owned();
        }
        mask_fields(mask, &mut parts.details);
        self
    }

    /// Returns the code.
    pub fn code(&self) -> &Code {
        &self.0.code
    }

    /// Returns the exit number: that of the code, or 5 where an approval is missing or ran out.
    pub fn exit(&self) -> u8 {
        let reason = self.get_detail("reason").and_then(Value::as_str);
        match (&self.0.code, reason) {
            (Code::PermissionDenied, Some("approval_required" | "approval_expired")) => 5,
            (code, _) => code.exit(),
        }
    }

    /// Changes every text in the details: what comes from somewhere else may have to be cleaned.
    #[must_use]
    pub fn map_details(mut self, change: impl Fn(&str) -> String) -> Self {
        fn each(value: &mut Value, change: &dyn Fn(&str) -> String) {
            match value {
                Value::String(text) => *text = change(text),
                Value::Array(items) => items.iter_mut().for_each(|item| each(item, change)),
                Value::Object(fields) => fields.values_mut().for_each(|field| each(field, change)),
                Value::Null | Value::Bool(_) | Value::Number(_) => {}
            }
        }
        self.0
            .details
            .values_mut()
            .for_each(|detail| each(detail, &change));
        self
    }

    /// Returns a detail by name.
    pub fn get_detail(&self, name: &str) -> Option<&Value> {
        self.0.details.get(name)
    }

    /// Returns what to try next, if anything is known.
    pub fn hint_text(&self) -> Option<String> {
        self.0.hint.as_ref().map(Text::to_string)
    }

    /// Whether examples were set.
    pub(crate) fn has_examples(&self) -> bool {
        !self.0.examples.is_empty()
    }

    /// Returns the `error` object of the envelope.
    pub fn to_json(&self) -> Value {
        let mut out = Map::new();
        out.insert("code".into(), self.0.code.name().into());
        out.insert("message".into(), self.to_string().into());
        if let Some(hint) = self.hint_text() {
            out.insert("hint".into(), hint.into());
        }
        if !self.0.examples.is_empty() {
            out.insert("examples".into(), self.0.examples.clone().into());
        }
        for (name, value) in &self.0.details {
            out.entry(name.clone()).or_insert_with(|| value.clone());
        }
        Value::Object(out)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.message.fmt(f)
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_and_timeouts_are_worded_as_the_draft_words_them() {
        let check = |error: Error, message: &str, hint: &str| {
            let error = error.templated(Duration::from_millis(1500));
            assert_eq!(
                (error.to_string().as_str(), error.hint_text().as_deref()),
                (message, Some(hint))
            );
            // What is worded so already stays.
            assert_eq!(error.clone().templated(Duration::from_secs(9)), error);
        };
        let failed = || Error::new(Code::ExecutionError, "tool gone");
        check(failed(), "Execution failed: tool gone", "Check input and retry");
        check(
            failed().hint("Install it"),
            "Execution failed: tool gone",
            "Check input and retry: Install it",
        );
        check(
            Error::execution("x").hint("Check input and retry: or not"),
            "Execution failed: 'x'",
            "Check input and retry: or not",
        );
        check(
            Error::new(Code::Timeout, "tool timed out").hint("Ask for less"),
            "Command timed out after 1500ms",
            "Try a simpler query: Ask for less",
        );
        let other = Error::new(Code::SetupRequired, "x");
        assert_eq!(other.clone().templated(Duration::ZERO), other);
    }
}
