//! The real binary, end to end: one module per verb, each test in a home of its own.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should stop there"
)]

mod agent;
mod agent_lint;
mod agent_list;
mod agent_run;
mod approvals;
mod attacks;
mod audit;
mod bundle_lint;
mod bundles;
mod call;
mod calls;
mod catalogue;
mod codes;
mod deciding;
mod diff;
mod doctor;
mod export;
mod infer;
mod lint;
mod mcp_servers;
mod new;
mod output;
mod provider_call;
mod readme;
mod repl;
mod sandbox;
mod scan;
mod serve;
mod tools_json;
mod trust;

/// The binary under test.
const ARGRAIL: &str = env!("CARGO_BIN_EXE_argrail");
