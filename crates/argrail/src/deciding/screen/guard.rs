//! The terminal in its other state, and back: also after an error, a panic or a signal.

use std::fs::File;
use std::io::{self, Write};

use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use rustix::termios::{QueueSelector, tcflush};

/// A terminal that is ours until this is dropped.
pub(super) struct Guard {
    terminal: File,
}

impl Guard {
    /// Takes the terminal.
    pub(super) fn take(terminal: &File) -> io::Result<Self> {
        let terminal = terminal.try_clone()?;
        give_back_on_panic(terminal.try_clone()?);
        enable_raw_mode()?;
        let mut guard = Self { terminal };
        // What was typed before there was a screen was not meant for it.
        tcflush(&guard.terminal, QueueSelector::IFlush)?;
        execute!(guard.terminal, EnterAlternateScreen, Hide)?;
        Ok(guard)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        give_back(&mut self.terminal);
    }
}

/// Nothing more can be done where even this fails.
fn give_back(terminal: &mut File) {
    let _ = execute!(terminal, LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
    let _ = terminal.flush();
}

/// A panic is told on the screen that people see afterwards.
fn give_back_on_panic(terminal: File) {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if let Ok(mut terminal) = terminal.try_clone() {
            give_back(&mut terminal);
        }
        before(panic);
    }));
}
