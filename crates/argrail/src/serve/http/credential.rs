//! Which credential a request came with, as far as others need to know.

use std::sync::Arc;

use argrail_spec::digest::Digest;
use rmcp::model::Extensions;

use super::guard::SESSION;

/// How much of a digest names a credential.
const NAME: usize = 16;

/// Says whether a person made this secret, at a terminal, for a client that speaks for them.
pub type SpeaksForAPerson = Arc<dyn Fn(&str) -> bool + Send + Sync>;

tokio::task_local! {
    /// The credential of the request that is being answered. rmcp's session manager is not told, and
    /// sessions are bound to it.
    pub(super) static CURRENT: CallerKey;
}

/// A name for a credential that reveals nothing about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CallerKey {
    name: Arc<str>,
    speaks: Speaks,
}

/// For whom whoever has the credential speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Speaks {
    /// For itself.
    ForItself,
    /// For the person who made the credential.
    ForAPerson,
}

impl CallerKey {
    /// Returns a fresh one, for the credential of this server itself.
    pub(super) fn random() -> std::io::Result<Self> {
        Ok(Self {
            name: format!("http-{:016x}", getrandom::u64()?).into(),
            speaks: Speaks::ForItself,
        })
    }

    /// Returns that of a secret which a person made for a client that speaks for them.
    pub(super) fn of_a_person(secret: &str) -> Self {
        let digest = Digest::of(secret).to_string();
        let digits = digest.rsplit(':').next().unwrap_or_default();
        let name: String = digits.chars().take(NAME).collect();
        Self {
            name: format!("http-{name}").into(),
            speaks: Speaks::ForAPerson,
        }
    }

    /// Returns the key of an HTTP request.
    pub(crate) fn of(extensions: &Extensions) -> Option<&str> {
        Self::found(extensions).map(|key| &*key.name)
    }

    /// Whether an HTTP request came with a credential that a person made for a client that speaks for them.
    pub(crate) fn speaks_for_a_person(extensions: &Extensions) -> bool {
        Self::found(extensions).is_some_and(|key| key.speaks == Speaks::ForAPerson)
    }

    /// Returns the key of an HTTP request without a session.
    pub(crate) fn of_stateless(extensions: &Extensions) -> Option<&str> {
        let parts = extensions.get::<http::request::Parts>()?;
        if parts.headers.contains_key(SESSION) {
            return None;
        }
        Self::of(extensions)
    }

    fn found(extensions: &Extensions) -> Option<&Self> {
        extensions.get::<http::request::Parts>()?.extensions.get()
    }
}
