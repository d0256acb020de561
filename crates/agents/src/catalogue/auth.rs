//! Whether somebody is signed in to an agent, as far as variables and files of its own home show it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use super::agent::Agent;

/// Whether somebody is signed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignedIn {
    /// Nobody has to.
    NotNeeded,
    /// A variable or a file shows it.
    Yes,
    /// Nothing shows it.
    No,
}

impl SignedIn {
    /// Looks at variables of the caller, and at the agent's own home.
    pub(super) fn look(agent: &Agent, environment: &BTreeMap<OsString, OsString>, home: &Path) -> Self {
        let Some(auth) = &agent.bundle.agent.auth else {
            return Self::NotNeeded;
        };
        let paths = auth.state.as_ref().and_then(|state| state.paths.as_deref());
        let exists = |path: &str| match path.trim_end_matches("/**").strip_prefix("~/") {
            Some(rest) => home.join(rest).exists(),
            None => false,
        };
        let is_set = |name: &str| {
            let value = environment.get(OsStr::new(name));
            value.is_some_and(|value| !value.is_empty())
        };
        let by_file = paths.unwrap_or_default().iter().any(|path| exists(&path.value));
        match by_file || variables(agent).into_iter().any(is_set) {
            true => Self::Yes,
            false => Self::No,
        }
    }

    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotNeeded => "none",
            Self::Yes => "authed",
            Self::No => "unauthed",
        }
    }
}

/// The variables that hold keys.
pub(super) fn variables(agent: &Agent) -> Vec<&str> {
    let manifest = &agent.bundle.agent;
    let state = manifest.auth.as_ref().and_then(|auth| auth.state.as_ref());
    let named = state.and_then(|state| state.env.as_deref()).unwrap_or_default();
    let of_models = manifest.models.iter().flat_map(|models| models.keys());
    let mut all: Vec<&str> = Vec::new();
    for name in named.iter().chain(of_models).map(|name| name.value.as_str()) {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all
}
