//! Integration tests of the crate, through its public API only. One binary, one module per subject.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "in a test, a panic is the report"
)]

mod children;
mod doors;
mod fuzzed;
mod misuse;
mod noticed;
mod place;
mod policy;
mod prove;
mod public;
mod seeds;
mod soak;
mod stopped;
