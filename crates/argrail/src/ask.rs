//! Asking a person: the whole word, on a terminal, after everything was shown.

use std::io::{self, BufRead, IsTerminal, Read, Write};

use argrail_acli::{Code, Error, Text};
use serde_json::{Value, json};

use crate::foreign::Page;
use crate::out::{self, Report};
use crate::terminal;

/// How a person says yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Consent {
    /// With `--yes`.
    Given,
    /// On the terminal.
    Ask,
}

impl Consent {
    /// Reads `--yes`.
    pub(crate) fn of(yes: bool) -> Self {
        if yes { Self::Given } else { Self::Ask }
    }
}

/// The word that accepts.
const YES: &str = "yes";

/// The longest line that is read.
const LINE: u64 = 1024;

/// What somebody has to decide.
pub(crate) struct Question<'a> {
    /// What it is about, as a sentence.
    pub(crate) about: Text,
    /// The verb that asks.
    pub(crate) verb: &'static str,
    /// What to name on the command line.
    pub(crate) target: &'a str,
    /// Everything a person should see first.
    pub(crate) shown: Page,
    /// The same for programs.
    pub(crate) data: &'a Value,
}

/// Returns when a person has said yes.
///
/// # Errors
/// When nobody can be asked, or the answer is another.
pub(crate) fn ask(consent: Consent, report: Report, question: Question<'_>) -> Result<(), Error> {
    if consent == Consent::Given {
        return Ok(());
    }
    let terminal = io::stdin().is_terminal() && io::stderr().is_terminal();
    if report == Report::Envelope || !terminal {
        let command = argrail_acli::join(&["argrail", question.verb, question.target].map(str::to_owned));
        let hint = Text::new("Somebody has to look at it and run on a terminal: argrail {} {}; or add --yes")
            .word(question.verb)
            .value(question.target);
        return Err(Error::new(Code::SetupRequired, question.about)
            .hint(hint)
            .detail("pending", json!([{"step": question.verb, "command": command}]))
            .detail("wanted", question.data.clone()));
    }
    out::show(&question.shown.text(terminal::width_of_stderr()));
    out::show(&format!("\nType {YES} to accept all of this: "));
    let _ = io::stderr().flush();
    let mut answer = String::new();
    io::stdin()
        .lock()
        .take(LINE)
        .read_line(&mut answer)
        .map_err(Error::execution)?;
    if answer.trim() == YES {
        return Ok(());
    }
    Err(Error::new(Code::PermissionDenied, "nothing was accepted")
        .hint(
            Text::new("Run it again and type the whole word yes: argrail {} {}")
                .word(question.verb)
                .value(question.target),
        )
        .detail("reason", "denied_by_human"))
}
