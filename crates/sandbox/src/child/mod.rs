//! The host's side of a child: how it is described, started, watched, ended, and reported.

mod activity;
mod caller;
mod command;
mod confined;
mod error;
mod feasibility;
mod handshake;
mod infer;
mod launcher_process;
mod os_command;
mod plain;
mod quarantine;
mod reached_addresses;
#[cfg(feature = "replay")]
pub(crate) mod replay;
mod report;
mod running;
mod seccomp_listener;
mod served_sockets;
mod streams;
mod touched_files;
mod watch;
mod watchdog;

pub use activity::{Activity, ActivitySample};
pub use command::{Command, Confinement};
pub use error::Error;
pub(crate) use feasibility::run_nothing;
pub use launcher_process::Launcher;
pub use quarantine::Quarantined;
pub use report::{Ended, Report};
pub use running::{Cancel, Child};
pub use streams::{Output, OutputCallback, Stdin};
