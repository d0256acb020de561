//! The command `x-argrail` with all its subcommands.

use argrail_acli::Command;

use super::{about, doctor, path, wait};

/// Returns the command.
pub(crate) fn argrail() -> Command {
    Command::new(
        "x-argrail",
        "About argrail: version, what this machine can enforce, paths you may use",
    )
    .subcommand(about::command())
    .subcommand(doctor::command())
    .subcommand(path::command())
    .subcommand(wait::command())
}
