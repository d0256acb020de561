//! An `AGENT-CLI.md` as a whole.

use serde_json::{Map, Value};

use super::capabilities::{Capabilities, Capability};
use super::consistency;
use super::continuation::Continuation;
use super::example::AgentExample;
use super::mode::{AgentMode, check_modes};
use super::models::Models;
use super::option::{AgentOption, check_options};
use super::rules::EXTRA;
use super::session::{SessionPolicy, tell_turn_idle};
use super::wire::{Known, McpServer, NpmPackage, Protocol};
use crate::cli_md::{Auth, Install, Program, Requires, SetupStep, VersionCheck, check_steps, commands_run};
use crate::declare::{
    AnyText, BUNDLE_ID, Decode, FromRoot, Line, List, Own, Prose, Set, Tag, Whole, manifest, name, peek,
    texts,
};
use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::{Closed, CommandLine, Composable, Field, Loaded, ManifestVersion, Reference, Refused};
use crate::runner_block::Runner;
use crate::sandbox_block::SandboxBlock;

manifest! {
    /// The manifest of one agent.
    pub struct AgentCliMd closed, before check_names, check check_whole {
        /// What its folder is called.
        need name: Spanned<String> as Line<80>,
        /// What programs call it.
        need id: Spanned<String> as AgentId,
        /// What it is for.
        need description: Spanned<String> as Prose<1, 2000>,
        /// The version of this manifest, not of the program.
        need version: Spanned<ManifestVersion>,
        /// The program: a name on the search path, or with a slash a file of the folder.
        need bin: Spanned<String> as Program,
        /// Arguments in front of all others.
        may bin_args: Vec<Spanned<String>> as List<AnyText>,
        /// How it is installed, in this order.
        need install: Vec<Install> as List<Own, 1>,
        /// How its version is found and judged.
        need version_check: VersionCheck,
        /// What is done once after installing.
        may setup: Vec<SetupStep> as List => check_steps,
        /// How one signs in.
        may auth: Option<Auth>,
        /// What it may touch.
        need sandbox: Composable<SandboxBlock>,
        /// The process boundary.
        may runner: Option<Composable<Runner>>,
        /// How one talks to it.
        need protocol: Spanned<Protocol> as Known,
        /// The profile of the protocol, an `ACP.md`. There when the protocol is `acp`.
        may acp: Option<Reference> as FromRoot,
        /// The server whose tool it is. There when the protocol is `mcp`.
        may mcp: Option<McpServer>,
        /// The npm package that talks to it. There when the protocol is `proprietary`.
        may adapter: Option<Spanned<String>> as NpmPackage,
        /// How long sessions live.
        may session: Option<SessionPolicy>,
        /// Which models it may use.
        may models: Option<Models>,
        /// What a host may expect of it.
        may capabilities: Option<Capabilities>,
        /// Ways to run of which one at most is taken.
        may modes: Vec<AgentMode> as List => check_modes,
        /// Knobs.
        may options: Vec<AgentOption> as List => check_options,
        /// How earlier turns reach it.
        may continuation: Option<Continuation>,
        /// Which machines it is for.
        may requires: Option<Requires>,
        /// What people ask it for.
        may examples: Vec<AgentExample> as List,
        /// Words to find it by.
        may tags: Vec<Spanned<String>> as Set<Tag>,
        /// Variables that it does not get, whatever passes them. Not of the draft; real adapters have it.
        may env_unset: Vec<Spanned<String>> as List<AnyVariable>,
        /// How long a turn may be silent. Not of the draft; real adapters have it.
        may turn_idle_timeout_ms: Option<u64> as Whole<1000> => tell_turn_idle,
        /// Anybody's own.
        may metadata: Map<String, Value>,
    }
}

texts! {
    /// The id of an agent.
    AgentId = BUNDLE_ID, "an id such as \"goose\"", "use 2 to 64 small letters, digits and '-'";
    /// The name of a variable that somebody may have: `http_proxy` is one, too.
    AnyVariable = name("a-zA-Z_", "a-zA-Z0-9_", "a-zA-Z0-9_", 1..=255),
        "the name of a variable", "use letters, digits and '_'";
}

/// Reads an `AGENT-CLI.md`.
///
/// # Errors
/// Everything that is wrong with it.
pub fn load(text: &[u8]) -> Result<Loaded<AgentCliMd>, Refused> {
    crate::manifest::load(text, AgentCliMd::decode)
}

/// Complains about what belongs elsewhere.
fn check_names(object: &mut Closed<'_>, out: &mut Complaints) {
    let rows = [
        (
            "commands",
            "an agent has no subcommands: one talks to it",
            "describe a tool in a CLI.md instead",
        ),
        (
            "shell",
            "nothing of a manifest is given to a shell",
            "leave it out",
        ),
        (
            "env",
            "variables are the sandbox's",
            "list them in sandbox.env, or set them in a mode or an option",
        ),
        ("cwd", "an agent runs in the caller's folder", "leave it out"),
    ];
    for (key, why, hint) in rows {
        object.misplaced(key, why, hint, out);
    }
    if let Some(protocol) = peek::<Spanned<Protocol>, Own>(object, "protocol") {
        consistency::wire(&protocol, object.field(), out);
    }
    if let Some(unset) = object.field().member("env_unset") {
        let what = "it is no field of the draft; here these variables are kept from the agent";
        out.push(unset.warn(EXTRA, what).hint("other hosts may not know it"));
    }
}

fn check_whole(manifest: &mut AgentCliMd, field: &Field<'_>, out: &mut Complaints) {
    consistency::check(manifest, field, out);
}

impl AgentCliMd {
    /// Returns the identity of the agent, on which audit and registrations hang: `goose@1`.
    pub fn identity(&self) -> String {
        format!("{}@{}", self.id.value, self.version.major())
    }

    /// Returns every command that the manifest would have run, beside the agent itself: to check, to set up, to sign in.
    pub fn commands_run(&self) -> impl Iterator<Item = &CommandLine> {
        commands_run(&self.version_check, &self.setup, self.auth.as_ref())
    }

    /// Whether the manifest claims a capability.
    pub fn claims(&self, capability: Capability) -> bool {
        self.capabilities
            .as_ref()
            .is_some_and(|capabilities| capabilities.claims(capability))
    }

    /// Returns how long a turn may be silent, if the manifest says so.
    pub fn turn_idle_timeout_ms(&self) -> Option<u64> {
        let of_session = self
            .session
            .as_ref()
            .and_then(|session| session.turn_idle_timeout_ms);
        self.turn_idle_timeout_ms.or(of_session)
    }

    /// Returns the tool of the server that runs the agent, for `mcp`: `metadata.argrail.run_tool`.
    pub fn run_tool(&self) -> Option<&str> {
        self.metadata.get("argrail")?.get("run_tool")?.as_str()
    }
}
