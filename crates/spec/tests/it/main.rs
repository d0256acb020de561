//! Integration tests of the crate, through its public API only. One binary, one module per subject.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is the report")]

mod config;
mod corpus;
mod delegation;
mod document;
mod fuzzed;
mod lint;
mod metadata;
mod schema;
mod seeds;
