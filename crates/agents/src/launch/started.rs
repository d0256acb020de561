//! An agent that runs, and what a session with it begins with.

use std::path::PathBuf;

use argrail_engine::output::Secrets;
use argrail_sandbox::Child;
use argrail_spec::agent_cli_md::Launch;

use crate::session_options::Limits;
use crate::session_options::{Carryover, Serves, SessionOptions, Streaming, Times};

/// An agent that was started. Dropping it ends the agent and everything that it started.
#[derive(Debug)]
pub struct Started {
    pub(super) child: Child,
    pub(super) agent: String,
    pub(super) directory: PathBuf,
    pub(super) launch: Launch,
    pub(super) sign_in: Option<String>,
    pub(super) serves: Serves,
    pub(super) streaming: Streaming,
    pub(super) carryover: Carryover,
    pub(super) times: Times,
    pub(super) limits: Limits,
    pub(super) secrets: Secrets,
}

impl Started {
    /// Returns what a session is opened with. `session` is our own id of it; servers, an earlier session and a side
    /// channel are the caller's to add.
    pub fn opening(self, session: String) -> SessionOptions {
        SessionOptions {
            session,
            agent: self.agent,
            child: self.child,
            directory: self.directory,
            servers: Vec::new(),
            mode: self.launch.mode,
            config: self.launch.config,
            model: self.launch.model,
            sign_in: self.sign_in,
            resume: None,
            serves: self.serves,
            streaming: self.streaming,
            carryover: self.carryover,
            times: self.times,
            limits: self.limits,
            secrets: self.secrets,
            side_channel: None,
        }
    }

    /// Returns the process alone, for whoever speaks with it otherwise.
    pub fn into_child(self) -> Child {
        self.child
    }
}
