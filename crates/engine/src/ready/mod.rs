//! Whether a tool can be called now: is it there, is it the right version, is somebody signed in, how long may it take.
//!
//! Whoever asks has been allowed to call it. What is missing is said with the command that a person runs next: a call
//! installs nothing and signs nobody in. [`install`] is for that person's command.

mod auth;
pub mod entry;
pub mod install;
pub mod origin;
mod packaged;
mod program;
pub mod shipped;
mod signed_in;
pub mod version;

pub use auth::{Asked, Check, CheckOutcome, Step, step};
pub use packaged::{Packaged, PackagedKind};
pub use program::program;
pub use signed_in::SignedIn;
