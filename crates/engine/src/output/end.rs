//! How a run ended: by itself, or because somebody ended it.

use std::time::Duration;

use argrail_sandbox::{Ended, Report};

use super::redact::Ending;

/// The end of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// What the system says.
    pub ended: Ended,
    /// Who ended it.
    pub stop: Stop,
}

/// Who ended a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// It did, or a signal that was not ours.
    Itself,
    /// We did, after this long: the time was up.
    Time(Duration),
    /// We did: it printed more than it may.
    Ceiling,
    /// Whoever asked.
    Cancelled,
}

impl End {
    /// Returns whether the streams may have been cut off.
    pub fn ending(&self) -> Ending {
        match (self.stop, self.ended) {
            (Stop::Itself, Ended::Exit(_)) => Ending::Whole,
            (Stop::Itself, Ended::Signal(_)) | (Stop::Time(_) | Stop::Ceiling | Stop::Cancelled, _) => {
                Ending::Cut
            }
        }
    }
}

impl From<&Report> for End {
    fn from(report: &Report) -> Self {
        let stop = if report.timed_out {
            Stop::Time(report.duration)
        } else if report.truncated {
            Stop::Ceiling
        } else if report.cancelled {
            Stop::Cancelled
        } else {
            Stop::Itself
        };
        Self {
            ended: report.ended,
            stop,
        }
    }
}
