//! From an agent that may be started to the end of its turn.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use argrail_acli::{Error, TokioHost};
use argrail_agents::catalogue::Agents;
use argrail_agents::launch::{Host, Prepared, Wishes, check_continuation, declared_in_vain, prepare};
use argrail_agents::{
    Governor, Happening, McpServer, Session, SessionGovernor, SessionOptions, Terms, Tools,
};
use argrail_engine::consent::{Client, caller_key};
use argrail_engine::store::{SqliteStore, Store};
use argrail_sandbox::Launcher;
use argrail_spec::config::Secret;
use jiff::Timestamp;

use super::outcome::Outcome;
use super::questions::questions;
use super::signals::Signals;
use super::telling::Teller;
use super::turn::Room;
use super::unattended;
use crate::args::agent::AgentRunArgs;
use crate::catalogue;
use crate::deciding::Attendant;
use crate::foreign::one_line;
use crate::serve::http::{GUEST_HOST, GuestDoor};
use crate::serve::{CliServer, Commands, Shared};
use crate::setup::Setup;

/// How long an agent has to end, so that its end is recorded, when we end at once.
const LAST_CHANCE: Duration = Duration::from_millis(300);

/// How long an agent has to ask which tools there are before it is spoken to, and to tell its model of them.
///
/// Agents open a session before they have found its servers, and tools that come after the prompt are not there for it.
const LOOKS: Duration = Duration::from_secs(10);
/// After this long whoever waits is told why.
const AT_ONCE: Duration = Duration::from_secs(1);
const TELLS_ITS_MODEL: Duration = Duration::from_millis(300);

/// How many questions that wait are named.
const TOLD: usize = 8;

/// Where files of sessions are, below our own.
const FILES: &str = "agents";

/// How an agent comes into its mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ModeBy {
    /// By the words and variables that it is started with.
    Start,
    /// By being told in the session, if it offers that.
    Session,
}

/// The tools of this machine, served to the agent.
struct Guest {
    door: GuestDoor,
    shared: Shared,
}

impl Guest {
    /// Waits until the agent knows of them, and returns whether it does. One that takes too long looks when it needs them,
    /// or never.
    async fn is_known(&self, within: Duration) -> bool {
        let looked = tokio::time::timeout(within, self.shared.looked_at())
            .await
            .is_ok();
        if looked {
            tokio::time::sleep(TELLS_ITS_MODEL).await;
        }
        looked
    }
}

/// What is to be said to whom.
pub(super) struct Conversation<'a> {
    /// The words of the command line.
    pub(super) args: &'a AgentRunArgs,
    /// The session, by our own id.
    pub(super) session: &'a str,
    /// What is said.
    pub(super) prompt: &'a str,
    /// The tools of this machine, with the session's delegation.
    pub(super) setup: &'a Setup,
}

/// Starts the agent, sends the prompt, and returns how the turn ended. Nothing of the agent is left then.
///
/// # Errors
/// Why it was not started, or did not answer.
pub(super) async fn converse(
    conversation: &Conversation<'_>,
    teller: &mut dyn Teller,
    attendant: Option<&mut Attendant>,
) -> Result<Outcome, Error> {
    let mut signals = Signals::listen().map_err(Error::execution)?;
    let (prepared, mode) = conversation.prepare(teller)?;
    conversation.setup.door.conceal(prepared.named_secrets());
    let agent = prepared.agent().to_owned();
    let (asker, mut asked) = questions();
    let governor = conversation.governor(&prepared, Arc::clone(&asker));
    let mut room = Room {
        agent: &agent,
        teller,
        attendant,
        questions: &mut asked,
        signals: &mut signals,
        told: Vec::new(),
    };
    if let Some(word) = prepared.lifts_permissions() {
        let agreed = unattended::agree(
            &governor,
            &prepared,
            word,
            conversation.prompt,
            Arc::clone(&asker),
        );
        match room.meanwhile(agreed).await {
            Ok(agreed) => agreed?,
            Err(exit) => return Ok(Outcome::Stopped(exit)),
        }
    }
    let guest = match conversation.args.with_tools {
        true => Some(conversation.serve(&governor, asker).await?),
        false => None,
    };
    let begun = Timestamp::now();
    let outcome = conversation
        .held((prepared, mode), &governor, guest.as_ref(), &mut room)
        .await;
    if let Some(guest) = guest {
        guest.door.close().await;
    }
    conversation.tell_what_waits((&governor, begun), &room.told, room.teller);
    outcome
}

