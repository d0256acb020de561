//! `argrail trust`: accept a project or a changed tool, after showing what it wants; list and take back.
//!
//! Nothing is accepted without a person: somebody types `yes` on a terminal, or wrote `--yes` on the command line.

mod list;
mod offer;
mod project;
mod run;
mod tool;

pub(crate) use run::{accept_project, record_accepted, run};
