//! The agents that argrail brings along: one folder each, with an `AGENT-CLI.md` and its `ACP.md`, compiled in.
//!
//! They are manifests as anybody writes them (AIP-45), without programs: a person installs one by its name, and it is
//! then checked and confined like every other. Adding one is a folder here and a line in the table.

mod agent;
mod table;

pub use agent::ShippedAgent;
pub use table::{shipped_agent, shipped_agents};

#[cfg(test)]
mod tests;
