//! The testkit on real children: what tests rely on when they rely on it.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests: a panic is the failure report"
)]

mod home;
mod mcp;
mod model;
