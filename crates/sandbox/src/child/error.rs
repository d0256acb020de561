//! Why a child was not started, or what went wrong in the host around it.

use std::io;

use crate::launch::{LaunchFailure, LaunchStage};
use crate::refusal::{Fix, Refusal};

/// A child that did not run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The policy, or a part of it, cannot be held on this machine. Nothing was started.
    #[error("{0}")]
    Refused(#[from] Refusal),
    /// There is no such program, or it cannot be started.
    #[error("{program:?} cannot be started: {source}")]
    Program {
        /// What was asked for.
        program: String,
        /// What the system says.
        source: io::Error,
    },
    /// The host itself failed: no descriptors, no memory, no launcher.
    #[error("the sandbox failed at '{act}': {source}")]
    Host {
        /// What was being done.
        act: &'static str,
        /// What the system says.
        source: io::Error,
    },
}

impl Error {
    pub(crate) fn host(act: &'static str) -> impl Fn(io::Error) -> Self {
        move |source| Self::Host { act, source }
    }

    /// What to do about it.
    pub fn hint(&self) -> Fix {
        match self {
            Self::Refused(refusal) => refusal.fix.clone(),
            Self::Program { .. } => {
                "Check that the program exists, can be read, and is made for this machine".into()
            }
            Self::Host { source, .. } => host_hint(source),
        }
    }

    /// What the system said, where the host failed.
    fn of_host(failure: &LaunchFailure, source: &io::Error) -> Option<Refusal> {
        let fix = match failure.error {
            libc::ENOSPC | libc::EDQUOT | libc::EMFILE | libc::ENFILE | libc::ENOMEM | libc::EAGAIN => {
                host_hint(source)
            }
            _ => return None,
        };
        let reason = format!("cannot {}: {source}", failure.stage.act());
        Some(Refusal::new("host", &failure.about, reason, fix))
    }

    /// Reads what the launcher reports.
    pub(super) fn of_launch(failure: &LaunchFailure) -> Self {
        let source = io::Error::from_raw_os_error(failure.error);
        if let Some(refusal) = Self::of_host(failure, &source) {
            return Self::Refused(refusal);
        }
        match failure.stage {
            LaunchStage::Exec | LaunchStage::Program => Self::Program {
                program: failure.about.clone(),
                source,
            },
            LaunchStage::Source | LaunchStage::Attach | LaunchStage::Node => Self::Refused(Refusal::new(
                "fs",
                &failure.about,
                format!(
                    "cannot {} it as it was a moment ago: {source}",
                    failure.stage.act()
                ),
                "Check that nothing replaces it with a symlink or removes it, and try again",
            )),
            stage => {
                let fix =
                    Fix::new("Run {probe} to see what this machine can enforce and how to get the rest");
                let reason = format!("cannot {}: {source}", stage.act());
                let refusal = Refusal::new("host", &failure.about, reason, fix);
                Self::Refused(match stage.feature() {
                    Some(feature) => refusal.missing(feature),
                    None => refusal,
                })
            }
        }
    }
}

/// What to do when the host ran out of something, or lacks it.
fn host_hint(source: &io::Error) -> Fix {
    Fix::new(match source.raw_os_error() {
        Some(libc::ENOSPC | libc::EDQUOT) => {
            "The disk is full: free some space ('df -h' shows where, 'df -i' whether it is the number of files), and try again"
        }
        Some(libc::EFBIG) => {
            "No file may become that long here: raise the limit of file sizes ('ulimit -f'), and try again"
        }
        Some(libc::EMFILE | libc::ENFILE) => {
            "Too many files are open: raise the limit ('ulimit -n'), or try again when fewer calls run at once"
        }
        Some(libc::ENOMEM | libc::EAGAIN) => {
            "Memory or processes have run out: try again when fewer programs run, or raise the limits ('ulimit -v', 'ulimit -u')"
        }
        Some(_) | None => "Run {probe} to see what this machine can enforce",
    })
}
