//! What asks a person, end to end: asked, answered through the store of the same user, and run once.
//!
//! What counts is what is on the disk afterwards. Answers are given as `argrail approve` gives them, by another process's
//! hand in the same store; that verb has tests of its own.

mod bound;
mod credentials;
mod elicited;
mod granted;
pub(crate) mod ground;
mod guessed;
mod new_hosts;
mod obeyed;
mod once;
mod tools_of_others;
mod typed_secrets;
mod unread;
mod variables;
mod waiting;
