//! A person at a terminal: whom we show things and ask.
//!
//! The terminal is the one on standard input, so a question is answered where it is shown. Whoever runs as the same user
//! can make a terminal of their own and sit down at it; nothing here keeps them from that, and `doctor` says so.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;
use rustix::termios::{QueueSelector, tcflush, tcgetwinsize, ttyname};

use crate::foreign::{Line, Row, lay_out};

/// The longest line that is read.
const LONGEST: u64 = 4096;

/// How wide a terminal is that does not say so.
const USUAL: usize = 80;

/// What every line of ours begins with where somebody else writes on the same terminal. Nobody else's text has it.
pub(crate) const MARK: char = '▌';

/// Who writes on the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Company {
    /// We alone.
    Alone,
    /// An agent does, too: our lines bear the mark.
    Agent,
}

/// Somebody at a terminal.
#[derive(Debug)]
pub(crate) struct Person {
    terminal: File,
    company: Company,
}

impl Person {
    /// Returns the person, if standard input is a terminal.
    pub(crate) fn here() -> Option<Self> {
        let name = ttyname(io::stdin(), Vec::new()).ok()?;
        // Opened again: what standard input is open for is the caller's choice.
        let path = Path::new(OsStr::from_bytes(name.as_bytes()));
        let open = OpenOptions::new()
            .read(true)
            .write(true)
            .custom_flags(OFlags::NOCTTY.bits().cast_signed())
            .open(path);
        open.ok().map(|terminal| Self {
            terminal,
            company: Company::Alone,
        })
    }

    /// Says that an agent writes on the same terminal.
    pub(crate) fn with_an_agent(self) -> Self {
        Self {
            company: Company::Agent,
            ..self
        }
    }

    /// Returns the terminal.
    pub(crate) fn terminal(&self) -> &File {
        &self.terminal
    }

    /// Shows rows, as wide as the terminal is.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub(crate) fn show(&mut self, rows: &[Row]) -> io::Result<()> {
        let mark = self.mark();
        let room = self.width().saturating_sub(mark.chars().count());
        let line = |line: &Line| format!("{mark}{line}").trim_end().to_owned();
        let lines: Vec<String> = lay_out(rows, room).iter().map(line).collect();
        self.terminal
            .write_all(format!("{}\n", lines.join("\n")).as_bytes())
    }

    /// Asks in our words, and returns the line that is typed.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub(crate) fn ask(&mut self, question: &str) -> io::Result<String> {
        self.put(question)?;
        let mut answer = String::new();
        BufReader::new((&self.terminal).take(LONGEST)).read_line(&mut answer)?;
        Ok(answer.trim().to_owned())
    }

    /// Writes a question in our words. What was typed before it is no answer to it.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub(crate) fn put(&mut self, question: &str) -> io::Result<()> {
        if self.company == Company::Agent {
            tcflush(&self.terminal, QueueSelector::IFlush)?;
        }
        let mark = self.mark();
        self.terminal.write_all(format!("{mark}{question} ").as_bytes())
    }

    /// Ends the line of a question that has no answer.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub(crate) fn end_line(&mut self) -> io::Result<()> {
        self.terminal.write_all(b"\n")
    }

    fn mark(&self) -> String {
        match self.company {
            Company::Alone => String::new(),
            Company::Agent => format!("{MARK} "),
        }
    }

    /// Returns how wide the terminal is.
    pub(crate) fn width(&self) -> usize {
        match tcgetwinsize(&self.terminal) {
            Ok(size) if size.ws_col > 0 => usize::from(size.ws_col),
            Ok(_) | Err(_) => USUAL,
        }
    }
}
