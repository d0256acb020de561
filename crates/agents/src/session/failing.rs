//! What went wrong with a session, in our words, with the agent's last ones quoted.

use std::time::Duration;

use argrail_acli::{Code, Error, Text};
use argrail_sandbox::{Ended, Report};

use crate::arm::Failure;
use crate::event::EventKind;

/// An error that ends a turn, or the whole session.
#[derive(Debug)]
pub(super) struct Lost {
    pub(super) error: Error,
    retryable: bool,
}

impl Lost {
    pub(super) fn new(error: Error) -> Self {
        Self {
            error,
            retryable: false,
        }
    }

    /// The same again may work.
    pub(super) fn retryable(mut self) -> Self {
        self.retryable = true;
        self
    }

    /// What an arm says, with the agent's last words.
    pub(super) fn of(failure: Failure, last_words: &str) -> Self {
        let message = and_words(failure.message, last_words);
        Self {
            error: Error::new(failure.code, message).hint(failure.hint),
            retryable: failure.retryable,
        }
    }
}

/// Returns the event that tells it.
pub(super) fn event_of(lost: &Lost) -> EventKind {
    EventKind::Error {
        code: lost.error.code().name().to_owned(),
        message: lost.error.to_string(),
        retryable: lost.retryable,
    }
}

/// Fills a template with the agent and a time.
pub(super) fn named(template: &'static str, agent: &str, time: Duration) -> Text {
    let ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    Text::new(template).value(agent).number(ms)
}

pub(super) fn with_words(code: Code, message: Text, hint: &'static str, last_words: &str) -> Error {
    Error::new(code, and_words(message, last_words)).hint(hint)
}

/// The agent has ended in the middle of something.
pub(super) fn ended(agent: &str, report: Option<&Report>, last_words: &str) -> Error {
    let message = match report.map(|report| report.ended) {
        Some(Ended::Exit(code)) => Text::new("agent {} ended with exit code {}")
            .value(agent)
            .number(code),
        Some(Ended::Signal(signal)) => Text::new("agent {} was ended by signal {}")
            .value(agent)
            .number(signal),
        None => Text::new("agent {} closed its output").value(agent),
    };
    let denial = report.and_then(|report| report.denials.iter().find(|denial| !denial.is_silent_file()));
    let message = match denial {
        Some(denial) => {
            let refused = Text::new("the sandbox refused it {} {}")
                .word(denial.kind.as_str())
                .value(&denial.target);
            message.then("; ", refused)
        }
        None => message,
    };
    with_words(
        Code::ExecutionError,
        message,
        "Look at what the agent says, and open a new session",
        last_words,
    )
}

fn and_words(message: Text, last_words: &str) -> Text {
    match last_words.is_empty() {
        true => message,
        false => message.then("; ", Text::new("its last words: {}").value(last_words)),
    }
}
