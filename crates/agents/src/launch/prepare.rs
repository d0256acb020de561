//! Everything about a start that can be known before it: wishes, program, words, variables, sandbox.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use argrail_acli::{Error, Text};
use argrail_engine::call::NamedSecret;
use argrail_engine::config::NetworkOverrides;
use argrail_engine::output::Secrets;
use argrail_engine::profile::{Driven, Profile, driven};
use argrail_engine::refusal;
use argrail_sandbox::{Launcher, Output, Stdin};
use argrail_spec::acp_md::AcpMd;
use argrail_spec::agent_cli_md::{AgentCliMd, Capability, Launch, SessionPolicy, Wishes};
use serde_json::Value;

use super::continuation::check_continuation;
use super::home;
use super::host::Host;
use super::own::Own;
use super::started::Started;
use crate::catalogue::{Agent, Readiness};
use crate::session_options::Limits;
use crate::session_options::{Carryover, Serves, Streaming, Times};

/// How long an agent may take to end when it is asked to (AIP-45, Lifecycle).
const GRACE: Duration = Duration::from_secs(5);

/// An agent that can be started, and in what. Nothing has been started.
#[derive(Debug)]
pub struct Prepared {
    agent: String,
    own_name: String,
    argv: Vec<OsString>,
    profile: Profile,
    launcher: Launcher,
    reach: NetworkOverrides,
    launch: Launch,
    doors: Vec<(String, PathBuf)>,
    sign_in: Option<String>,
    serves: Serves,
    streaming: Streaming,
    carryover: Carryover,
    times: Times,
    limits: Limits,
}

/// Checks what somebody wishes and fixes how the agent is started.
///
/// # Errors
/// A wish that the manifest does not allow; a protocol that is not spoken yet; `SETUP_REQUIRED` where the program is not
/// there or not set up; `VERSION_MISMATCH`; `SANDBOX_UNAVAILABLE` where the manifest asks for what cannot be held.
pub fn prepare(agent: &Agent, wishes: &Wishes, host: &Host<'_>) -> Result<Prepared, Error> {
    let manifest = &agent.bundle.agent;
    spoken(agent)?;
    check_continuation(manifest, None)?;
    let own = Own::of(manifest)?;
    let mut launch = manifest.launch(wishes)?;
    launch.env = own.env.into_iter().chain(launch.env).collect();
    let program = Readiness::of(agent, &host.means()).program()?;
    let home = home::make(&agent.home(host.places))?;
    let driven = driven(
        &Driven {
            block: &agent.bundle.sandbox,
            runner: &agent.bundle.runner,
            auth: manifest.auth.as_ref(),
            secrets: agent.bundle.secrets.as_ref(),
            launch: &launch,
            program: &program,
            home: &home,
            others: &home::beside(&home),
        },
        &host.ground,
    );
    let words = launch.args.iter().map(OsString::from);
    Ok(Prepared {
        agent: agent.identity(),
        own_name: agent.own_name(),
        argv: std::iter::once(program.into_os_string()).chain(words).collect(),
        profile: driven.map_err(|refusal| refusal::refused(&refusal))?,
        launcher: host.launcher.clone(),
        reach: host.reach.clone(),
        doors: Vec::new(),
        sign_in: own.sign_in,
        serves: serves(agent.bundle.profile.as_ref()),
        streaming: streaming(manifest),
        carryover: carryover(manifest),
        times: times(manifest),
        limits: limits(manifest),
        launch,
    })
}

impl Prepared {
    /// Returns the agent: `goose@1`.
    pub fn agent(&self) -> &str {
        &self.agent
    }

    /// Returns the name that grants and records hang on ([`Agent::own_name`]).
    pub fn own_name(&self) -> &str {
        &self.own_name
    }

    /// Returns the program and its words.
    pub fn argv(&self) -> &[OsString] {
        &self.argv
    }

    /// Returns where it works.
    pub fn directory(&self) -> &Path {
        self.profile.anchors.workspace()
    }

    /// Returns the word by which it is told to ask nobody, if it is: such a start needs a person's yes.
    pub fn lifts_permissions(&self) -> Option<&str> {
        self.launch.lifts_permissions()
    }

