//! One attempt: what it is called, under which policy it is made, what it does, and what it may say.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::facts::GroundFacts;

/// Under which policy an attempt is made. Each grants what the attempt's allowed part needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AttemptPolicy {
    /// Read one directory, write another.
    Files,
    /// The same, with a denied directory inside the readable one.
    Denied,
    /// Write a whole home and workspace, with what is protected in them.
    Home,
    /// Reach one host name. Without namespaces, where that is refused: [`AttemptPolicy::Files`].
    Network,
    /// Start one program.
    Programs,
    /// Fork, and start nothing.
    Forks,
    /// Have a terminal.
    Terminal,
}

/// Something hostile that can be tried.
pub(super) struct EscapeAttempt {
    pub(super) name: &'static str,
    /// What is tried, for a person.
    pub(super) attempted: &'static str,
    pub(super) setting: AttemptPolicy,
    pub(super) run: fn(&GroundFacts) -> ActResults,
}

/// What was done, or why the proof is worthless: something that is allowed did not work.
pub(super) type ActResults = Result<Vec<HostileAct>, String>;

/// Who says whether an act was an escape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EscapeJudge {
    /// It was one if it succeeded.
    Success,
    /// The host looks at what came of it.
    Host,
}

/// One hostile act.
pub(super) struct HostileAct {
    pub(super) what: String,
    pub(super) outcome: io::Result<()>,
    pub(super) judge: EscapeJudge,
}

impl HostileAct {
    /// An act that must not succeed.
    pub(super) fn new<T>(what: impl Into<String>, outcome: io::Result<T>) -> Self {
        Self {
            what: what.into(),
            outcome: outcome.map(drop),
            judge: EscapeJudge::Success,
        }
    }

    /// An act that may succeed inside, as long as the host sees nothing of it.
    pub(super) fn told<T>(what: impl Into<String>, outcome: io::Result<T>) -> Self {
        Self {
            judge: EscapeJudge::Host,
            ..Self::new(what, outcome)
        }
    }
}

/// Requires something that is allowed to work.
pub(super) fn allowed<T>(what: &str, outcome: io::Result<T>) -> Result<T, String> {
    outcome.map_err(|error| format!("what is allowed does not work: {what}: {error}"))
}

/// What a hostile child says, in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ProverAnswer {
    Blocked(String),
    Escaped(String),
    Unproven(String),
}

const BLOCKED: &str = "blocked: ";
const ESCAPED: &str = "ESCAPED: ";
const UNPROVEN: &str = "unproven: ";

impl ProverAnswer {
    /// Sums up what was done.
    pub(super) fn of(acts: ActResults) -> Self {
        let acts = match acts {
            Ok(acts) if acts.is_empty() => return Self::Unproven("nothing was tried".to_owned()),
            Ok(acts) => acts,
            Err(why) => return Self::Unproven(why),
        };
        let escaped = |act: &&HostileAct| act.judge == EscapeJudge::Success && act.outcome.is_ok();
        match acts.iter().find(escaped) {
            Some(act) => Self::Escaped(act.what.clone()),
            None => Self::Blocked(acts.iter().map(tell).collect::<Vec<_>>().join("; ")),
        }
    }

    /// Returns the line.
    pub(super) fn line(&self) -> String {
        let (word, text) = match self {
            Self::Blocked(text) => (BLOCKED, text),
            Self::Escaped(text) => (ESCAPED, text),
            Self::Unproven(text) => (UNPROVEN, text),
        };
        format!("{word}{}\n", text.replace(char::is_control, " "))
    }

    /// Reads the line; nothing if it is none.
    pub(super) fn read(line: &str) -> Option<Self> {
        let line = line.trim_end();
        let rest = |word| line.strip_prefix(word).map(str::to_owned);
        rest(BLOCKED)
            .map(Self::Blocked)
            .or_else(|| rest(ESCAPED).map(Self::Escaped))
            .or_else(|| rest(UNPROVEN).map(Self::Unproven))
    }
}

fn tell(act: &HostileAct) -> String {
    match &act.outcome {
        Ok(()) => format!("{}: done inside, without effect outside", act.what),
        Err(error) => format!("{}: {error}", act.what),
    }
}

/// How much of what was found is searched for a secret, in bytes.
const MAX_LOOKED_AT_BYTES: u64 = 1024 * 1024;

/// Reads a file; succeeds if the secret stands in it.
pub(super) fn read_secret(path: impl AsRef<Path>, secret: &str) -> io::Result<()> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(MAX_LOOKED_AT_BYTES)
        .read_to_end(&mut bytes)?;
    holds_secret(&bytes, secret)
}

/// Succeeds if the secret stands in these bytes.
pub(super) fn holds_secret(bytes: &[u8], secret: &str) -> io::Result<()> {
    let found = !secret.is_empty()
        && bytes
            .windows(secret.len())
            .any(|window| window == secret.as_bytes());
    if found {
        Ok(())
    } else {
        Err(io::Error::other("readable, and the secret is not in it"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_act_that_succeeds_is_an_escape() {
        let refused = || {
            HostileAct::new(
                "open it",
                Err::<(), _>(io::Error::from_raw_os_error(libc::EACCES)),
            )
        };
        let check = |acts: ActResults, expected: &str| {
            let said = ProverAnswer::of(acts);
            assert!(said.line().starts_with(expected), "{said:?}");
            assert_eq!(
                ProverAnswer::read(&said.line()).map(|read| read.line()),
                Some(said.line())
            );
        };
        check(Ok(vec![refused()]), "blocked: open it: Permission denied");
        check(
            Ok(vec![refused(), HostileAct::new("read it", Ok(1))]),
            "ESCAPED: read it\n",
        );
        check(
            Ok(vec![HostileAct::told("write it", Ok(1))]),
            "blocked: write it: done inside",
        );
        check(Ok(Vec::new()), "unproven: ");
        check(Err("no\u{1b}[31m\nway".into()), "unproven: no [31m way\n");
        assert_eq!(ProverAnswer::read("something else"), None);
    }
}
