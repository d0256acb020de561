//! From a server in the configuration to its tools as metadata. Something is started or dialled here and nowhere else.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use argrail_sandbox::Launcher;
use argrail_spec::atip::{Loaded, check_tool_name};
use argrail_spec::config::{McpServer, Secret, Transport};
use argrail_spec::doc::{Diagnostic, Severity, Span};
use argrail_spec::mcp_tools;
use serde_json::Value;

use super::conversation::{Conversation, Listing};
use super::error::{McpError, Problem, Stage};
use super::masks::Masks;
use super::url::Address;
use super::{http, stdio};

/// How long a server may take for everything, unless said.
pub const TIMEOUT: Duration = Duration::from_secs(10);
/// The shortest and the longest that can be asked for.
const BOUNDS: [Duration; 2] = [Duration::from_millis(10), Duration::from_secs(120)];

/// What is needed to start a server, or to wait for one.
#[derive(Debug, Clone)]
pub struct Means {
    /// The program that builds sandboxes.
    pub launcher: Launcher,
    /// The real home, which no server sees as a whole.
    pub home: PathBuf,
    /// Directories of ours, which no server sees at all.
    pub own: Vec<PathBuf>,
    /// Where programs are looked for.
    pub search: Vec<PathBuf>,
    /// How long a server may take for everything: [`TIMEOUT`], unless somebody wants another.
    pub timeout: Duration,
}

/// Asks the server that the user calls `name` for its tools and returns them as the commands of one tool.
///
/// This starts the server's program, in a sandbox without network, or speaks to its address, whether or not the
/// server is disabled: that is for whoever asks.
///
/// # Errors
/// When it cannot be started or reached, does not answer in time, or answers what cannot be understood.
pub fn discover(name: &str, server: &McpServer, means: &Means) -> Result<Loaded, McpError> {
    let masks = Masks::of(secrets(server));
    attempt(name, server, means, &masks).map_err(|problem| McpError {
        server: name.to_owned(),
        problem: problem.masked(&masks),
    })
}

/// The values that nobody is shown.
fn secrets(server: &McpServer) -> impl Iterator<Item = &Secret> {
    let (Transport::Command { env: given, .. } | Transport::Url { headers: given, .. }) = &server.transport;
    given.values()
}

fn attempt(name: &str, server: &McpServer, means: &Means, masks: &Masks) -> Result<Loaded, Problem> {
    // Nothing is started for a name that no tool could have.
    check_tool_name(name).map_err(|_| Problem::Configuration {
        field: "the name",
        given: None,
        reason: "no tool can be called that",
    })?;
    let [shortest, longest] = BOUNDS;
    let deadline = Instant::now() + means.timeout.clamp(shortest, longest);
    let mut conversation = Conversation::begin(env!("CARGO_PKG_VERSION"));
    match &server.transport {
        Transport::Command { command, args, env } => {
            let program = stdio::command(command, args, env, means)?;
            stdio::talk(&program, deadline, &mut conversation)?;
        }
        Transport::Url { url, headers } => {
            let address = Address::parse(url)?;
            http::talk(&address, headers, deadline, &mut conversation)?;
        }
    }
    let Listing { info, tools, notes } = conversation.listing();
    let (mut info, mut tools) = (info, Value::Array(tools));
    masks.json(&mut info);
    masks.json(&mut tools);
    let read = mcp_tools::metadata(name, &info, &tools);
    let mut loaded = read.map_err(|problem| Problem::Unreadable {
        stage: Stage::Listing,
        reason: problem.message,
    })?;
    let note = |note| Diagnostic::new(Severity::Note, "mcp/listing", Span::default(), note);
    loaded.warnings.extend(notes.into_iter().map(note));
    Ok(loaded)
}
