//! Diagnostics for their readers: [`text`] for people, [`json`] for programs, [`sarif`] for code review tools.
//!
//! The text that complaints point into is a stranger's: nothing of it reaches a terminal unescaped or unbounded.

mod excerpt;
mod file;
mod json;
mod sarif;
mod text;
mod visible;

pub use file::File;
pub use json::json;
pub use sarif::sarif;
pub use text::text;
