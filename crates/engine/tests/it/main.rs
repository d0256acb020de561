//! The engine from outside: many processes at the same files, calls as real children, hostile bytes.

#![expect(
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should stop there"
)]

mod calls;
mod entries;
mod fuzzed;
mod install;
mod seeds;
mod store;
mod writers;
