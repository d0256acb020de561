//! What a handler gets: typed arguments, who asks, and a way to say how far it is.

use std::sync::Arc;

use crate::error::Error;
use crate::host::{Caller, Host, Progress, ProgressSink};
use crate::model::{Args, FromValue};
use crate::text::Text;

/// One call of one command.
///
/// A handler that is cancelled or out of time is dropped at its next `await`.
#[derive(Clone)]
pub struct Call {
    pub(crate) args: Args,
    pub(crate) caller: Arc<Caller>,
    pub(crate) host: Arc<dyn Host>,
    pub(crate) progress: Option<ProgressSink>,
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

    /// Returns who asks.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Returns clock, environment and paths.
    pub fn host(&self) -> &dyn Host {
        self.host.as_ref()
    }

    /// Tells the client how far a long call is.
    pub fn progress(&self, done: f64, total: Option<f64>, message: impl Into<Text>) {
        if let Some(sink) = &self.progress {
            sink(Progress {
                done,
                total,
                message: Some(message.into()),
            });
        }
    }
}
