//! What a handler gets: typed arguments, who asks, and a way to say how far it is.

use std::any::Any;
use std::sync::Arc;

use serde_json::Value;

use crate::error::Error;
use crate::host::{Caller, Host, Progress, ProgressSink};
use crate::mask::Mask;
use crate::model::{Args, FromValue};
use crate::pause::{Paused, Pauses};
use crate::record::Notes;
use crate::shell_syntax::ExpandedWord;
use crate::text::Text;

/// Something that whoever asks hands to the handler, past the command line: where output goes, for example.
pub type Context = Arc<dyn Any + Send + Sync>;

/// One call of one command.
///
/// A handler that is cancelled or out of time is dropped at its next `await`.
#[derive(Clone)]
pub struct Call {
    pub(crate) args: Args,
    pub(crate) words: Vec<String>,
    pub(crate) expanded: Vec<ExpandedWord>,
    pub(crate) caller: Arc<Caller>,
    pub(crate) host: Arc<dyn Host>,
    pub(crate) progress: Option<ProgressSink>,
    pub(crate) context: Option<Context>,
    pub(crate) notes: Notes,
    pub(crate) pauses: Pauses,
}

impl Call {
    /// Returns the argument called `name`; see [`Args::get`].
    ///
    /// # Errors
    /// When the command does not declare the argument with this type.
    pub fn get<'a, T: FromValue<'a>>(&'a self, name: &str) -> Result<T, Error> {
        self.args.get(name)
    }

    /// Returns all arguments.
    pub fn args(&self) -> &Args {
        &self.args
    }

    /// Returns the words as they were typed, the command's name first.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Returns the words that a shell would have replaced by others, of a command line that refuses what is written for
    /// one. They are text; a handler that takes one for the name of a file refuses it.
    pub fn expanded_words(&self) -> &[ExpandedWord] {
        &self.expanded
    }

    /// Returns what whoever asks handed over, if it is of this type.
    pub fn context<T: Any>(&self) -> Option<&T> {
        self.context.as_deref()?.downcast_ref()
    }

    /// Adds a fact to the record of this call. Never a secret: records are kept.
    pub fn note(&self, name: &str, value: impl Into<Value>) {
        self.notes.add(name, value.into());
    }

    /// Sets what must not be repeated of this call, in its record, its envelope and its progress.
    pub fn conceal(&self, mask: Arc<dyn Mask>) {
        self.notes.conceal(mask);
    }

    /// Returns who asks.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Returns clock, environment and paths.
    pub fn host(&self) -> &dyn Host {
        self.host.as_ref()
    }

    /// Stops the clock of this call for as long as the answer is kept: for what a person decides.
    pub fn pause(&self) -> Paused {
        self.pauses.begin()
    }

    /// Tells the client how far a long call is.
    pub fn progress(&self, done: f64, total: Option<f64>, message: impl Into<Text>) {
        if let Some(sink) = &self.progress {
            sink(Progress {
                done,
                total,
                message: Some(self.notes.masked(message.into())),
            });
        }
    }
}
