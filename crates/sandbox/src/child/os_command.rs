//! The one place where the system is asked for a process.

use std::ffi::OsStr;
use std::process::Command;

/// Begins to describe a process to the system.
#[expect(
    clippy::disallowed_methods,
    reason = "every child comes through here; that is what the ban is for"
)]
pub(super) fn os_command(program: &OsStr) -> Command {
    Command::new(program)
}
