//! The argrail program as a library: what `main` calls, and what tests, examples and benches call without it.

#![forbid(unsafe_code)]

mod address_space;
mod agent;
mod amount;
mod args;
mod ask;
mod catalogue;
mod deciding;
mod delegation_file;
mod describe;
mod entry;
mod foreign;
mod interrupt;
mod metadata_file;
mod neutral;
mod out;
mod policy_file;
mod progress;
mod runtime;
pub mod serve;
mod setup;
mod terminal;
mod token_file;
mod verb;
mod verb_path;

pub use args::command_line::CommandLine;
pub use entry::main;
