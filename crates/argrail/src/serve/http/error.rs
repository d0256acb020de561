//! Why an HTTP server could not start.

use std::io;
use std::path::PathBuf;

use crate::token_file::TokenFileError;

/// A refusal to start, with what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address makes no sense.
    #[error("--http {given:?}: expected an address such as 127.0.0.1:8931, or unix:PATH")]
    Address {
        /// What was given.
        given: String,
    },
    /// The address can be reached from other machines.
    #[error("--http {given:?}: not a loopback address")]
    NotLoopback {
        /// What was given.
        given: String,
    },
    /// The address cannot be listened on.
    #[error("cannot listen on {place}: {source}")]
    Bind {
        /// Where.
        place: String,
        /// Why not.
        source: io::Error,
    },
    /// Another server listens on the socket.
    #[error("{}: another server is listening", path.display())]
    InUse {
        /// The socket.
        path: PathBuf,
    },
    /// There is something at the place of the socket, or around it, that we must not trust.
    #[error("{}: {why}", path.display())]
    Place {
        /// The socket or its directory.
        path: PathBuf,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The token file is not one that only we can have written and read.
    #[error("token file {}: {why}", path.display())]
    Token {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The token file cannot be read or written.
    #[error("token file {}: {source}", path.display())]
    TokenFile {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// An origin that cannot be allowed.
    #[error("--allow-origin {given:?}: expected scheme://host[:port]")]
    Origin {
        /// What was given.
        given: String,
    },
    /// The operating system refused something that every server needs.
    #[error("cannot serve: {0}")]
    Io(#[from] io::Error),
}

impl From<TokenFileError> for Error {
    fn from(error: TokenFileError) -> Self {
        match error {
            TokenFileError::Place { path, why } => Self::Place { path, why },
            TokenFileError::Wrong { path, why } => Self::Token { path, why },
            TokenFileError::Io { path, source } => Self::TokenFile { path, source },
        }
    }
}

impl Error {
    /// What to try next.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Address { .. } => "Use 127.0.0.1:0 to let the system pick a port",
            Self::NotLoopback { .. } => {
                "Listen on 127.0.0.1 or a unix socket, and let ssh -L or a proxy with TLS carry it further"
            }
            Self::Bind { .. } => "Choose another address, or 127.0.0.1:0 for a free port",
            Self::InUse { .. } => "Stop the other server, or choose another path",
            Self::Place { .. } => "Use a directory that belongs to you and that others cannot write to",
            Self::Token { .. } => "Delete it to have a new one made, or chmod 600 a file of your own",
            Self::TokenFile { .. } => "Choose a place you can write to with --token-file",
            Self::Origin { .. } => "Write it as the browser sends it, e.g. http://localhost:6274",
            Self::Io(_) => "Check that the process may open more files ('ulimit -n'), then start it again",
        }
    }
}
