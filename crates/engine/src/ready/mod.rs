//! Whether a tool without a bundle can be called now: is it there, is somebody signed in, how long may it take.
//!
//! Whoever asks has been allowed to call it. What is missing is said with the command that a person runs next; nothing
//! is installed and nobody is signed in from here.

mod auth;
mod program;
pub mod shipped;
mod signed_in;
mod timeout;

pub use auth::{Asked, Check, CheckOutcome, Step, step};
pub use program::program;
pub use signed_in::SignedIn;
pub use timeout::timeout;
