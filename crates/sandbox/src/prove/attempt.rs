//! One attempt: what it is called, under which policy it is made, what it does, and what it may say.

use std::io;

use super::facts::Facts;

/// Under which policy an attempt is made. Each grants what the attempt's allowed part needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Setting {
    /// Read one directory, write another.
    Files,
    /// The same, with a denied directory inside the readable one.
    Denied,
    /// Write a whole home and workspace, with what is protected in them.
    Home,
    /// Reach one host name. Without namespaces, where that is refused: [`Setting::Files`].
    Network,
    /// Start one program.
    Programs,
    /// Fork, and start nothing.
    Forks,
    /// Have a terminal.
    Terminal,
}

/// Something hostile that can be tried.
pub(super) struct Attempt {
    pub(super) name: &'static str,
    /// What is tried, for a person.
    pub(super) attempted: &'static str,
    pub(super) setting: Setting,
    pub(super) run: fn(&Facts) -> Acts,
}

/// What was done, or why the proof is worthless: something that is allowed did not work.
pub(super) type Acts = Result<Vec<Act>, String>;

/// Who says whether an act was an escape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Judge {
    /// It was one if it succeeded.
    Success,
    /// The host looks at what came of it.
    Host,
}

/// One hostile act.
pub(super) struct Act {
    pub(super) what: String,
    pub(super) outcome: io::Result<()>,
    pub(super) judge: Judge,
}

impl Act {
    /// An act that must not succeed.
    pub(super) fn new<T>(what: impl Into<String>, outcome: io::Result<T>) -> Self {
        Self {
            what: what.into(),
            outcome: outcome.map(drop),
            judge: Judge::Success,
        }
    }

    /// An act that may succeed inside, as long as the host sees nothing of it.
    pub(super) fn told<T>(what: impl Into<String>, outcome: io::Result<T>) -> Self {
        Self {
            judge: Judge::Host,
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
pub(super) enum Said {
    Blocked(String),
    Escaped(String),
    Unproven(String),
}

const BLOCKED: &str = "blocked: ";
const ESCAPED: &str = "ESCAPED: ";
const UNPROVEN: &str = "unproven: ";

impl Said {
    /// Sums up what was done.
    pub(super) fn of(acts: Acts) -> Self {
        let acts = match acts {
            Ok(acts) if acts.is_empty() => return Self::Unproven("nothing was tried".to_owned()),
            Ok(acts) => acts,
            Err(why) => return Self::Unproven(why),
        };
        let escaped = |act: &&Act| act.judge == Judge::Success && act.outcome.is_ok();
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

fn tell(act: &Act) -> String {
    match &act.outcome {
        Ok(()) => format!("{}: done inside, without effect outside", act.what),
        Err(error) => format!("{}: {error}", act.what),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_act_that_succeeds_is_an_escape() {
        let refused = || {
            Act::new(
                "open it",
                Err::<(), _>(io::Error::from_raw_os_error(libc::EACCES)),
            )
        };
        let check = |acts: Acts, expected: &str| {
            let said = Said::of(acts);
            assert!(said.line().starts_with(expected), "{said:?}");
            assert_eq!(
                Said::read(&said.line()).map(|read| read.line()),
                Some(said.line())
            );
        };
        check(Ok(vec![refused()]), "blocked: open it: Permission denied");
        check(
            Ok(vec![refused(), Act::new("read it", Ok(1))]),
            "ESCAPED: read it\n",
        );
        check(
            Ok(vec![Act::told("write it", Ok(1))]),
            "blocked: write it: done inside",
        );
        check(Ok(Vec::new()), "unproven: ");
        check(Err("no\u{1b}[31m\nway".into()), "unproven: no [31m way\n");
        assert_eq!(Said::read("something else"), None);
    }
}
