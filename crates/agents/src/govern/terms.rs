//! What a session is governed by, beside the rules of the machine.

use std::path::PathBuf;
use std::sync::Arc;

use argrail_acli::Caller;
use argrail_engine::consent::Client;
use argrail_sandbox::policy::{Policy, Protected};
use serde_json::Value;

/// The most characters of an id that a caller is known by.
const ID: usize = 80;

/// One session, as far as its governor needs to know it.
#[derive(Clone)]
pub struct Terms {
    /// The session, by our own id.
    pub session: String,
    /// The agent: `goose@1`.
    pub agent: String,
    /// Where it works: absolute and without symlinks.
    pub directory: PathBuf,
    /// Directories that its commands may work in beside that one; absolute and without symlinks.
    pub roots: Vec<PathBuf>,
    /// What its sandbox lets it touch. The host reads and writes no more for it.
    pub policy: Policy,
    /// What is touched in no case.
    pub protected: Protected,
    /// Its sandbox, for people.
    pub sandbox: Value,
    /// Whether our own tool was given to it.
    pub tools: Tools,
    /// Somebody at hand who can answer a question, while it waits in the store as well: the terminal.
    pub asker: Option<Arc<dyn Client>>,
}

/// Whether an agent was given our `cli` tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tools {
    /// It was: each call of it is judged when it comes in.
    Served,
    /// It was not.
    Absent,
}

impl Terms {
    /// Returns who calls, for this session: an id of its own, and a name that grants and delegations know.
    pub fn caller(&self) -> Caller {
        let cut = |text: &str| -> String { text.chars().take(ID).collect() };
        let mut roots = vec![self.directory.clone()];
        for root in &self.roots {
            if !roots.contains(root) {
                roots.push(root.clone());
            }
        }
        Caller {
            id: format!("agent:{}/{}", cut(&self.agent), cut(&self.session)),
            account: None,
            name: Some(format!("agent:{}", cut(&self.agent))),
            roots,
        }
    }
}
