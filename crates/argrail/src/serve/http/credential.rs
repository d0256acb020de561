//! Which credential a request came with, as far as others need to know.

use std::sync::Arc;

use rmcp::model::Extensions;

use super::guard::SESSION;

tokio::task_local! {
    /// The credential of the request that is being answered. rmcp's session manager is not told, and
    /// sessions are bound to it.
    pub(super) static CURRENT: CallerKey;
}

/// A name for a credential that reveals nothing about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CallerKey(Arc<str>);

impl CallerKey {
    /// Returns a fresh one, for a credential that this server accepts.
    pub(super) fn random() -> std::io::Result<Self> {
        Ok(Self(format!("http-{:016x}", getrandom::u64()?).into()))
    }

    /// Returns the key of an HTTP request.
    pub(crate) fn of(extensions: &Extensions) -> Option<&str> {
        let parts = extensions.get::<http::request::Parts>()?;
        parts.extensions.get::<Self>().map(|key| &*key.0)
    }

    /// Returns the key of an HTTP request without a session.
    pub(crate) fn of_stateless(extensions: &Extensions) -> Option<&str> {
        let parts = extensions.get::<http::request::Parts>()?;
        if parts.headers.contains_key(SESSION) {
            return None;
        }
        Self::of(extensions)
    }
}
