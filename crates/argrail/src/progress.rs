//! How far long work has come: one line on a terminal's stderr that is written over, and nothing in a pipe.

use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How often the line is written.
const EVERY: Duration = Duration::from_millis(50);
/// How long work may take before it is worth a bar.
const PATIENCE: Duration = Duration::from_millis(700);
/// How wide the bar is.
const WIDTH: usize = 24;

/// A bar.
#[derive(Debug)]
pub(crate) struct Bar {
    title: &'static str,
    /// From when it is shown.
    from: Instant,
    /// When it was last written; nothing where nobody watches.
    last: Option<Mutex<Option<Instant>>>,
}

impl Bar {
    /// Makes a bar, which shows nothing unless stderr is a terminal that can be written over.
    pub(crate) fn new(title: &'static str) -> Self {
        Self::after(title, Duration::ZERO)
    }

    /// Makes a bar for work that may be short: it is shown only after a while.
    pub(crate) fn patient(title: &'static str) -> Self {
        Self::after(title, PATIENCE)
    }

    fn after(title: &'static str, patience: Duration) -> Self {
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        let watched = io::stderr().is_terminal() && !dumb;
        Self {
            title,
            from: Instant::now() + patience,
            last: watched.then(|| Mutex::new(None)),
        }
    }

    /// Shows how far the work is. Called from any thread, as often as there is news.
    pub(crate) fn show(&self, done: usize, total: usize, found: usize) {
        let Some(last) = &self.last else { return };
        // Whoever is late need not write: another has just done so.
        let Ok(mut last) = last.try_lock() else { return };
        let now = Instant::now();
        if now < self.from {
            return;
        }
        if last.is_some_and(|last| now.duration_since(last) < EVERY) && done < total {
            return;
        }
        *last = Some(now);
        let _ = write!(io::stderr().lock(), "\r{}", line(self.title, done, total, found));
    }

    /// Takes the line away.
    pub(crate) fn clear(&self) {
        let shown = self
            .last
            .as_ref()
            .is_some_and(|last| last.lock().is_ok_and(|last| last.is_some()));
        if shown {
            let _ = write!(io::stderr().lock(), "\r\u{1b}[K");
        }
    }
}

fn line(title: &str, done: usize, total: usize, found: usize) -> String {
    let full = (done * WIDTH).checked_div(total).unwrap_or(WIDTH).min(WIDTH);
    let (full, rest) = ("#".repeat(full), ".".repeat(WIDTH - full));
    format!("argrail: {title} [{full}{rest}] {done}/{total}, {found} found")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_fills_up() {
        assert_eq!(
            line("x", 0, 4, 0),
            "argrail: x [........................] 0/4, 0 found"
        );
        assert_eq!(
            line("x", 2, 4, 1),
            "argrail: x [############............] 2/4, 1 found"
        );
        assert_eq!(
            line("x", 4, 4, 1),
            "argrail: x [########################] 4/4, 1 found"
        );
        assert_eq!(
            line("x", 0, 0, 0),
            "argrail: x [########################] 0/0, 0 found"
        );
    }
}
