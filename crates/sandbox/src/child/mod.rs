//! The host's side of a child: how it is described, started, watched, ended, and reported.

mod asks;
mod cancel;
mod command;
mod confined;
mod doors;
mod error;
mod infer;
mod os_command;
mod plain;
mod quarantine;
mod report;
mod running;
mod streams;
mod watch;

use os_command::os_command;

pub use cancel::Cancel;
pub(crate) use confined::no_namespaces;
pub use command::{Command, Confinement, Launcher};
pub use error::Error;
pub use quarantine::Quarantined;
pub use report::{Ended, Report};
pub use running::Child;
pub use streams::{Output, Stdin};
