//! Answering without a terminal: with a token that somebody made at one.
//!
//! A token is made for one of two uses, and is good for no other: for a script of the person's, with `approve`, `deny` and
//! `revoke`; or for an MCP client that speaks for the person, at a server that was told to hear such clients. The store
//! keeps the digest alone. Whoever can read the file can answer, so it belongs where no tool of an agent's reads.

use std::path::Path;

use argrail_acli::{Code, Error, Text};
use argrail_engine::store::{Kind, Store};
use argrail_spec::digest::Digest;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::user;
use crate::token_file::{self, Token, TokenFileError};

/// What a token is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenUse {
    /// `approve`, `deny` and `revoke` without a terminal.
    Verbs,
    /// A client whose answers to `elicitation/create` count.
    Elicitation,
}

impl TokenUse {
    /// Returns the word for it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Verbs => "verbs",
            Self::Elicitation => "elicitation",
        }
    }

    /// Reads what the store has. Before there were two uses, none was written.
    fn of(body: &Value) -> Option<Self> {
        match body.get("use").map(Value::as_str) {
            None => Some(Self::Verbs),
            Some(word) => [Self::Verbs, Self::Elicitation]
                .into_iter()
                .find(|known| Some(known.as_str()) == word),
        }
    }
}

/// Makes a token in a new file and remembers its digest.
///
/// # Errors
/// When there is a file already, or one of the two cannot be written.
pub(crate) fn make(path: &Path, used: TokenUse, store: &dyn Store, now: Timestamp) -> Result<(), Error> {
    let token = token_file::make_new(path).map_err(|error| failed(&error))?;
    let Some(token) = token else {
        return Err(Error::invalid(
            Text::new("{} exists").value(path.to_string_lossy()),
            "Name a file that does not exist: argrail approvals --new-token FILE",
        ));
    };
    let body = json!({"madeBy": user::name(), "file": name_of(path), "use": used.as_str()});
    let kept = store.put(Kind::Token, &digest(&token), None, &body, now);
    if let Err(error) = kept {
        // A token that nobody knows is only a riddle to whoever finds it.
        let _ = std::fs::remove_file(path);
        return Err(Error::from(&error));
    }
    Ok(())
}

/// Forgets the token that was made in this file, which opens nothing from then on, whoever has a copy. Returns whether
/// there was one.
///
/// # Errors
/// When the store cannot be changed.
pub(crate) fn forget(path: &Path, store: &dyn Store) -> Result<bool, Error> {
    let file = name_of(path);
    let all = store.all(Kind::Token).map_err(|error| Error::from(&error))?;
    let made_there = all
        .iter()
        .filter(|token| token.body.get("file") == Some(&json!(file)));
    let mut found = false;
    for token in made_there {
        let removed = store.remove(Kind::Token, &token.key, token.revision);
        removed.map_err(|error| Error::from(&error))?;
        found = true;
    }
    Ok(found)
}

/// The file of a token, as the store and people know it.
pub(crate) fn name_of(path: &Path) -> String {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    absolute.to_string_lossy().into_owned()
}

/// Checks that the file holds a token that was made for this store and for verbs.
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
    match known.and_then(|known| TokenUse::of(&known.body)) {
        Some(TokenUse::Verbs) => Ok(()),
        Some(TokenUse::Elicitation) | None => Err(Error::new(
            Code::PermissionDenied,
            Text::new("the token file {} opens nothing here").value(path.to_string_lossy()),
        )
        .hint("A person has to make one at a terminal: argrail approvals --new-token FILE")
        .detail("reason", "denied_by_policy")),
    }
}

/// Whether a person made this secret for a client that speaks for them. On doubt they did not.
pub(crate) fn is_for_elicitation(secret: &str, store: &dyn Store) -> bool {
    let known = store.get(Kind::Token, &Digest::of(secret).to_string());
    known.is_ok_and(|known| {
        known.is_some_and(|known| TokenUse::of(&known.body) == Some(TokenUse::Elicitation))
    })
}

/// Whether any token was made for such a client.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn any_for_elicitation(store: &dyn Store) -> Result<bool, Error> {
    let all = store.all(Kind::Token).map_err(|error| Error::from(&error))?;
    let mut uses = all.iter().map(|token| TokenUse::of(&token.body));
    Ok(uses.any(|used| used == Some(TokenUse::Elicitation)))
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
