//! What happened, in figures and words that an error can be made of.

use std::time::Duration;

use super::quarantine::Quarantined;
use crate::denial::Denial;
use crate::egress::{Traffic, Unreached};

/// How a child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// It exited with this code.
    Exit(i32),
    /// This signal ended it.
    Signal(i32),
}

impl Ended {
    /// Reads a status as `waitpid` gives it.
    pub(super) fn of_status(status: i32) -> Self {
        let signal = status & 0x7f;
        if signal == 0 {
            Self::Exit((status >> 8) & 0xff)
        } else {
            Self::Signal(signal)
        }
    }

    /// Returns the exit code, if it exited.
    pub fn code(self) -> Option<i32> {
        match self {
            Self::Exit(code) => Some(code),
            Self::Signal(_) => None,
        }
    }

    /// Returns the signal, if one ended it.
    pub fn signal(self) -> Option<i32> {
        match self {
            Self::Exit(_) => None,
            Self::Signal(signal) => Some(signal),
        }
    }
}

/// Everything about a child that has ended.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Report {
    /// How it ended.
    pub ended: Ended,
    /// Whether the time was up.
    pub timed_out: bool,
    /// Whether somebody cancelled it.
    pub cancelled: bool,
    /// Whether it wrote more than it may, and was ended for that. What came before is kept.
    pub truncated: bool,
    /// What was captured of its standard output.
    pub stdout: Vec<u8>,
    /// What was captured of its standard error.
    pub stderr: Vec<u8>,
    /// How much it wrote to standard output, and was read here.
    pub stdout_bytes: u64,
    /// How much it wrote to standard error, and was read here.
    pub stderr_bytes: u64,
    /// From the start to the end.
    pub duration: Duration,
    /// Processor time outside the kernel, of the child and all it waited for.
    pub user: Duration,
    /// Processor time inside the kernel.
    pub system: Duration,
    /// The most memory that one process of it had, in KiB.
    pub peak_rss_kib: u64,
    /// Which mechanisms held the policy: 1 all of them, 2 without namespaces; none for a trusted child.
    pub tier: Option<u8>,
    /// What it was refused.
    pub denials: Vec<Denial>,
    /// Names that were dialled for it.
    pub hosts: Vec<String>,
    /// Hosts that it may reach and that were not there.
    pub unreached: Vec<Unreached>,
    /// What went over its network.
    pub traffic: Traffic,
    /// Protected files that it made and that were moved aside.
    pub quarantined: Vec<Quarantined>,
    /// What a person should know about how the policy was read.
    pub notes: Vec<String>,
}
