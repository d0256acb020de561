//! The argrail program as a library: what `main` calls, and what tests, examples and benches call without it.

#![forbid(unsafe_code)]

mod address_space;
mod agent;
mod agent_args;
mod amount;
mod args;
mod ask;
mod audit_args;
mod bundle_args;
mod catalogue;
mod deciding;
mod delegation_file;
mod describe;
mod entry;
mod exported;
mod foreign;
mod infer_args;
mod interrupt;
mod metadata_file;
mod neutral;
mod new_args;
mod out;
mod policy_file;
mod progress;
mod runtime;
pub mod serve;
mod setup;
mod token_file;
mod verb;
mod verb_path;

pub use args::CommandLine;
pub use entry::main;
