//! How a session ended.

use argrail_acli::Error;
use argrail_sandbox::Report;

/// How a session ended. Nothing that the agent started is left.
#[derive(Debug)]
pub struct Closed {
    /// How its process ended, and what the sandbox saw; nothing when it could not be watched.
    pub report: Option<Report>,
    /// What ended the session before it was closed.
    pub failure: Option<Error>,
}
