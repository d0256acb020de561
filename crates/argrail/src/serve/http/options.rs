//! What a caller decides about the HTTP server, and what it learns when the server is up.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::credential::SpeaksForAPerson;
use super::listen::Listen;
use crate::serve::stop::Ending;

/// How an HTTP server is to run.
#[derive(Clone)]
pub struct Options {
    /// What to listen on.
    pub listen: Listen,
    /// Where the bearer token is, or is put if nothing is there. Not used for a unix socket.
    pub token_file: PathBuf,
    /// The web origins whose pages may speak to us, such as `http://localhost:6274`. None by default.
    pub allow_origins: Vec<String>,
    /// Which credentials beside the token let in a client that speaks for a person: those that one made for it. None
    /// without it.
    pub person_credentials: Option<SpeaksForAPerson>,
    /// The numbers.
    pub limits: Limits,
    /// What calls hear of the end.
    pub ending: Ending,
}

/// How much of everything. The defaults suit a server for the agents of one user.
#[derive(Debug, Clone)]
pub struct Limits {
    /// The largest request body.
    pub body: usize,
    /// The largest request head.
    pub head: usize,
    /// How many header fields.
    pub fields: usize,
    /// How many connections at once; further ones wait to be accepted.
    pub connections: usize,
    /// How many sessions at once.
    pub sessions: usize,
    /// How many calls in flight in one session.
    pub calls: usize,
    /// How long a request's head may take, and how long a connection may sit idle between two.
    pub head_time: Duration,
    /// How long a request's body may take.
    pub body_time: Duration,
    /// How long a client may leave our answer unread before the connection is dropped.
    pub stall: Duration,
    /// How long a session may be unused, with nothing running and nobody listening.
    pub session_idle: Duration,
    /// How long running calls may go on after a signal.
    pub grace: Duration,
    /// After how long a client should come back to a stream that broke. A stream begins with an empty event that says
    /// so, over which clients of wires before 2025-11-25 stumble; without it, no stream does.
    pub reconnect: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // The longest command is 10,000 characters; the rest is room for `_meta` and roots.
            body: 512 * 1024,
            head: 16 * 1024,
            fields: 64,
            connections: 512,
            // An idle session costs about 50 KiB, nearly all of it rmcp's channels.
            sessions: 256,
            calls: 256,
            head_time: Duration::from_secs(5),
            body_time: Duration::from_secs(30),
            stall: Duration::from_secs(60),
            session_idle: Duration::from_secs(30 * 60),
            grace: Duration::from_secs(10),
            reconnect: Some(Duration::from_secs(3)),
        }
    }
}

/// A server that listens.
#[derive(Debug)]
pub struct Ready<'a> {
    /// Where, as a client has to write it.
    pub url: String,
    /// The file with the bearer token, if one is needed.
    pub token_file: Option<&'a Path>,
    /// The token itself, only if it was made just now.
    pub new_token: Option<&'a str>,
}

impl std::fmt::Display for Ready<'_> {
    /// Writes the lines for stderr: where, and what opens it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "listening on {}", self.url)?;
        if let Some(path) = self.token_file {
            writeln!(f, "token file {}", path.display())?;
        }
        if let Some(token) = self.new_token {
            writeln!(f, "new token, shown only now: {token}")?;
        }
        Ok(())
    }
}
