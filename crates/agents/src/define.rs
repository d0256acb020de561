//! `define_agent_cli`: an agent of a program's own, from its manifest to a session (AIP-45, Reference Implementation).
//!
//! The manifest is checked as everybody's is; whoever calls this vouches for it. It runs in the same sandbox, with the
//! same home and the same rules as an agent that a person added.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use argrail_acli::{Code, Error, Text};
use argrail_engine::catalog::bundle::gather;
use argrail_spec::agent_cli_md::Wishes;
use argrail_spec::bundle::Files;

use crate::catalogue::{Agent, AgentOrigin};
use crate::governor::{Governor, Happening};
use crate::launch::{Host, Prepared, prepare};
use crate::session::Session;
use crate::session_options::McpServer;

/// An agent whose manifest was read and checked.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentCli {
    agent: Agent,
}

/// How a session is started.
#[derive(Debug, Clone, Default)]
pub struct StartOptions {
    /// Our own id of the session.
    pub session: String,
    /// Mode, options and model.
    pub wishes: Wishes,
    /// MCP servers that the agent is to use.
    pub servers: Vec<McpServer>,
    /// A file for the rest of the protocol.
    pub side_channel: Option<PathBuf>,
    /// Whether it may be started so that it asks nobody.
    pub lifting: Lifting,
}

/// Whether an agent may be told to ask nobody for permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lifting {
    /// It may not.
    #[default]
    Refused,
    /// A person has said yes to it.
    Agreed,
}

/// Reads and checks the manifest of an agent: `AGENT-CLI.md`, and every file that it names.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn define_agent_cli(files: &Files) -> Result<AgentCli, Error> {
    defined(None, files, None)
}

impl AgentCli {
    /// Reads and checks the manifest in a folder. A `bin` with a slash is a program of that folder.
    ///
    /// # Errors
    /// When the folder cannot be read, or something is wrong with the manifest.
    pub fn from_folder(folder: &Path) -> Result<Self, Error> {
        let root = folder.canonicalize().map_err(Error::execution)?;
        let found = gather(&root).map_err(|error| Error::execution(&error))?;
        let name = root.file_name().and_then(|name| name.to_str());
        defined(name, &found.files, Some(root.clone()))
    }

    /// Returns the agent.
    pub fn agent(&self) -> &Agent {
        &self.agent
    }

    /// Fixes how it would be started, and starts nothing.
    ///
    /// # Errors
    /// As [`prepare`]; and `PERMISSION_DENIED` for a start after which the agent asks nobody, unless that was agreed to.
    pub fn prepare(&self, options: &StartOptions, host: &Host<'_>) -> Result<Prepared, Error> {
        let prepared = prepare(&self.agent, &options.wishes, host)?;
        match (prepared.lifts_permissions(), options.lifting) {
            (Some(word), Lifting::Refused) => {
                let what =
                    Text::new("Permission denied for {}: it tells the agent to ask nobody").value(word);
                Err(Error::new(Code::PermissionDenied, what)
                    .hint("Ask a person, and start it with their yes")
                    .detail("reason", "approval_required"))
            }
            (Some(_), Lifting::Agreed) | (None, Lifting::Refused | Lifting::Agreed) => Ok(prepared),
        }
    }

    /// Starts it, and opens a session. Runs in a tokio runtime, which drives the session from then on.
    ///
    /// # Errors
    /// As [`AgentCli::prepare`] and [`Session::open`]; and when the start cannot be written down.
    pub async fn start(
        &self,
        options: StartOptions,
        host: &Host<'_>,
        governor: Arc<dyn Governor>,
    ) -> Result<Session, Error> {
        let prepared = self.prepare(&options, host)?;
        governor.record(Happening::Starting)?;
        let mut opening = prepared.start()?.opening(options.session);
        opening.servers = options.servers;
        opening.side_channel = options.side_channel;
        Session::open(opening, governor).await
    }
}

fn defined(folder: Option<&str>, files: &Files, root: Option<PathBuf>) -> Result<AgentCli, Error> {
    let agent = Agent::read(folder, files, AgentOrigin::Defined, root).map_err(|error| {
        let what = Text::new("the manifest of the agent cannot be used: {}").value(error.to_string());
        Error::invalid(what, "See everything that is wrong with it: argrail lint FOLDER")
    })?;
    Ok(AgentCli { agent })
}
