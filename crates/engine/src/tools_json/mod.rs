//! Running tools of `tools.json`: JSON on standard input, one line of JSON back, nothing inherited.
//!
//! A [`ManifestTool`](crate::catalog::ManifestTool) comes from a project that a person accepted, and is what was accepted: its program is held against
//! its pin before each call. [`call`] starts it in the sandbox that it is given, with `PATH`, `HOME` and what the manifest
//! passes on, and reads its answer. Arguments are held against the schema before anything is started.
//!
//! Whether a call may be made is decided elsewhere; nothing here asks or allows.

mod answer;
mod environment;
mod order;
mod profile;

pub use answer::Called;
pub use environment::{Passed, passed};
pub use order::{Order, call};
pub use profile::profile;
