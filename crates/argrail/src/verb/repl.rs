//! `argrail repl`: `call`, line by line. History and completion on a terminal; plain lines from a pipe.

use std::borrow::Cow;
use std::io::{self, BufRead, IsTerminal};
use std::sync::Arc;

use argrail_acli::{Caller, Cli, Error, Limits, Mask, Request, TokenizeError, complete, tokenize};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Config, Context, Editor, Helper, history::FileHistory};

use crate::out::{self, Layout, Report};
use crate::runtime::{self, Ended};
use crate::setup::Setup;

/// How many lines of history are kept.
const HISTORY: usize = 1_000;

/// Answers lines until the input ends; returns the exit number.
pub(crate) fn run(report: Report) -> u8 {
    let session = Setup::new(None).and_then(|setup| {
        let cli = setup.cli()?;
        setup.warn_of_rules(&cli);
        let session = Session {
            cli,
            caller: setup.caller("repl", "argrail repl"),
            layout: Layout::of(report),
        };
        if io::stdin().is_terminal() {
            session.converse(&setup)
        } else {
            session.read_pipe()
        }
    });
    match session {
        Ok(()) => 0,
        Err(error) => out::refuse(error, report),
    }
}

struct Session {
    cli: Arc<Cli>,
    caller: Caller,
    layout: Layout,
}

impl Session {
    fn answer(&self, line: &str) -> Result<(), Error> {
        let request = Request::new(line, self.caller.clone());
        match runtime::block_on(self.cli.answer(request))? {
            // What a single command ended with is in its envelope.
            Ended::Done(envelope) => drop(out::envelope(&envelope, self.layout)),
            Ended::Interrupted(_) => out::say("cancelled"),
        }
        Ok(())
    }

    fn read_pipe(&self) -> Result<(), Error> {
        for line in io::stdin().lock().split(b'\n') {
            let line = line.map_err(Error::execution)?;
            let line = String::from_utf8_lossy(&line);
            if !line.trim().is_empty() {
                self.answer(&line)?;
            }
        }
        Ok(())
    }

    fn converse(&self, setup: &Setup) -> Result<(), Error> {
        let config = Config::builder()
            .max_history_size(HISTORY)
            .map_err(Error::execution)?
            .auto_add_history(false);
        let mut editor: Editor<Prompt, FileHistory> =
            Editor::with_config(config.build()).map_err(Error::execution)?;
        editor.set_helper(Some(Prompt {
            cli: Arc::clone(&self.cli),
            colour: Layout::of_stdout() == Layout::Colour,
        }));
        let history = setup.places.state().join("repl_history");
        // A first session has none yet.
        let _ = editor.load_history(&history);
        out::say("type 'help' for commands, Tab to complete, Ctrl-D to leave");
        loop {
            match editor.readline("argrail> ") {
                Ok(line) if matches!(line.trim(), "exit" | "quit") => break,
                Ok(line) if line.trim().is_empty() => {}
                Ok(line) => {
                    // The history is a file, and keeps no secret either.
                    let kept = setup.door.shop().mask().mask(&line).into_owned();
                    editor.add_history_entry(kept).map_err(Error::execution)?;
                    self.answer(&line)?;
                }
                Err(ReadlineError::Interrupted) => {}
                Err(ReadlineError::Eof) => break,
                Err(error) => return Err(Error::execution(error)),
            }
        }
        editor.save_history(&history).map_err(Error::execution)
    }
}

/// What the line editor asks while somebody types.
struct Prompt {
    cli: Arc<Cli>,
    colour: bool,
}

impl Helper for Prompt {}

impl Completer for Prompt {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let (start, mut found) = complete(&self.cli, line.get(..at).unwrap_or(line));
        // A word that can only become one thing is finished, so the next may follow.
        if let [only] = found.as_mut_slice() {
            only.push(' ');
        }
        Ok((start, found))
    }
}

impl Hinter for Prompt {
    type Hint = String;

    /// Shows the rest of a word that can only become one thing.
    fn hint(&self, line: &str, at: usize, _: &Context<'_>) -> Option<String> {
        let (start, found) = complete(&self.cli, line);
        let [only] = found.as_slice() else { return None };
        let typed = line
            .get(start..)
            .filter(|typed| at == line.len() && !typed.is_empty())?;
        only.strip_prefix(typed)
            .filter(|rest| !rest.is_empty())
            .map(str::to_owned)
    }
}

impl Highlighter for Prompt {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        self.coloured(anstyle::AnsiColor::Blue.on_default().bold(), prompt)
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        self.coloured(anstyle::Style::new().dimmed(), hint)
    }
}

impl Prompt {
    fn coloured<'t>(&self, style: anstyle::Style, text: &'t str) -> Cow<'t, str> {
        if self.colour {
            Cow::Owned(format!("{style}{text}{style:#}"))
        } else {
            Cow::Borrowed(text)
        }
    }
}

impl Validator for Prompt {
    /// A line with an open quote or a backslash at its end goes on.
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(match tokenize(context.input(), &Limits::default()) {
            Err(TokenizeError::UnclosedQuote { .. } | TokenizeError::TrailingBackslash { .. }) => {
                ValidationResult::Incomplete
            }
            _ => ValidationResult::Valid(None),
        })
    }
}
