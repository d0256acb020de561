//! One call of one tool: a server is started or dialled, greeted, asked, and left.

use argrail_sandbox::Cancel;
use argrail_spec::config::McpServer;
use serde_json::{Map, Value};

use super::called::Called;
use super::error::McpError;
use super::hold::Hold;
use super::means::Means;
use super::session::Session;
use super::until::Until;

/// What is called.
#[derive(Debug)]
pub struct Call<'c> {
    /// The server, as the user calls it.
    pub name: &'c str,
    /// How it is started or reached.
    pub server: &'c McpServer,
    /// The tool, as the server calls it.
    pub tool: &'c str,
    /// What it is given.
    pub arguments: Map<String, Value>,
    /// What the server may touch.
    pub hold: &'c Hold,
    /// Ends the call at once, with everything that was started for it.
    pub cancel: Option<&'c Cancel>,
}

/// Calls a tool. `means.timeout` is for everything: start, greeting, call.
///
/// # Errors
/// When the server cannot be started or reached, does not answer in time, answers what cannot be understood, or
/// refuses. A tool that says it failed is no error: see [`Called::is_error`].
pub fn call(call: Call<'_>, means: &Means) -> Result<Called, McpError> {
    let until = Until::within(means.timeout, call.cancel);
    let mut session = Session::open_until(call.name, call.server, means, call.hold, &until)?;
    let mut called = session.call_until(call.tool, call.arguments, &until)?;
    called.denied = session.close();
    Ok(called)
}
