//! The governor of a session: what an agent asks is judged by the same rules as a call, agreed to in the same way, and
//! written down in the same chain.
//!
//! A request for permission is the agent's own word about what it will do inside its sandbox; files and commands are
//! done by the host. Nothing of either happens that was not recorded.

mod bounds;
mod files;
mod governor;
mod happening;
mod input;
mod line;
mod permit;
mod place;
mod ring;
mod sh;
mod terminal;
mod terms;

pub use governor::SessionGovernor;
pub use terms::{Terms, Tools};
