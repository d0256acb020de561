//! Agents from outside: what they ask of their host, judged by a real shop on a home of its own.

#![expect(
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should stop there"
)]

mod govern;
mod launch;
