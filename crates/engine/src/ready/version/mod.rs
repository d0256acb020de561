//! Which version a program has, and whether it will do (AIP-29, Version detection).
//!
//! The program itself is run, confined: it reads what it is made of, writes nothing, reaches nobody, and has little
//! time. Answers are remembered by what file the program is, so that a call pays for one small file.

mod error;
mod known;
mod observe;

pub use error::VersionError;
pub use known::Known;
pub use observe::{Asking, Observed, observe};
