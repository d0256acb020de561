//! A child that sits at a terminal of its own, in a session of its own, and the screen that a person would see.
//!
//! The session belongs to a shell around the child: when the first process of a session ends, the system throws away
//! what was not read from its terminal yet.

use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::process::Pid;
use rustix::termios::{Winsize, tcsetwinsize};

use crate::process;
use crate::terminal::open_pair;
use crate::watchdog::{Watchdog, kill_group};

/// The program that starts another in a session whose terminal is its standard input.
const SETSID: &str = "/usr/bin/setsid";

/// What that other is: it runs the child, tells its exit code in a sequence that no screen shows, and stays.
/// Ctrl-C is the child's.
const SESSION: &str = r#"trap : INT; "$@"; printf '\033]9999;%d\007' $?; read -r end"#;
/// How what it tells begins and ends.
const EXIT: (&[u8], u8) = (b"\x1b]9999;", 7);

/// How many rows and columns a screen has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Rows.
    pub rows: u16,
    /// Columns.
    pub columns: u16,
}

/// A running child whose terminal shows a screen.
pub struct Screen {
    child: std::process::Child,
    master: File,
    watchdog: Watchdog,
    emulator: vt100::Parser,
    bytes: Vec<u8>,
}

impl Screen {
    pub(crate) fn start(command: &Command, size: Size, limit: Duration) -> Self {
        let (master, slave) = open_pair().expect("the system has pseudo-terminals");
        let master = File::from(master);
        set_size(&master, size);
        let stdio = || Stdio::from(slave.try_clone().expect("a descriptor can be copied"));
        let mut wrapped = process::command(SETSID);
        wrapped
            .args(["--ctty", "/bin/sh", "-c", SESSION, "sh"])
            .arg(command.get_program())
            .args(command.get_args())
            .env_clear()
            .envs(
                command
                    .get_envs()
                    .filter_map(|(name, value)| Some((name, value?))),
            )
            .stdin(stdio())
            .stdout(stdio())
            .stderr(stdio());
        if let Some(directory) = command.get_current_dir() {
            wrapped.current_dir(directory);
        }
        let child = match process::start(&mut wrapped) {
            Ok(child) => child,
            Err(error) => panic!("cannot start {wrapped:?}: {error}"),
        };
        let watchdog = Watchdog::arm(group(&child), limit);
        Self {
            child,
            master,
            watchdog,
            emulator: vt100::Parser::new(nonzero(size.rows), nonzero(size.columns), 0),
            bytes: Vec::new(),
        }
    }

    /// Returns the child's process number.
    ///
    /// # Panics
    ///
    /// If it has ended.
    pub fn pid(&self) -> u32 {
        let shell = self.child.id();
        let children = std::fs::read_to_string(format!("/proc/{shell}/task/{shell}/children"));
        let children = children.expect("the system lists children");
        let child = children.split_whitespace().next().expect("the child runs");
        child.parse().expect("a process number is a number")
    }

    /// Types `text`, as it is.
    ///
    /// # Panics
    ///
    /// If the terminal is gone.
    pub fn type_in(&mut self, text: &str) {
        self.master
            .write_all(text.as_bytes())
            .expect("the terminal takes input");
    }

    /// Makes the screen larger or smaller, as somebody does with a window.
    pub fn resize(&mut self, size: Size) {
        self.emulator
            .screen_mut()
            .set_size(nonzero(size.rows), nonzero(size.columns));
        set_size(&self.master, size);
    }

    /// Reads until the screen shows `text`, and returns all lines of it.
    ///
    /// # Panics
    ///
    /// If the child ends, or its time is up, before it does.
    pub fn expect(&mut self, text: &str) -> Vec<String> {
        self.expect_that(text, |lines| lines.iter().any(|line| line.contains(text)))
    }

