//! A standing yes of a person's: for which calls, of whom, until when.
//!
//! Pure data and matching. A grant answers questions, never a no; it covers what destroys or costs only where it says
//! so; a call with anything that its pattern does not name is beside it.

mod answers;
mod covers;
mod danger;
mod glob;
mod like;
mod mismatch;
mod pattern;
mod standing;
mod suggest;
mod text;

#[cfg(test)]
mod tests;

pub(super) use answers::answer;
pub use like::CallShape;
pub use mismatch::Mismatch;
pub(crate) use pattern::granted_tools;
pub use pattern::{Danger, OptionPattern, Pattern, Values, WordPatterns};
pub use standing::{Grant, GrantId};
pub(crate) use suggest::{Suggestion, suggested};
pub use text::PatternError;
