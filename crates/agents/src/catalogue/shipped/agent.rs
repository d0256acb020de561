//! One agent that is compiled in.

use argrail_acli::Error;
use argrail_spec::bundle::Files;

use crate::catalogue::{Agent, AgentOrigin};

/// An agent that argrail brings along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShippedAgent {
    /// The id of the agent, which is also the name of its folder.
    pub id: &'static str,
    /// Its files: names from the root of the folder, and texts.
    pub(super) texts: &'static [(&'static str, &'static str)],
}

impl ShippedAgent {
    /// Returns its files, for whoever checks them.
    pub fn files(&self) -> Files {
        let mut files = Files::default();
        for (path, text) in self.texts {
            files.text(*path, *text);
        }
        files
    }

    /// Reads it.
    ///
    /// # Errors
    /// Only when it was compiled in with a mistake.
    pub fn agent(&self) -> Result<Agent, Error> {
        Agent::read(Some(self.id), &self.files(), AgentOrigin::Shipped, None).map_err(Error::execution)
    }
}
