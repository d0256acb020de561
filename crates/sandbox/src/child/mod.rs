//! The host's side of a child: how it is described, started, watched, ended, and reported.

mod activity;
mod asks;
mod caller;
mod cancel;
mod command;
mod confined;
mod doors;
mod error;
mod foresee;
mod handshake;
mod infer;
mod launcher;
mod os_command;
mod plain;
mod quarantine;
mod reached;
#[cfg(feature = "replay")]
pub(crate) mod replay;
mod report;
mod running;
mod started;
mod streams;
mod touched;
mod watch;
mod watchdog;

pub use activity::{Activity, ActivitySample};
pub use cancel::Cancel;
pub use command::{Command, Confinement};
pub use error::Error;
pub(crate) use foresee::run_nothing;
pub use launcher::Launcher;
pub use quarantine::Quarantined;
pub use report::{Ended, Report};
pub use running::Child;
pub use streams::{Output, OutputCallback, Stdin};
