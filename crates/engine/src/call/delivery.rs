//! What a person who runs a tool hands to it: an input, and, where they do not want an answer but its own words, the
//! outputs that these go to as they come.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::sync::{Mutex, OnceLock, PoisonError};

use argrail_acli::{Call, Caller, Error, Host, Paused, Text};
use argrail_sandbox::{Cancel, Ended, OutputCallback, Stdin};
use argrail_spec::digest::Digest;

use serde_json::Value;

use crate::consent::{Petition, Through};
use crate::policy::CarriedOut;
use crate::run::apart;

/// The most bytes of input that a person can agree to.
const INPUT: u64 = 16 << 20;

/// The streams of `argrail run`. Handed to a call as its context.
pub struct Passthrough {
    streams: Mutex<Option<Streams>>,
    ended: OnceLock<Ended>,
    on_start: Mutex<Option<OnStart>>,
    client: Option<Through>,
}

/// Is called when the tool is started.
pub type OnStart = Box<dyn FnOnce() + Send>;

/// What the tool reads, and where what it writes goes.
pub struct Streams {
    /// Its input.
    pub stdin: Stdin,
    /// What becomes of its words.
    pub words: Words,
}

/// What becomes of a tool's words.
pub enum Words {
    /// They are made an answer of.
    Answer,
    /// They go on as they come.
    Raw {
        /// Its output.
        stdout: OutputCallback,
        /// Its complaints.
        stderr: OutputCallback,
        /// Who reads them.
        reader: Reader,
    },
}

/// Who reads what a tool writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// A person: every byte of it.
    Person,
    /// An agent: without secrets.
    Agent,
}

impl Passthrough {
    /// Takes the streams of one call.
    pub fn new(streams: Streams) -> Self {
        Self {
            streams: Mutex::new(Some(streams)),
            ended: OnceLock::new(),
            on_start: Mutex::default(),
            client: None,
        }
    }

    /// Has a person asked through this client as well.
    #[must_use]
    pub fn asking(self, client: Through) -> Self {
        Self {
            client: Some(client),
            ..self
        }
    }

    pub(crate) fn client(&self) -> Option<&Through> {
        self.client.as_ref()
    }

    /// Has `on_start` called right before the tool is started: it was approved, and that is on record.
    #[must_use]
    pub fn on_start(self, on_start: OnStart) -> Self {
        Self {
            on_start: Mutex::new(Some(on_start)),
            ..self
        }
    }

    pub(super) fn starts(&self) {
        let told = self
            .on_start
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(tell) = told {
            tell();
        }
    }

    /// Returns how the tool ended, if it was started.
    pub fn ended(&self) -> Option<Ended> {
        self.ended.get().copied()
    }

    /// Whether the tool's words go on as they come.
    pub(super) fn is_raw(&self) -> bool {
        let streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let words = streams.as_ref().map(|streams| &streams.words);
        matches!(words, Some(Words::Raw { .. }))
    }

    /// Hands out the streams, once.
    pub(super) fn take(&self) -> Option<Streams> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Reads the input to its end, so that a yes can hold for it; the tool then reads the same.
    pub(super) async fn fixed_input(&self) -> Result<Digest, Error> {
        let Some(mut streams) = self.take() else {
            return Ok(Digest::of(""));
        };
        let bytes = match std::mem::replace(&mut streams.stdin, Stdin::Null) {
            Stdin::Null | Stdin::Pipe => Vec::new(),
            Stdin::Bytes(bytes) => bytes,
            Stdin::File(file) => read_whole(file).await?,
        };
        let digest = Digest::of(&bytes);
        if !bytes.is_empty() {
            streams.stdin = Stdin::Bytes(bytes);
        }
        *self.streams.lock().unwrap_or_else(PoisonError::into_inner) = Some(streams);
        Ok(digest)
    }

    pub(super) fn end(&self, ended: Ended) {
        // There is one call, and it ends once.
        let _ = self.ended.set(ended);
    }
}

async fn read_whole(file: OwnedFd) -> Result<Vec<u8>, Error> {
    let cancel = Cancel::new().map_err(Error::execution)?;
    let read = apart(cancel, move || {
        let mut bytes = Vec::new();
        let mut file = File::from(file).take(INPUT.saturating_add(1));
        file.read_to_end(&mut bytes).map(|_| bytes)
    });
    let read = read.await.map_err(|error| Error::execution(&error))?;
    let bytes = read.map_err(Error::execution)?;
    match u64::try_from(bytes.len()).is_ok_and(|length| length <= INPUT) {
        true => Ok(bytes),
        false => {
            let what =
                Text::new("the input is longer than {} bytes, and a person has to agree to it").number(INPUT);
            Err(Error::invalid(what, "Put it into a file and name that"))
        }
    }
}

impl Petition for Call {
    fn caller(&self) -> &Caller {
        self.caller()
    }

    fn host(&self) -> &dyn Host {
        self.host()
    }

    fn line(&self) -> String {
        argrail_acli::join(self.words())
    }

    fn carried_out(&self) -> CarriedOut {
        CarriedOut::Here
    }

    fn note(&self, name: &str, value: Value) {
        self.note(name, value);
    }

    fn pause(&self) -> Option<Paused> {
        Some(self.pause())
    }

    fn progress(&self, done: f64, total: f64, message: Text) {
        self.progress(done, Some(total), message);
    }

    fn client(&self) -> Option<&Through> {
        let passed = || self.context::<Passthrough>().and_then(Passthrough::client);
        self.context::<Through>().or_else(passed)
    }
}

impl fmt::Debug for Passthrough {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Passthrough")
            .field("ended", &self.ended)
            .finish_non_exhaustive()
    }
}
