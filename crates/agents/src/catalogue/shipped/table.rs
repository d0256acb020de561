//! The table of agents, one line each.

use super::ShippedAgent;

/// One row: the files of a folder beside this one.
macro_rules! row {
    ($id:literal) => {
        ShippedAgent {
            id: $id,
            texts: &[
                ("ACP.md", include_str!(concat!($id, "/ACP.md"))),
                ("AGENT-CLI.md", include_str!(concat!($id, "/AGENT-CLI.md"))),
            ],
        }
    };
}

/// The agents, sorted by id.
const AGENTS: &[ShippedAgent] = &[
    row!("claude"),
    row!("codex"),
    row!("copilot"),
    row!("cursor-agent"),
    row!("gemini"),
    row!("goose"),
    row!("grok"),
    row!("hermes"),
    row!("kimi"),
    row!("openclaw"),
    row!("opencode"),
    row!("qwen"),
];

/// Returns every agent that argrail brings along, sorted by id.
pub fn shipped_agents() -> &'static [ShippedAgent] {
    AGENTS
}

/// Returns the agent with this id.
pub fn shipped_agent(id: &str) -> Option<&'static ShippedAgent> {
    AGENTS.iter().find(|agent| agent.id == id)
}
