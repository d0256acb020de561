//! A conversation with one agent: opened, sent to turn by turn, heard as events, closed.
//!
//! A task of its own drives each session: it reads and writes the pipes, keeps the clocks, asks the governor and hands
//! over events. The protocol is the arm's business; nothing here knows one.

mod asks;
mod canceller;
mod closed;
mod driver;
mod failing;
mod flow;
mod handle;
mod last_words;
mod leaving;
mod lines;
mod process;
mod side_channel;
mod steps;
mod telling;
mod turn;

pub use canceller::Canceller;
pub use closed::Closed;
pub use handle::Session;
pub use turn::Turn;
