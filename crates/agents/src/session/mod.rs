//! A conversation with one agent: opened, sent to turn by turn, heard as events, closed.
//!
//! A task of its own drives each session: it reads and writes the pipes, keeps the clocks, asks the governor and hands
//! over events. The protocol is the arm's business; nothing here knows one.

mod canceller;
mod closed;
mod handle;
mod limits;
mod opening;
mod turn;

pub use canceller::Canceller;
pub use closed::Closed;
pub use handle::Session;
pub use limits::Limits;
pub use opening::{McpServer, Opening, Serves, Streaming, Times};
pub use turn::Turn;
