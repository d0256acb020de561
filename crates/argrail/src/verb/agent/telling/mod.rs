//! What is heard of an agent, told to whoever listens: a person, a program line by line, or a program at the end.

mod answer;
mod entry;
mod lines;
mod page;
mod text;

pub(super) use answer::Answered;
pub(super) use lines::Lines;
pub(super) use text::Told;

use std::io;

use argrail_agents::Event;

/// Somebody who is told each event.
pub(super) trait Teller {
    /// Tells one event.
    ///
    /// # Errors
    /// When nobody listens any more.
    fn tell(&mut self, event: &Event) -> io::Result<()>;

    /// Says something in our own words beside the events.
    fn note(&mut self, text: &str);

    /// Says that something is not as the agent's manifest has it.
    fn warn(&mut self, text: &str);

    /// Ends what was begun, so that whatever comes next begins a line.
    fn finish(&mut self);
}
