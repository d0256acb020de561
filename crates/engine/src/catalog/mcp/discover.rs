//! From a server in the configuration to its tools as metadata.

use std::time::Duration;

use argrail_spec::atip::Loaded;
use argrail_spec::config::McpServer;
use argrail_spec::doc::{Diagnostic, Severity, Span};
use argrail_spec::mcp_tools;
use serde_json::Value;

use super::conversation::Listing;
use super::error::{McpError, Problem, Stage};
use super::hold::Hold;
use super::means::Means;
use super::session::Session;
use super::until::Until;

/// The longest that can be waited for.
const LONGEST: Duration = Duration::from_secs(120);

/// Asks the server that the user calls `name` for its tools and returns them as the commands of one tool.
///
/// This starts the server's program, in a sandbox without network, or speaks to its address, whether or not the
/// server is disabled: that is for whoever asks.
///
/// # Errors
/// When it cannot be started or reached, does not answer in time, or answers what cannot be understood.
pub fn discover(name: &str, server: &McpServer, means: &Means) -> Result<Loaded, McpError> {
    let until = Until::within(means.timeout.min(LONGEST), None);
    let session = Session::open_until(name, server, means, &Hold::Closed, &until)?;
    let Listing { info, tools, notes } = session.list(&until)?;
    let read = mcp_tools::metadata(name, &info, &Value::Array(tools));
    let mut loaded = read.map_err(|problem| McpError {
        server: name.to_owned(),
        problem: Problem::Unreadable {
            stage: Stage::Listing,
            reason: problem.message,
        },
    })?;
    let note = |note| Diagnostic::new(Severity::Note, "mcp/listing", Span::default(), note);
    loaded.warnings.extend(notes.into_iter().map(note));
    Ok(loaded)
}
