//! The arguments of the verbs that drive agents.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

/// `argrail agent`.
#[derive(Debug, Args)]
pub struct AgentArgs {
    /// What to do.
    #[command(subcommand)]
    pub act: AgentAct,
}

/// What is done with agents.
#[derive(Debug, Subcommand)]
pub enum AgentAct {
    /// List the agents that are known, and how far each is: installed, in range, signed in, ready.
    List,
    /// Send a prompt to an agent, confined, and hear its answer; what it asks for goes through policy.
    Run(AgentRunArgs),
}

/// `argrail agent run`.
#[derive(Debug, Args)]
pub struct AgentRunArgs {
    /// The agent: goose, or goose@1.
    #[arg(value_name = "ID")]
    pub id: String,
    /// What to say to it. With - or, in a pipe, without it, the prompt is standard input.
    #[arg(value_name = "PROMPT")]
    pub prompt: Option<String>,
    /// The mode to be in, one of its own.
    #[arg(long, value_name = "M")]
    pub mode: Option<String>,
    /// An option of its own. May be repeated.
    #[arg(long = "option", value_name = "K=V", value_parser = crate::amount::name_and_value)]
    pub options: Vec<(String, String)>,
    /// The model to use.
    #[arg(long, value_name = "M")]
    pub model: Option<String>,
    /// How to go on from an earlier session, one that its manifest supports. Today only none, which begins anew.
    #[arg(long, value_name = "S")]
    pub continuation: Option<String>,
    /// Give it the tool cli: every tool of this machine, through the same policy, in the name of this session.
    #[arg(long)]
    pub with_tools: bool,
    /// Print each event as it comes, one JSON object a line.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub events: Option<EventsFormat>,
    /// Allow no more than this delegation does (ATIP §4.3), whatever the agent asks for.
    #[arg(long, value_name = "FILE")]
    pub delegation: Option<PathBuf>,
    /// Let a question wait so long for a person: 20s, 5m, 0.
    #[arg(long, value_name = "D", value_parser = crate::amount::wait)]
    pub wait: Option<Duration>,
}

/// How events are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum EventsFormat {
    /// One JSON object a line.
    Ndjson,
}
