//! Integration tests of the crate, through its public API only. One binary, one module per subject.

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "in a test, a panic is the report"
)]

mod agents;
mod bundles;
mod clap;
mod command;
mod config;
mod corpus;
mod delegation;
mod diff;
mod document;
mod example;
mod export;
mod fuzzed;
mod help;
mod invoke;
mod lint;
mod manifests;
mod manual;
mod many;
mod mcp_tools;
mod metadata;
mod schema;
mod seeds;
mod templates;
mod tools_json;