impl Conversation<'_> {
    /// Finds the agent and fixes how it is started.
    fn prepare(&self, teller: &mut dyn Teller) -> Result<(Prepared, ModeBy), Error> {
        let shelf = catalogue::shelf()?;
        let agents = Agents::open(&shelf)?;
        let agent = agents.find(&self.args.id)?;
        check_continuation(&agent.bundle.agent, self.args.continuation.as_deref())?;
        for warning in declared_in_vain(&agent.bundle.agent) {
            teller.warn(&format!("{}: {warning}", one_line(agent.id())));
        }
        let store = SqliteStore::new(&self.setup.places);
        let directory = std::env::current_dir().map_err(Error::execution)?;
        let environment = std::env::vars_os().collect();
        let host = Host::new(&shelf, &Launcher::SelfExe, Some(&store), environment, &directory)?;
        let wishes = Wishes {
            mode: self.args.mode.clone(),
            options: self.args.options.clone(),
            model: self.args.model.clone(),
        };
        let modes = &agent.bundle.agent.modes;
        let mode = modes
            .iter()
            .find(|mode| Some(&mode.id.value) == wishes.mode.as_ref());
        let by = match mode.is_some_and(|mode| !mode.bin_args_append.is_empty() || !mode.env.is_empty()) {
            true => ModeBy::Start,
            false => ModeBy::Session,
        };
        Ok((prepare(&agent, &wishes, &host)?, by))
    }

    fn governor(&self, prepared: &Prepared, asker: Arc<dyn Client>) -> Arc<SessionGovernor> {
        let profile = prepared.profile();
        let terms = Terms {
            session: self.session.to_owned(),
            agent: prepared.own_name().to_owned(),
            directory: prepared.directory().to_owned(),
            roots: self.setup.roots.clone(),
            policy: profile.policy.clone(),
            protected: profile.protected.clone(),
            sandbox: prepared.summary(),
            tools: match self.args.with_tools {
                true => Tools::Served,
                false => Tools::Absent,
            },
            asker: Some(asker),
        };
        let host = Arc::new(TokioHost::default());
        Arc::new(SessionGovernor::new(Arc::clone(&self.setup.door), host, terms))
    }

    /// Serves the tools of this machine to the agent, in its own name.
    async fn serve(&self, governor: &SessionGovernor, asker: Arc<dyn Client>) -> Result<Guest, Error> {
        let door = governor.door();
        let delegated = Arc::clone(&door);
        let commands = Commands::new(move || door.cli());
        let commands = commands.reachable(move |caller, tool| delegated.shop().is_delegated(caller, tool));
        let shared = Shared::for_driven(commands, governor.caller(), Some(asker));
        let directory = self.files();
        let served = shared.clone();
        let opened = GuestDoor::open(&directory, self.session, move || CliServer::new(served.clone()));
        let door = opened
            .await
            .map_err(|error| Error::execution(&error).hint(error.hint()))?;
        Ok(Guest { door, shared })
    }

    /// Names the questions of this session that nobody has answered, but for those that were told when they came.
    fn tell_what_waits(
        &self,
        (governor, begun): (&SessionGovernor, Timestamp),
        told: &[String],
        teller: &mut dyn Teller,
    ) {
        let caller = caller_key(&governor.caller());
        // A store that cannot be read has been complained about already.
        let pending = SqliteStore::new(&self.setup.places).pending(Timestamp::now());
        let pending = pending.unwrap_or_default().into_iter();
        let ours = pending.filter(|request| request.caller == caller && request.created >= begun);
        let untold = ours.filter(|request| !told.contains(&request.id.to_string()));
        for request in untold.take(TOLD) {
            teller.note(&format!(
                "a question waits for a person: argrail approve {}",
                request.id
            ));
        }
    }

    /// Returns where files of sessions are.
    fn files(&self) -> PathBuf {
        self.setup.places.state().join(FILES)
    }

    /// Starts the agent, and holds the one turn.
    async fn held(
        &self,
        (prepared, mode): (Prepared, ModeBy),
        governor: &Arc<SessionGovernor>,
        guest: Option<&Guest>,
        room: &mut Room<'_>,
    ) -> Result<Outcome, Error> {
        let prepared = match guest {
            Some(guest) => prepared.door(GUEST_HOST, guest.door.socket()),
            None => prepared,
        };
        governor.record(Happening::Starting)?;
        let opening = SessionOptions {
            servers: guest.map(|guest| server(&guest.door)).into_iter().collect(),
            side_channel: Some(self.side_channel()?),
            ..prepared.start()?.opening(self.session.to_owned())
        };
        let opened = Session::open(opening, Arc::clone(governor) as _);
        let mut session = match room.meanwhile(opened).await {
            Ok(session) => session?,
            Err(exit) => return Ok(Outcome::Stopped(exit)),
        };
        let told = |wish: &&String| mode == ModeBy::Session || wish.as_str() != "mode";
        for wish in session.not_offered().iter().filter(told) {
            room.teller.note(&format!(
                "the agent does not offer to set this: {}",
                one_line(wish)
            ));
        }
        if let Some(guest) = guest {
            let known = match room.meanwhile(guest.is_known(AT_ONCE)).await {
                Ok(true) => Ok(true),
                Ok(false) => {
                    room.teller.note(&format!(
                        "waiting up to {} seconds for the agent to ask which tools there are",
                        LOOKS.as_secs()
                    ));
                    room.meanwhile(guest.is_known(LOOKS.saturating_sub(AT_ONCE)))
                        .await
                }
                Err(exit) => Err(exit),
            };
            if let Err(exit) = known {
                return Ok(Outcome::Stopped(exit));
            }
        }
        let outcome = room.hold(&mut session, self.prompt).await;
        if let Outcome::Stopped(_) = outcome {
            // It is told to end already. One that does not listen is killed by the kernel when we end.
            let _ = tokio::time::timeout(LAST_CHANCE, session.close()).await;
            return Ok(outcome);
        }
        match room.meanwhile(session.close()).await {
            Ok(_) | Err(_) => Ok(outcome),
        }
    }

    /// Returns the file for the rest of the protocol, whose directory is ours alone.
    fn side_channel(&self) -> Result<PathBuf, Error> {
        let directory = self.files();
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&directory);
        made.map_err(Error::execution)?;
        Ok(directory.join(format!("{}.jsonl", self.session)))
    }
}

/// Tells the agent of our own server.
fn server(guest: &GuestDoor) -> McpServer {
    let (name, value) = guest.authorization();
    McpServer::Http {
        name: "argrail".to_owned(),
        url: GuestDoor::url(),
        headers: vec![(name, Secret::new(value))],
    }
}
