//! Signals while an agent runs: the first Ctrl-C cancels the turn, everything else ends the session.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::interrupt::INTERRUPTED;

/// What a shell reports of somebody who was told to end, or whose terminal went away.
const TERMINATED: u8 = 143;
const HUNG_UP: u8 = 129;

/// What somebody wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// That the turn is cancelled.
    Cancel,
    /// That we end now, with this exit number.
    End(u8),
}

impl Wanted {
    /// Returns the exit number where there is no turn to cancel.
    pub(super) fn exit(self) -> u8 {
        match self {
            Self::Cancel => INTERRUPTED,
            Self::End(exit) => exit,
        }
    }
}

/// The signals of this process.
#[derive(Debug)]
pub(super) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hangup: Option<Signal>,
    cancelled: bool,
}

impl Signals {
    /// Listens from now on.
    ///
    /// # Errors
    /// When the system does not let us.
    pub(super) fn listen() -> io::Result<Self> {
        let heeded = crate::runtime::heeds_hangup();
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: heeded.then(|| signal(SignalKind::hangup())).transpose()?,
            cancelled: false,
        })
    }

    /// Waits for the next one.
    pub(super) async fn next(&mut self) -> Wanted {
        let hung_up = async {
            match &mut self.hangup {
                Some(hangup) => hangup.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.interrupt.recv() => match std::mem::replace(&mut self.cancelled, true) {
                false => Wanted::Cancel,
                true => Wanted::End(INTERRUPTED),
            },
            _ = self.terminate.recv() => Wanted::End(TERMINATED),
            _ = hung_up => Wanted::End(HUNG_UP),
        }
    }

    /// Waits for one where there is no turn to cancel, and returns the exit number.
    pub(super) async fn end(&mut self) -> u8 {
        self.next().await.exit()
    }
}
