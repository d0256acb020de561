//! Calls in the sandboxes that their effects make, with real programs that do more than they say.

mod closed;
mod effects;
mod git;
mod place;
mod running;
mod variables;

pub(crate) use place::{LONG, launcher};