    /// Returns what it may touch, for people and the record. No value of a variable is in it.
    pub fn summary(&self) -> Value {
        self.profile.summary()
    }

    /// Returns the values that it is given and that stand in no error and no record.
    pub fn secrets(&self) -> Secrets {
        Secrets::new(self.profile.environment.secrets().map(str::to_owned))
    }

    /// Returns the same by their names, for whoever keeps them out of what is told.
    pub fn named_secrets(&self) -> impl Iterator<Item = NamedSecret> {
        let secrets = self.profile.environment.named_secrets();
        secrets.map(|(name, value)| NamedSecret::new(name, value))
    }

    /// Returns the profile, for whoever judges what the agent asks of its host.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Lets a name lead to a socket of the host, and to nothing else.
    #[must_use]
    pub fn door(mut self, name: &str, socket: &Path) -> Self {
        self.doors.push((name.to_owned(), socket.to_owned()));
        self
    }

    /// Starts it. It ends with whoever started it, and with what is returned.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE` when the machine cannot hold it, or why the program does not start.
    pub fn start(self) -> Result<Started, Error> {
        let secrets = self.secrets();
        let directory = self.directory().to_owned();
        let mut command = self
            .profile
            .command(self.argv, &self.launcher, &self.reach)
            .stdin(Stdin::Pipe)
            .stdout(Output::Pipe)
            .stderr(Output::Pipe)
            .grace(GRACE);
        for (name, socket) in &self.doors {
            command = command.route_to_socket(name, socket);
        }
        let child = command.spawn().map_err(|error| refusal::not_started(&error))?;
        Ok(Started {
            child,
            agent: self.agent,
            directory,
            launch: self.launch,
            sign_in: self.sign_in,
            serves: self.serves,
            streaming: self.streaming,
            carryover: self.carryover,
            times: self.times,
            limits: self.limits,
            secrets,
        })
    }
}

/// Refuses a protocol that has no arm.
fn spoken(agent: &Agent) -> Result<(), Error> {
    let protocol = agent.bundle.agent.protocol.value;
    if agent.is_spoken() {
        return Ok(());
    }
    let what = Text::new("the agent {} speaks {}, and argrail speaks acp with agents today")
        .value(agent.identity())
        .word(protocol.as_str());
    let hint = "Use a manifest with protocol: acp, if the agent speaks it";
    Err(Error::invalid(what, hint).detail("protocol", protocol.as_str()))
}

/// What the profile says that the client serves. What is not there is not served.
fn serves(profile: Option<&AcpMd>) -> Serves {
    let capabilities = profile.and_then(|profile| profile.metadata.aip44.capabilities.as_ref());
    let client = capabilities.and_then(|both| both.client.as_ref());
    let files = client.and_then(|client| client.fs.as_ref());
    Serves {
        read: files.and_then(|files| files.read_text_file) == Some(true),
        write: files.and_then(|files| files.write_text_file) == Some(true),
        terminals: client.and_then(|client| client.terminal) == Some(true),
    }
}

/// An agent that does not say that it cannot sends its text as it comes.
fn streaming(manifest: &AgentCliMd) -> Streaming {
    let capabilities = manifest.capabilities.as_ref();
    match capabilities.and_then(|all| all.get(Capability::Streaming)) {
        Some(claim) if !claim.value => Streaming::Whole,
        Some(_) | None => Streaming::Pieces,
    }
}

fn carryover(manifest: &AgentCliMd) -> Carryover {
    match manifest
        .session
        .as_ref()
        .is_none_or(SessionPolicy::context_carryover)
    {
        true => Carryover::Kept,
        false => Carryover::Dropped,
    }
}

fn limits(manifest: &AgentCliMd) -> Limits {
    Limits {
        turns: manifest.session.as_ref().and_then(|session| session.max_turns),
        ..Limits::default()
    }
}

fn times(manifest: &AgentCliMd) -> Times {
    let usual = Times::default();
    let session = manifest.session.as_ref();
    Times {
        idle: manifest
            .turn_idle_timeout_ms()
            .map_or(usual.idle, Duration::from_millis),
        unused: session.map_or(usual.unused, |session| {
            Duration::from_millis(session.idle_timeout_ms())
        }),
        ..usual
    }
}
