//! Acts of an agent that are no calls: what it does itself inside its sandbox, and what its host does for it.
//!
//! The same path as a call, up to where something would be started: [`Deed`] says what is known of it, the same rules
//! judge it, and a person is asked in the same way, with a yes that holds for exactly this act.

mod agree;
mod deed;
mod diff;

pub use agree::{Act, Agreement, Whose};
pub use deed::{Deed, FileAct, Reached, Stdin, Step};
pub use diff::{Change, change, excerpt};
