//! Conversations with real processes in real sandboxes, polite and hostile, and what agents ask of their host, through
//! the public API only.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "in a test, a panic is the report"
)]

mod asked;
mod ends;
mod fuzzed;
mod govern;
mod hostile;
mod launch;
mod opening;
mod scene;
mod seeds;
mod turns;
