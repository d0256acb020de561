//! Integration tests of the crate, through its public API only. One binary, one module per subject.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "in a test, a panic is the report"
)]

mod answers;
mod binding;
mod calendar;
mod context;
mod corpus;
mod denied_help;
mod fuzzed;
mod masked;
mod more;
mod properties;
mod rich;
mod seeds;
mod styles;
mod switches;
#[path = "../../examples/conformance/tree.rs"]
mod tree;
mod unchecked;
mod unknown;
mod world;
