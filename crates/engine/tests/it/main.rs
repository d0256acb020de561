//! The engine from outside: many processes at the same files, and calls as real children.

#![expect(
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should stop there"
)]

mod calls;
mod writers;
