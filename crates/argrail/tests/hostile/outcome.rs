//! How an attack ended, and the table that attacks stand in.

use std::fmt::Display;
use std::io;

use crate::errno;

/// One attack.
pub(crate) struct Attack {
    /// The word that names it on the command line.
    pub(crate) name: &'static str,
    /// Does it, with the words that follow. An error says why it could not even be tried.
    pub(crate) act: fn(&[String]) -> Result<Outcome, String>,
}

/// How an attack ended.
pub(crate) enum Outcome {
    /// It was stopped: by which error, or how else.
    Blocked(String),
    /// It got through: with what.
    Escaped(String),
}

impl Outcome {
    /// Calls an error a block, and anything else an escape with `got`.
    pub(crate) fn of<T>(result: io::Result<T>, got: impl FnOnce(T) -> String) -> Self {
        match result {
            Ok(value) => Self::Escaped(got(value)),
            Err(error) => Self::Blocked(errno::name(&error)),
        }
    }

    /// Tries each of several ways: one that got through is an escape, and all errors are told otherwise.
    pub(crate) fn any(ways: impl IntoIterator<Item = (impl Display, Self)>) -> Self {
        let mut blocks = Vec::new();
        for (way, outcome) in ways {
            match outcome {
                Self::Blocked(how) => blocks.push(format!("{way} {how}")),
                Self::Escaped(what) => return Self::Escaped(format!("{way} {what}")),
            }
        }
        Self::Blocked(blocks.join(", "))
    }
}

/// Returns the word at `index`, which `what` describes.
pub(crate) fn word<'a>(args: &'a [String], index: usize, what: &str) -> Result<&'a str, String> {
    args.get(index)
        .map(String::as_str)
        .ok_or_else(|| format!("no {what} was given"))
}

/// Turns the result of a system call into an error or the value.
pub(crate) fn check(result: impl Into<i64>) -> io::Result<i64> {
    let result = result.into();
    if result < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(result)
    }
}
