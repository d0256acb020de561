//! The command `x-argrail` with all its subcommands.

use argrail_acli::Command;

use super::{about, doctor, path, wait};

/// Every command that argrail answers itself.
const OURS: [&str; 6] = [
    "x-argrail",
    "x-context",
    "x-intent",
    "x-output",
    "x-pattern",
    "x-search",
];

/// Whether argrail itself answers to this name. Other tools may begin with `x-`, too (ACLI §9.1).
pub(crate) fn is_ours(name: &str) -> bool {
    OURS.contains(&name)
}

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
