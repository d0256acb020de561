//! How wide the terminal is that somebody reads.

use std::io::{self, IsTerminal};
use std::os::fd::AsFd;

use rustix::termios::tcgetwinsize;

/// How wide a terminal is that does not say so.
const USUAL: usize = 80;

/// Returns how wide the terminal on stdout is; nothing where there is none, and nothing is to be broken.
pub(crate) fn width() -> Option<usize> {
    columns(io::stdout())
}

/// Returns how wide the terminal on stderr is; nothing where there is none.
pub(crate) fn width_of_stderr() -> Option<usize> {
    columns(io::stderr())
}

fn columns(stream: impl IsTerminal + AsFd) -> Option<usize> {
    if !stream.is_terminal() {
        return None;
    }
    match tcgetwinsize(stream) {
        Ok(size) if size.ws_col > 0 => Some(usize::from(size.ws_col)),
        Ok(_) | Err(_) => Some(USUAL),
    }
}
