//! Answering without a terminal: with a token that somebody made at one.
//!
//! The store keeps the digest alone. Whoever can read the file can answer, so it belongs where no tool of an agent's
//! reads.

use std::path::Path;

use argrail_acli::{Code, Error, Text};
use argrail_engine::store::{Kind, Store};
use argrail_spec::digest::Digest;
use jiff::Timestamp;
use serde_json::json;

use super::user;
use crate::token_file::{self, Token, TokenFileError};

/// Makes a token in a new file and remembers its digest.
///
/// # Errors
/// When there is a file already, or one of the two cannot be written.
pub(crate) fn make(path: &Path, store: &dyn Store, now: Timestamp) -> Result<(), Error> {
    let token = token_file::make_new(path).map_err(|error| failed(&error))?;
    let Some(token) = token else {
        return Err(Error::invalid(
            Text::new("{} exists").value(path.to_string_lossy()),
            "Name a file that does not exist: argrail approvals --new-token FILE",
        ));
    };
    let body = json!({"madeBy": user::name(), "file": path.to_string_lossy()});
    let kept = store.put(Kind::Token, &digest(&token), None, &body, now);
    if let Err(error) = kept {
        // A token that nobody knows is only a riddle to whoever finds it.
        let _ = std::fs::remove_file(path);
        return Err(Error::from(&error));
    }
    Ok(())
}

/// Checks that the file holds a token that was made for this store.
///
/// # Errors
/// When it does not, or cannot be read.
pub(crate) fn check(path: &Path, store: &dyn Store) -> Result<(), Error> {
    let us = rustix::process::geteuid().as_raw();
    let token = token_file::read(path, us).map_err(|error| failed(&error))?;
    let known = match &token {
        Some(token) => store
            .get(Kind::Token, &digest(token))
            .map_err(|error| Error::from(&error))?,
        None => None,
    };
    match known {
        Some(_) => Ok(()),
        None => Err(Error::new(
            Code::PermissionDenied,
            Text::new("the token file {} opens nothing here").value(path.to_string_lossy()),
        )
        .hint("A person has to make one at a terminal: argrail approvals --new-token FILE")
        .detail("reason", "denied_by_policy")),
    }
}

fn digest(token: &Token) -> String {
    Digest::of(token.secret()).to_string()
}

fn failed(error: &TokenFileError) -> Error {
    let message = Text::new("{}").value(error.to_string());
    Error::new(Code::PermissionDenied, message)
        .hint("Use a file of yours that nobody else can read, in a directory that nobody else can write to")
        .detail("reason", "denied_by_policy")
}
