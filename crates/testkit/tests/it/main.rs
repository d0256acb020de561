//! The testkit on real children: what tests rely on when they rely on it.

mod home;
mod mcp;
