//! The governor of one session, and how it is made.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use argrail_acli::{BoxFuture, Bucket, Caller, Error, Host, Limited, RateLimit};
use argrail_engine::Door;
use argrail_engine::call::{Shop, Whose};
use argrail_engine::consent::Through;

use super::terms::Terms;
use crate::governor::{
    Denied, Governor, Happening, Permission, ReadFile, Ruling, Terminal, TerminalCommand, WriteFile,
};

/// Judges what one agent asks in one session, does what may be done, and writes down all of it.
pub struct SessionGovernor {
    pub(super) door: Arc<Door>,
    pub(super) terms: Terms,
    pub(super) whose: Whose,
    turn: AtomicU64,
    rate: Bucket,
}

/// How much an agent may ask, and say that it did: each is a record, and costs the agent nothing.
const REQUESTS: u32 = 1_200;
const PER: Duration = Duration::from_secs(60);

impl SessionGovernor {
    /// Takes a session. `door` leads to the tools of this machine, with the delegation that the session was given; it
    /// is the one that [`Tools::Served`](super::Tools) are served by, for [`caller`](Self::caller).
    pub fn new(door: Arc<Door>, host: Arc<dyn Host>, terms: Terms) -> Self {
        let whose = Whose {
            caller: Arc::new(terms.caller()),
            host,
            client: terms.asker.clone().map(|asker| Arc::new(Through::telling(asker))),
        };
        Self {
            door,
            terms,
            whose,
            turn: AtomicU64::new(0),
            rate: Bucket::new(REQUESTS, PER),
        }
    }

    /// Counts something that the agent asks or says.
    pub(super) fn admit(&self) -> Result<(), Limited> {
        let Whose { caller, host, .. } = &self.whose;
        self.rate.admit(caller, host.elapsed()).map(drop)
    }

    /// Returns who the session is to rules, questions and records. Calls of our own tool are made in this name.
    pub fn caller(&self) -> Arc<Caller> {
        Arc::clone(&self.whose.caller)
    }

    /// Returns the door that our own tool is served by.
    pub fn door(&self) -> Arc<Door> {
        Arc::clone(&self.door)
    }

    /// The tools as they are now: a rule holds from the moment it is written.
    pub(super) fn shop(&self) -> Result<Arc<Shop>, Error> {
        self.door.cli()?;
        Ok(self.door.shop())
    }

    pub(super) fn begin(&self, turn: u64) {
        self.turn.store(turn, Ordering::Relaxed);
    }

    pub(super) fn turn(&self) -> u64 {
        self.turn.load(Ordering::Relaxed)
    }
}

impl Governor for SessionGovernor {
    fn permit(&self, asked: Permission) -> BoxFuture<'_, Ruling> {
        Box::pin(self.ruled(asked))
    }

    fn read(&self, file: ReadFile) -> BoxFuture<'_, Result<String, Denied>> {
        Box::pin(self.read_file(file))
    }

    fn write(&self, file: WriteFile) -> BoxFuture<'_, Result<(), Denied>> {
        Box::pin(self.write_file(file))
    }

    fn start(&self, command: TerminalCommand) -> BoxFuture<'_, Result<Box<dyn Terminal>, Denied>> {
        Box::pin(self.started(command))
    }

    fn record(&self, what: Happening) -> Result<(), Denied> {
        self.keep(what)
    }
}
