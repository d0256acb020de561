//! The filter's questions: which programs a child tries to start, what it tries to change, read and reach.
//!
//! Where nothing may be started, the answer is no. Everywhere else the kernel decides; we only look at what is tried, so
//! that a refusal can be told although the child says nothing of it. Looking is not deciding: the child can change its
//! memory behind our back, and gains a wrong line in a report by it.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use super::caller::BlockedCaller;
use super::infer::SOME_HOST;
use super::reached_addresses::{self, LoopbackAccess};
use super::touched_files::TouchedFiles;
use crate::denial::{DenialKind, Denials};
use crate::seccomp::{change, opening};
use crate::sys::seccomp::{self, CallVerdict};

/// What the filter asks, and what the child was given.
pub(super) struct SeccompListener {
    pub(super) listener: OwnedFd,
    /// Files and directories from which programs may be started; nothing when none may be.
    pub(super) spawnable: Vec<PathBuf>,
    pub(super) directory: PathBuf,
    pub(super) touched: TouchedFiles,
    pub(super) loopback: LoopbackAccess,
}

/// Whether more questions may come.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ListenerState {
    Open,
    Closed,
}

impl SeccompListener {
    /// Makes ready to answer.
    pub(super) fn begin(self) -> Self {
        seccomp::take_turns(&self.listener);
        self
    }

    /// Answers one question.
    pub(super) fn answer(&mut self, denials: &Denials) -> ListenerState {
        let asked = match seccomp::receive(&self.listener) {
            Ok(asked) => asked,
            // Whoever asked is gone; the next may ask.
            Err(error)
                if matches!(
                    error.raw_os_error(),
                    Some(libc::ENOENT | libc::EINTR | libc::EAGAIN)
                ) =>
            {
                return ListenerState::Open;
            }
            Err(_) => return ListenerState::Closed,
        };
        let verdict = self.verdict(&BlockedCaller::new(&self.listener, &asked), denials);
        let _ = seccomp::answer(&self.listener, &asked, verdict);
        ListenerState::Open
    }

    /// Only calls that the filter would allow go on; about all others it is asked so that it is told, or to be refused.
    fn verdict(&self, caller: &BlockedCaller<'_>, denials: &Denials) -> CallVerdict {
        match caller.call() {
            libc::SYS_execve => self.start(program(caller, 0), denials),
            libc::SYS_execveat => self.start(program(caller, 1), denials),
            libc::SYS_connect | libc::SYS_sendto | libc::SYS_sendmsg | libc::SYS_sendmmsg => {
                reached_addresses::look(caller, self.loopback, denials);
                CallVerdict::Continue
            }
            libc::SYS_socket => {
                denials.saw(DenialKind::Net, SOME_HOST);
                CallVerdict::Fail(libc::EACCES)
            }
            call => {
                if let Some(opening) = opening(call) {
                    self.touched.note_opening(caller, opening, denials);
                    return CallVerdict::Continue;
                }
                if let Some(change) = change(call) {
                    self.touched.note_change(caller, change, denials);
                    return CallVerdict::Continue;
                }
                refuse_fork(denials)
            }
        }
    }

    /// A program is to be started: one that cannot be read is none that may be.
    fn start(&self, program: Option<ExecAttempt>, denials: &Denials) -> CallVerdict {
        if !self.spawnable.is_empty() {
            if let Some(ExecAttempt { path, .. }) = program.filter(|program| self.is_refused(&program.path)) {
                denials.saw(DenialKind::Exec, &path.to_string_lossy());
            }
            return CallVerdict::Continue;
        }
        let Some(ExecAttempt { path, by }) = program else {
            return refuse_fork(denials);
        };
        // Of a search path, only what is there is worth telling. The child gets the same answer for all of it, one
        // that makes it go on searching: it must not learn what is on the host.
        if by == ExecTarget::Descriptor || path.is_relative() || self.is_refused(&path) {
            denials.saw(DenialKind::Exec, &path.to_string_lossy());
        }
        CallVerdict::Fail(libc::EACCES)
    }

    /// Whether a file that exists is none that may be started. Search paths are tried one by one, and what is not
    /// there was not refused.
    fn is_refused(&self, program: &Path) -> bool {
        let whole = self.directory.join(program);
        let Ok(real) = whole.canonicalize() else {
            return false;
        };
        !self.spawnable.iter().any(|allowed| real.starts_with(allowed))
    }
}

impl AsFd for SeccompListener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.listener.as_fd()
    }
}

fn refuse_fork(denials: &Denials) -> CallVerdict {
    denials.saw(DenialKind::Syscall, "fork");
    CallVerdict::Fail(libc::EPERM)
}

/// A program that is to be started.
struct ExecAttempt {
    path: PathBuf,
    by: ExecTarget,
}

/// How it is named.
#[derive(Debug, PartialEq, Eq)]
enum ExecTarget {
    Path,
    Descriptor,
}

fn program(caller: &BlockedCaller<'_>, path: usize) -> Option<ExecAttempt> {
    let path = caller.path(path)?;
    if !path.as_os_str().is_empty() {
        return caller.waits().then_some(ExecAttempt {
            path,
            by: ExecTarget::Path,
        });
    }
    let path = caller.open_file(caller.argument(0)).unwrap_or(path);
    caller.waits().then_some(ExecAttempt {
        path,
        by: ExecTarget::Descriptor,
    })
}
