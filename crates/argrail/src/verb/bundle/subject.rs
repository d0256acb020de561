//! What is added, installed and told of: the bundle of a tool, or an agent. Both get their program in the same way.

use std::path::PathBuf;

use argrail_agents::catalogue::agent_home;
use argrail_engine::catalog::bundle::{About, CLI, Shelved};
use argrail_engine::catalog::project::Wants;
use argrail_engine::places::Places;
use argrail_engine::ready::Packaged;
use argrail_spec::agent_bundle::{AgentBundle, MANIFEST};
use argrail_spec::bundle::Bundle;
use argrail_spec::cli_md::{Auth, SetupStep};

/// One of the two.
pub(super) enum Subject {
    /// The bundle of a tool.
    Tool(Box<Bundle>),
    /// An agent.
    Agent(Box<AgentBundle>),
}

impl Subject {
    /// What getting its program depends on.
    pub(super) fn packaged(&self) -> Packaged<'_> {
        match self {
            Self::Tool(bundle) => (&bundle.cli).into(),
            Self::Agent(bundle) => (&bundle.agent).into(),
        }
    }

    /// `gh@1`.
    pub(super) fn identity(&self) -> String {
        self.packaged().identity()
    }

    /// What it is, in one word.
    pub(super) fn noun(&self) -> &'static str {
        match self {
            Self::Tool(_) => "bundle",
            Self::Agent(_) => "agent",
        }
    }

    /// What people call it.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Tool(bundle) => &bundle.cli.name.value,
            Self::Agent(bundle) => &bundle.agent.name.value,
        }
    }

    /// What it is for.
    pub(super) fn description(&self) -> &str {
        match self {
            Self::Tool(bundle) => &bundle.cli.description.value,
            Self::Agent(bundle) => &bundle.agent.description.value,
        }
    }

    /// How one signs in.
    pub(super) fn auth(&self) -> Option<&Auth> {
        match self {
            Self::Tool(bundle) => bundle.cli.auth.as_ref(),
            Self::Agent(bundle) => bundle.agent.auth.as_ref(),
        }
    }

    /// What is done once after installing.
    pub(super) fn setup(&self) -> &[SetupStep] {
        match self {
            Self::Tool(bundle) => &bundle.cli.setup,
            Self::Agent(bundle) => &bundle.agent.setup,
        }
    }

    /// What it says it wants.
    pub(super) fn wants(&self) -> Wants {
        let mut wants = Wants::default();
        match self {
            Self::Tool(bundle) => wants.bundle(&bundle.cli, Some(&bundle.sandbox), CLI),
            Self::Agent(bundle) => wants.agent(&bundle.agent, Some(&bundle.sandbox), MANIFEST),
        }
        wants
    }

    /// Where its folder lies once it is taken in.
    pub(super) fn shelved(&self, places: &Places) -> Shelved {
        match self {
            Self::Tool(bundle) => Shelved::bundle(places, &About::of(&bundle.cli, &[])),
            Self::Agent(bundle) => Shelved::agent(places, &self.identity(), &bundle.agent.name.value),
        }
    }

    /// What `~` is for it: an agent has a home of its own.
    pub(super) fn home(&self, places: &Places) -> PathBuf {
        match self {
            Self::Tool(_) => places.home().to_owned(),
            Self::Agent(_) => agent_home(places, &self.identity()),
        }
    }
}
