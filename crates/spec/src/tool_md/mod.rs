//! AIP-14 `TOOL.md`: the contract of one callable, inside of a CLI bundle one subcommand.
//!
//! The argv template is kept as raw words with their places ([`ToolMd::argv`]); the fields that AIP-29 shows in it
//! (`runner.{cli,argv}`, `sandbox`, `output`) are read, too.

mod contract;
mod manifest;
mod rules;
mod schemas;

pub use contract::{
    Approval, Backoff, CostClass, DriverConstraints, DriverKind, Mutation, Needs, Retry, ToolExample,
    ToolRunner,
};
pub use manifest::{ToolMd, load};

pub(crate) use rules::{RULES, TEMPLATE};
