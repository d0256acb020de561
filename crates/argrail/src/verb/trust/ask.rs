//! Asking a person: the whole word, on a terminal, after everything was shown.

use std::io::{self, BufRead, IsTerminal, Read, Write};

use argrail_acli::{Code, Error, Text};
use serde_json::{Value, json};

use super::run::{Consent, Ground};
use crate::out::{self, Report};

/// The word that accepts.
const YES: &str = "yes";

/// The longest line that is read.
const LINE: u64 = 1024;

/// What somebody has to decide.
pub(super) struct Question<'a> {
    /// What it is about, as a sentence.
    pub(super) about: Text,
    /// What to name on the command line.
    pub(super) target: &'a str,
    /// Everything a person should see first.
    pub(super) shown: String,
    /// The same for programs.
    pub(super) data: &'a Value,
}

/// Returns when a person has said yes.
///
/// # Errors
/// When nobody can be asked, or the answer is another.
pub(super) fn ask(ground: &Ground, question: Question<'_>) -> Result<(), Error> {
    if ground.consent == Consent::Given {
        return Ok(());
    }
    let terminal = io::stdin().is_terminal() && io::stderr().is_terminal();
    if ground.report == Report::Envelope || !terminal {
        let command = argrail_acli::join(&["argrail", "trust", question.target].map(str::to_owned));
        let hint =
            Text::new("Somebody has to look at it and run on a terminal: argrail trust {}; or add --yes")
                .value(question.target);
        return Err(Error::new(Code::SetupRequired, question.about)
            .hint(hint)
            .detail("pending", json!([{"step": "trust", "command": command}]))
            .detail("wanted", question.data.clone()));
    }
    out::show(&question.shown);
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
        .hint(Text::new("Run it again and type the whole word yes: argrail trust {}").value(question.target))
        .detail("reason", "denied_by_human"))
}
