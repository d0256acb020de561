//! Test support: a hermetic home, children that cannot hang, an MCP client that trusts nothing, and a model that
//! says what it is told to.
//!
//! Dev only, and it knows none of our crates, so every crate may use it in its tests. A helper that
//! cannot go on panics with what it saw: in a test, that panic is the report.
//!
//! ```
//! use argrail_testkit::Home;
//!
//! let home = Home::new().tool("greet", "#!/bin/sh\necho \"hello $1\"\n");
//! let run = home.run("greet", &["you"]);
//! assert_eq!(run.to_string(), "exit: 0\n--- stdout\nhello you\n--- stderr\n");
//! ```
//!
//! The repository's tidy tests live here too, in `tests/tidy`.

#![forbid(unsafe_code)]
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "test support: a panic is the failure report"
)]

pub mod acp_agent;
mod child;
mod home;
mod http;
mod lines;
pub mod mcp;
pub mod model;
mod patience;
mod process;
pub mod readme;
mod run;
mod screen;
mod seeds;
mod terminal;
mod watchdog;
mod web;

pub use child::Child;
pub use home::Home;
pub use patience::{assert_growth, cpu_time, with_time_to_begin};
pub use process::{command, signal};
pub use readme::readme_commands;
pub use run::Run;
pub use rustix::process::Signal;
pub use screen::{Screen, Size};
pub use seeds::{replay_seeds, replay_texts};
pub use terminal::Terminal;
pub use web::{Asked, Page, Web};
