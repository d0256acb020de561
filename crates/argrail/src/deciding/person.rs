//! A person at a terminal: whom we show things and ask.
//!
//! The terminal is the one that controls this session, and standard input is the same one, so a question is answered
//! where it is shown. Whoever runs as the same user can make a terminal of their own and sit down at it; nothing here
//! keeps them from that, and `doctor` says so.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};

use rustix::termios::{QueueSelector, tcflush, tcgetsid, tcgetwinsize};

use super::line::{Line, Row, lay_out};

/// The longest line that is read.
const LONGEST: u64 = 4096;

/// How wide a terminal is that does not say so.
const USUAL: usize = 80;

/// Somebody at a terminal.
#[derive(Debug)]
pub(crate) struct Person {
    terminal: File,
}

impl Person {
    /// Returns the person, if standard input is the terminal of this session.
    pub(crate) fn here() -> Option<Self> {
        let session = rustix::process::getsid(None).ok()?;
        // Only of its own terminal is a process told which session that belongs to.
        let of_stdin = tcgetsid(io::stdin()).ok()?;
        let terminal = OpenOptions::new().read(true).write(true).open("/dev/tty").ok()?;
        (session == of_stdin).then_some(Self { terminal })
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
        let lines: Vec<String> = lay_out(rows, self.width()).iter().map(Line::to_string).collect();
        self.terminal
            .write_all(format!("{}\n", lines.join("\n")).as_bytes())
    }

    /// Asks in our words, and returns the line that is typed from then on.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub(crate) fn ask(&mut self, question: &str) -> io::Result<String> {
        // What was typed before the question was shown is no answer to it.
        tcflush(&self.terminal, QueueSelector::IFlush)?;
        self.terminal.write_all(format!("{question} ").as_bytes())?;
        let mut answer = String::new();
        BufReader::new((&self.terminal).take(LONGEST)).read_line(&mut answer)?;
        Ok(answer.trim().to_owned())
    }

    fn width(&self) -> usize {
        match tcgetwinsize(&self.terminal) {
            Ok(size) if size.ws_col > 0 => usize::from(size.ws_col),
            Ok(_) | Err(_) => USUAL,
        }
    }
}
