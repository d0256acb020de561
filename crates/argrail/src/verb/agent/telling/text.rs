//! For people: the agent's text on stdout as it comes, everything else on stderr.
//!
//! A pipe gets the text as it is. A terminal gets it on a [`Page`]: indented, harmless, never to be taken for ours.

use std::collections::HashMap;
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;

use argrail_agents::{Event, EventKind};
use rustix::termios::tcgetwinsize;

use super::Teller;
use super::entry::about;
use super::page::{Colour, Page, Voice, Words};
use crate::out::Layout;

/// The most uses of tools whose names are remembered.
const REMEMBERED: usize = 1000;

/// Where text goes.
#[derive(Debug)]
enum Paper {
    /// To somebody who reads bytes.
    Raw {
        /// Whether the last byte ended a line.
        ended: bool,
    },
    /// To a terminal, whose page is that of everything else, too, if that goes to a terminal as well.
    Page(Page),
}

/// Tells a person.
#[derive(Debug)]
pub(in crate::verb::agent) struct Told {
    text: Paper,
    /// The page of everything else, where it is not that of the text.
    rest: Option<Page>,
    names: HashMap<String, String>,
}

impl Told {
    /// Looks at what stdout and stderr are.
    pub(in crate::verb::agent) fn new() -> Self {
        let colour = match Layout::of_terminal(io::stderr().is_terminal()) {
            Layout::Colour => Colour::Shown,
            Layout::Compact | Layout::Plain => Colour::Absent,
        };
        let (stdout, stderr) = (io::stdout().is_terminal(), io::stderr().is_terminal());
        let width = Some(USUAL);
        let text = match stdout {
            true => Paper::Page(Page::new(width, colour)),
            false => Paper::Raw { ended: true },
        };
        let rest = match (stdout, stderr) {
            (true, true) => None,
            (false, true) => Some(Page::new(width, colour)),
            (true | false, false) => Some(Page::new(None, Colour::Absent)),
        };
        Self {
            text,
            rest,
            names: HashMap::new(),
        }
    }

    /// Looks how wide terminals are now.
    fn look(&mut self) {
        if let Paper::Page(page) = &mut self.text {
            page.resize(Some(width(io::stdout())));
        }
        if let Some(page) = self.rest.as_mut().filter(|_| io::stderr().is_terminal()) {
            page.resize(Some(width(io::stderr())));
        }
    }

    fn text(&mut self, piece: &str) -> io::Result<()> {
        match &mut self.text {
            Paper::Raw { ended } => {
                *ended = piece.ends_with('\n');
                to_stdout(piece)
            }
            Paper::Page(page) => to_stdout(&page.say(Voice::Text, piece)),
        }
    }

    fn rest(&mut self, write: impl FnOnce(&mut Page) -> String) {
        let shared = match &mut self.text {
            Paper::Page(page) => Some(page),
            Paper::Raw { .. } => None,
        };
        if let Some(page) = self.rest.as_mut().or(shared) {
            to_stderr(&write(page));
        }
    }

    fn line(&mut self, words: &[Words]) {
        self.rest(|page| page.own(words));
    }
}

impl Teller for Told {
    fn tell(&mut self, event: &Event) -> io::Result<()> {
        self.look();
        match &event.kind {
            EventKind::TextDelta { text } => self.text(text)?,
            EventKind::Thought { text } => self.rest(|page| page.say(Voice::Thought, text)),
            EventKind::ToolCall {
                id,
                name,
                kind,
                input,
            } => {
                if self.names.len() < REMEMBERED {
                    self.names.insert(id.clone(), name.clone());
                }
                let mut words = vec![ours("tool "), foreign(name)];
                if let Some(kind) = kind {
                    words.extend([ours(", by its word to "), foreign(kind)]);
                }
                if let Some(about) = about(input) {
                    words.extend([ours(": "), foreign(&about)]);
                }
                self.line(&words);
            }
            EventKind::ToolResult { id, is_error, .. } => {
                let name = self.names.get(id).unwrap_or(id).clone();
                let mark = if *is_error { "✗ " } else { "✓ " };
                let end = if *is_error { " failed" } else { "" };
                self.line(&[ours(mark), foreign(&name), ours(end)]);
            }
            EventKind::AgentPrompt(prompted) => {
                self.line(&[ours("the agent asks: "), foreign(&prompted.prompt)]);
            }
            EventKind::TurnEnd { .. } | EventKind::Error { .. } => self.finish(),
        }
        Ok(())
    }

    fn note(&mut self, text: &str) {
        self.line(&[ours(text)]);
    }

    fn warn(&mut self, text: &str) {
        self.note(text);
    }

    fn finish(&mut self) {
        // Nobody is left to be told that nobody listens.
        let _ = match &mut self.text {
            Paper::Raw { ended: true } => Ok(()),
            Paper::Raw { ended } => {
                *ended = true;
                to_stdout("\n")
            }
            Paper::Page(page) => to_stdout(&page.finish()),
        };
        if let Some(page) = &mut self.rest {
            to_stderr(&page.finish());
        }
    }
}

/// How wide a terminal is that does not say so.
const USUAL: usize = 80;

fn width(terminal: impl AsFd) -> usize {
    match tcgetwinsize(terminal) {
        Ok(size) if size.ws_col > 0 => usize::from(size.ws_col),
        Ok(_) | Err(_) => USUAL,
    }
}

fn ours(text: &str) -> Words {
    Words::Ours(text.to_owned())
}

fn foreign(text: &str) -> Words {
    Words::Foreign(text.to_owned())
}

fn to_stdout(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

fn to_stderr(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
