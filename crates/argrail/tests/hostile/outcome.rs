//! How an attack ended, and the table that attacks stand in.

use std::ffi::CString;
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

    /// Tries each of several ways: one that gets through is an escape. All ways are told, so that a test can ask for
    /// every way to be open where it should be: then nothing is `stopped`.
    pub(crate) fn any(ways: impl IntoIterator<Item = (impl Display, Self)>) -> Self {
        let (mut through, mut stopped) = (Vec::new(), Vec::new());
        for (way, outcome) in ways {
            match outcome {
                Self::Blocked(how) => stopped.push(format!("{way} {how}")),
                Self::Escaped(what) => through.push(format!("{way} {what}")),
            }
        }
        let (through, stopped) = (through.join(", "), stopped.join(", "));
        match (through.is_empty(), stopped.is_empty()) {
            (true, _) => Self::Blocked(stopped),
            (false, true) => Self::Escaped(through),
            (false, false) => Self::Escaped(format!("{through}; stopped: {stopped}")),
        }
    }

    /// Calls only a refusal a block: an error that comes from looking at the arguments means that the kernel was
    /// reached, and with better arguments it would have gone on.
    pub(crate) fn of_refusal(result: io::Result<i64>) -> Self {
        match result {
            Ok(value) => Self::Escaped(format!("returned {value}")),
            Err(error)
                if matches!(
                    error.raw_os_error(),
                    Some(libc::EPERM | libc::EACCES | libc::ENOSYS)
                ) =>
            {
                Self::Blocked(errno::name(&error))
            }
            Err(error) => Self::Escaped(format!("reached the kernel: {}", errno::name(&error))),
        }
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

/// Returns text for a system call.
pub(crate) fn text(path: &str) -> Result<CString, String> {
    CString::new(path).map_err(|_| format!("{path:?} holds a NUL"))
}
