//! Asking programs what they are, in the sandbox.
//!
//! Probing is running a stranger's program: even `--help` starts daemons, opens ports and writes files in some of
//! them. So each runs with an empty home, a read-only file system, no network, no terminal, no input, a small
//! environment and little time, and its whole tree of processes is gone when its answer is read.

mod answer;
mod booth;
mod closed;
mod crew;
mod outcome;
mod prober;
mod settings;
mod version_text;

pub use answer::{Verdict, judge};
pub(crate) use booth::{Booth, Listen, Question, is_the_machine};
pub(super) use closed::policy;
pub(super) use crew::together;
pub use outcome::{Outcome, Probed};
pub use prober::Prober;
pub use settings::{LONGEST, Settings, TIMEOUT, default_jobs};
pub(super) use version_text::version_in;
