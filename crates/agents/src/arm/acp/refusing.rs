//! Why a session cannot be had, in our words.

use argrail_acli::{Code, Text};

use super::hello::{Offer, Wishes};
use crate::arm::{Failure, Scope};
use crate::session_options::McpServer;

/// Returns what makes a session impossible that is wished for like this.
pub(super) fn obstacle(wishes: &Wishes, offer: &Offer) -> Option<Failure> {
    if let Some(version) = offer.other_version {
        let message = Text::new("agent {} speaks version {} of ACP, and version 1 is spoken here")
            .value(&wishes.agent)
            .number(version);
        let hint = "Use a version of the agent that speaks ACP 1";
        return Some(lost(Code::VersionMismatch, message, hint));
    }
    let wants_http = wishes.servers.iter().any(|server| match server {
        McpServer::Http { .. } => true,
        McpServer::Stdio { .. } => false,
    });
    if wants_http && !offer.http {
        let message = Text::new("agent {} cannot use MCP servers over HTTP").value(&wishes.agent);
        return Some(lost(
            Code::ValidationError,
            message,
            "Run it without --with-tools",
        ));
    }
    if wishes.resume.is_some() && !offer.load {
        let message = Text::new("agent {} cannot go on with an earlier session").value(&wishes.agent);
        return Some(lost(Code::ValidationError, message, "Start a new session"));
    }
    None
}

/// Somebody must sign in first; the hint names the ways that the agent knows.
pub(super) fn not_signed_in(offer: &Offer, message: Text) -> Failure {
    let ways = offer.sign_in.iter().map(String::as_str);
    let hint = match offer.sign_in.is_empty() {
        true => Text::new("Sign in with the agent's own program, or set the key that it wants"),
        false => Text::new("Sign in with the agent's own program, or set the key that it wants; it knows {}")
            .list(ways, 5),
    };
    Failure {
        code: Code::AuthRequired,
        message,
        hint,
        retryable: false,
        scope: Scope::Session,
    }
}

/// A failure that ends the session.
pub(super) fn lost(code: Code, message: Text, hint: &'static str) -> Failure {
    Failure {
        code,
        message,
        hint: hint.into(),
        retryable: false,
        scope: Scope::Session,
    }
}