    /// Reads until the screen is as wanted, and returns all lines of it. `what` says in a failure what was wanted.
    ///
    /// # Panics
    ///
    /// If the child ends, or its time is up, before it is.
    pub fn expect_that(&mut self, what: &str, wanted: impl Fn(&[String]) -> bool) -> Vec<String> {
        loop {
            let lines = self.lines();
            if wanted(&lines) {
                return lines;
            }
            assert!(
                self.exit().is_none() && self.read(),
                "the child ended before it showed {what:?}; it showed\n{}",
                lines.join("\n")
            );
        }
    }

    /// Reads what comes next; returns whether anything can still come.
    fn read(&mut self) -> bool {
        let mut buffer = [0; 4096];
        match self.master.read(&mut buffer) {
            Ok(count) if count > 0 => {
                let read = buffer.get(..count).unwrap_or_default();
                self.bytes.extend_from_slice(read);
                self.emulator.process(read);
                true
            }
            // A terminal whose processes are gone reads as an error.
            Ok(_) | Err(_) => false,
        }
    }

    /// Returns the exit code of the child, if it has ended and everything that it wrote was read.
    fn exit(&self) -> Option<i32> {
        let (start, end) = EXIT;
        let at = self.bytes.windows(start.len()).position(|bytes| bytes == start)?;
        let code = self.bytes.get(at + start.len()..)?;
        let length = code.iter().position(|byte| *byte == end)?;
        std::str::from_utf8(code.get(..length)?).ok()?.parse().ok()
    }

    /// Returns the lines of the screen as they are now, without blanks at their ends.
    pub fn lines(&self) -> Vec<String> {
        let screen = self.emulator.screen();
        let (_, columns) = screen.size();
        screen
            .rows(0, columns.get())
            .map(|line| line.trim_end().to_owned())
            .collect()
    }

    /// Whether any character on the screen has a colour.
    pub fn has_colour(&self) -> bool {
        let screen = self.emulator.screen();
        let (rows, columns) = screen.size();
        (0..rows.get()).any(|row| {
            (0..columns.get()).any(|column| {
                screen.cell(row, column).is_some_and(|cell| {
                    cell.fgcolor() != vt100::Color::Default || cell.bgcolor() != vt100::Color::Default
                })
            })
        })
    }

    /// Whether the child has the other screen, which vanishes when it ends.
    pub fn is_alternate(&self) -> bool {
        self.emulator.screen().alternate_screen()
    }

    /// Waits for the end, and returns everything that came from the child, as it came.
    ///
    /// # Panics
    ///
    /// If it does not end in time.
    pub fn bytes(&mut self) -> &[u8] {
        self.read_to_end();
        let (start, _) = EXIT;
        let end = self.bytes.windows(start.len()).rposition(|bytes| bytes == start);
        end.and_then(|end| self.bytes.get(..end)).unwrap_or(&self.bytes)
    }

    fn read_to_end(&mut self) {
        while self.exit().is_none() {
            assert!(self.read(), "the child did not end in time");
        }
    }

    /// Waits for the end, and returns the exit code and the screen that is left.
    ///
    /// # Panics
    ///
    /// If it does not end in time.
    pub fn wait(mut self) -> (Option<i32>, Vec<String>) {
        self.read_to_end();
        assert!(!self.watchdog.has_fired(), "the child did not end in time");
        assert!(!self.is_alternate(), "the terminal was not given back");
        assert!(
            !self.emulator.screen().hide_cursor(),
            "the cursor was not given back"
        );
        (self.exit(), self.lines())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.watchdog.disarm();
        kill_group(group(&self.child));
        let _ = self.child.wait();
    }
}

/// `setsid` makes the shell the first of its group, under its own number.
fn group(child: &std::process::Child) -> Pid {
    let id = i32::try_from(child.id()).expect("a process number is an i32");
    Pid::from_raw(id).expect("a process number is not zero")
}

fn nonzero(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).expect("a screen has rows and columns")
}

fn set_size(master: &File, size: Size) {
    let window = Winsize {
        ws_row: size.rows,
        ws_col: size.columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(master, window).expect("a terminal has a size");
}
