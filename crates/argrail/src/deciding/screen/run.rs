//! The loop around the state: keys, the clock and what waits come in, frames and decisions go out.
//!
//! Looks at what waits four times a second, and sleeps in between.

use std::fs::File;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use argrail_acli::Error;
use argrail_engine::store::Store;
use jiff::Timestamp;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event;

use super::super::asked::Asked;
use super::super::choice::Decision;
use super::draw::draw;
use super::guard::Guard;
use super::key::Key;
use super::press::{Step, Tools};
use super::state::State;

/// How often what waits is looked at.
const EVERY: Duration = Duration::from_millis(250);

/// What the screen needs from outside.
pub(crate) struct Desk<'a> {
    /// Where the questions are.
    pub(crate) store: &'a dyn Store,
    /// The terminal.
    pub(crate) terminal: &'a File,
    /// Says what is wrong with a pattern for a question.
    pub(crate) check: &'a dyn Fn(&str, &Asked) -> Result<(), String>,
    /// Makes a code to be typed.
    pub(crate) code: &'a dyn Fn() -> Option<String>,
    /// Keeps an answer, and says in our words what became of it.
    pub(crate) decide: &'a dyn Fn(&Decision) -> String,
    /// Set when somebody else wants us to stop.
    pub(crate) stop: &'a AtomicBool,
}

/// Shows the screen until somebody leaves it.
///
/// # Errors
/// When the terminal or the store cannot be used.
pub(crate) fn run(desk: &Desk<'_>) -> Result<(), Error> {
    let mut state = State::new(Timestamp::now());
    let _guard = Guard::take(desk.terminal).map_err(Error::execution)?;
    let copy = desk.terminal.try_clone().map_err(Error::execution)?;
    let mut terminal = Terminal::new(CrosstermBackend::new(copy)).map_err(Error::execution)?;
    let tools = Tools {
        check: desk.check,
        code: desk.code,
    };
    let mut changed = true;
    while !desk.stop.load(Ordering::Relaxed) {
        changed |= look(&mut state, desk)?;
        if changed {
            terminal
                .draw(|frame| draw(&mut state, frame.buffer_mut()))
                .map_err(Error::execution)?;
        }
        // A key wakes us at once; each is taken on a screen that shows what came of the one before.
        changed = event::poll(EVERY).map_err(Error::execution)?;
        if !changed {
            continue;
        }
        let event = event::read().map_err(Error::execution)?;
        for key in Key::all_of(&event) {
            match state.press(key, &tools) {
                Step::Draw => {}
                Step::Decide(decision) => state.notice = Some((desk.decide)(&decision)),
                Step::Leave => return Ok(()),
            }
        }
    }
    Ok(())
}

fn look(state: &mut State, desk: &Desk<'_>) -> Result<bool, Error> {
    let now = Timestamp::now();
    let pending = desk.store.pending(now).map_err(|error| Error::from(&error))?;
    let all = pending.len();
    let waiting: Vec<Asked> = pending.iter().filter_map(Asked::read).collect();
    let unreadable = all - waiting.len();
    Ok(state.update(waiting, unreadable, now))
}
