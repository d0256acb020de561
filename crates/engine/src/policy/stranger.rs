//! Code in a call that nobody vouches for: with it, whatever the call may read is read by a stranger.
//!
//! Credentials are for the tool that a settled description names, so they and a stranger meet only where a person said
//! yes to exactly that call.

use argrail_spec::atip::Effects;
use serde_json::Value;

use super::facts::{Basis, Facts};
use super::program::Purity;

/// Whose code runs in a call beside the tool's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stranger {
    /// Code that is found in the workspace (`x-runs`).
    WorkspaceCode,
    /// The text of a program that may do anything.
    ProgramText,
    /// A command inside of which nobody says what it does, or that cannot be read.
    UnknownCommand,
}

impl Stranger {
    /// Returns what it is, in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::WorkspaceCode => "it runs code of the workspace",
            Self::ProgramText => "the text of a program in it may do anything",
            Self::UnknownCommand => "nobody vouches for a command in it",
        }
    }
}

impl Facts {
    /// Returns whose code runs in the call or in one inside it, beside that of settled descriptions.
    pub fn stranger(&self) -> Option<Stranger> {
        match self.basis {
            Basis::Settled => self.stranger_within(),
            Basis::Claimed | Basis::Undescribed => Some(Stranger::UnknownCommand),
        }
    }

    /// Returns the same, where the tool itself is whom the credentials are for, whoever describes it.
    pub fn stranger_within(&self) -> Option<Stranger> {
        let invoked = &self.invoked;
        let is_impure = |(_, purity): &(String, Purity)| match purity {
            Purity::Pure => false,
            Purity::Changes(_) | Purity::Unknown => true,
        };
        let unread = invoked.inner.len() > self.inner.len() || invoked.inner.iter().any(|inner| inner.open);
        if says(&invoked.effects, "x-runs") {
            Some(Stranger::WorkspaceCode)
        } else if invoked.programs.len() > self.programs.len() || self.programs.iter().any(is_impure) {
            Some(Stranger::ProgramText)
        } else if unread {
            Some(Stranger::UnknownCommand)
        } else {
            self.inner.iter().find_map(Facts::stranger)
        }
    }

    /// Whether a settled description says that the call, or one inside it, uses credentials: files or variables.
    pub(crate) fn uses_credentials(&self) -> bool {
        !self.credentials().is_empty()
    }

    /// Returns the credentials that settled descriptions name for the call and those inside it: files and variables.
    pub(super) fn credentials(&self) -> Vec<&str> {
        let mut named: Vec<&str> = match self.basis {
            Basis::Settled => {
                let files = self
                    .invoked
                    .effects
                    .extra
                    .get("x-secrets")
                    .and_then(Value::as_array);
                let files = files.into_iter().flatten().filter_map(Value::as_str);
                let methods = self.invoked.authentication.iter().flat_map(|auth| &auth.methods);
                let others = methods.flat_map(|method| [&method.config_path, &method.env_var]);
                files.chain(others.filter_map(Option::as_deref)).collect()
            }
            Basis::Claimed | Basis::Undescribed => Vec::new(),
        };
        for name in self.inner.iter().flat_map(Facts::credentials) {
            if !named.contains(&name) {
                named.push(name);
            }
        }
        named
    }
}

/// Whether a key of ours says something. A value that nobody knows counts.
pub(super) fn says(effects: &Effects, key: &str) -> bool {
    match effects.extra.get(key) {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(Value::Array(items)) => !items.is_empty(),
        Some(Value::Bool(true) | Value::Number(_) | Value::String(_) | Value::Object(_)) => true,
    }
}
