//! What hooks are given and what they give back: the types of the draft's `defineCli`, under its names on the wire.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What the manifest says that a program prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OutputFormat {
    /// For people.
    Text,
    /// JSON.
    Json,
    /// YAML.
    Yaml,
    /// Neither.
    Binary,
}

/// What was expected of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expected {
    /// As what it is printed.
    pub format: OutputFormat,
}

/// A program that has ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ParseOutputArgs {
    /// Its exit code.
    pub exit_code: i32,
    /// What it printed.
    pub stdout: String,
    /// What it said.
    pub stderr: String,
    /// What the manifest declared.
    pub expected: Expected,
}

/// What the output means.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ParseOutputResult {
    /// Whether it is a result.
    pub ok: bool,
    /// The result.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub value: Option<Value>,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<ParseOutputError>,
}

/// What went wrong, in the words of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParseOutputError {
    /// A code such as `not_found`.
    pub code: String,
    /// For people.
    pub message: String,
    /// Whether a second try may work.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub retryable: Option<bool>,
}

/// A program that has ended, and may have lost its login.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DetectExpiryArgs {
    /// Its exit code.
    pub exit_code: i32,
    /// What it printed.
    pub stdout: String,
    /// What it said.
    pub stderr: String,
}

/// Who calls, and from where.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CliContext {
    /// Where a person would answer: `terminal`, `web`, `headless`.
    pub surface: String,
    /// The user.
    pub user: Option<String>,
    /// The workspace.
    pub workspace: Option<String>,
    /// What the host can do, such as opening a browser.
    pub capabilities: Map<String, Value>,
}

/// A wish to stop. Hooks that wait look at it often.
#[derive(Debug, Clone, Default)]
pub struct Signal(Arc<AtomicBool>);

impl Signal {
    /// Asks whoever holds a copy to stop.
    pub fn abort(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked to stop.
    pub fn is_aborted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What a login gets.
#[derive(Debug, Clone)]
pub struct LoginArgs {
    /// Who calls.
    pub context: CliContext,
    /// The wish to stop, which must be honoured.
    pub signal: Signal,
}

/// What came of a login.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoginResult {
    /// Somebody is signed in.
    Done,
    /// Nobody is.
    Failed {
        /// Why.
        reason: LoginFailure,
        /// For people.
        message: Option<String>,
    },
}

/// Why nobody is signed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoginFailure {
    /// The person gave up.
    UserCancelled,
    /// The browser did not come back.
    CallbackFailed,
    /// The other side failed.
    UpstreamError,
}

/// What a refresh gets.
#[derive(Debug, Clone)]
pub struct RefreshArgs {
    /// Who calls.
    pub context: CliContext,
    /// The wish to stop.
    pub signal: Signal,
}

/// What came of a refresh.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefreshResult {
    /// The login is fresh.
    Done {
        /// When to come again, as ISO 8601.
        next_refresh_at: Option<String>,
    },
    /// It is not.
    Failed {
        /// Why.
        reason: RefreshFailure,
        /// For people.
        message: Option<String>,
    },
}

/// Why a login is not fresh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefreshFailure {
    /// It is lost.
    AuthExpired,
    /// The other side failed.
    UpstreamError,
}
