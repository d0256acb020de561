//! The filter's questions: which programs a child tries to start.
//!
//! Where nothing may be started, the answer is no. Where a list says what may, the kernel decides by file; we only
//! look at what is tried, so that a refusal can be told. Looking is not deciding: the child can change its memory
//! behind our back, and gains a wrong line in a report by it.

use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::denial::{DenialKind, Denials};
use crate::sys::notify::{self, Asked, Verdict};

/// The longest path that is read.
const LONGEST: usize = 4096;

/// What the filter asks, and what may be started.
pub(super) struct Asks {
    listener: OwnedFd,
    /// Files and directories from which programs may be started; nothing when none may be.
    spawnable: Vec<PathBuf>,
    directory: PathBuf,
}

/// Whether more questions may come.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum More {
    Yes,
    No,
}

impl Asks {
    /// No more questions.
    pub(super) const OVER: More = More::No;

    pub(super) fn new(listener: OwnedFd, spawnable: Vec<PathBuf>, directory: PathBuf) -> Self {
        Self {
            listener,
            spawnable,
            directory,
        }
    }

    /// Answers one question.
    pub(super) fn answer(&mut self, denials: &Denials) -> More {
        let asked = match notify::receive(&self.listener) {
            Ok(asked) => asked,
            // Whoever asked is gone; the next may ask.
            Err(error)
                if matches!(
                    error.raw_os_error(),
                    Some(libc::ENOENT | libc::EINTR | libc::EAGAIN)
                ) =>
            {
                return More::Yes;
            }
            Err(_) => return More::No,
        };
        let program = path_argument(&asked)
            .and_then(|address| self.read(&asked, address))
            .map(|path| {
                // Without a path it is a descriptor that is to be started.
                let by_path = !path.as_os_str().is_empty();
                let file = if by_path { None } else { open_file(&asked) };
                (file.unwrap_or(path), by_path)
            });
        let verdict = if self.spawnable.is_empty() {
            match &program {
                Some((program, by_path)) => {
                    // Of a search path, only what is there is worth telling. The child gets the same answer for
                    // all of it, one that makes it go on searching: it must not learn what is on the host.
                    if !by_path || program.is_relative() || self.is_refused(program) {
                        denials.saw(DenialKind::Exec, &program.to_string_lossy());
                    }
                    Verdict::Fail(libc::EACCES)
                }
                None => {
                    denials.saw(DenialKind::Syscall, "fork");
                    Verdict::Fail(libc::EPERM)
                }
            }
        } else {
            if let Some((program, _)) = program.filter(|(program, _)| self.is_refused(program)) {
                denials.saw(DenialKind::Exec, &program.to_string_lossy());
            }
            Verdict::Continue
        };
        let _ = notify::answer(&self.listener, &asked, verdict);
        More::Yes
    }

    /// Reads the path that the caller points at.
    fn read(&self, asked: &Asked, address: u64) -> Option<PathBuf> {
        let memory = File::open(format!("/proc/{}/mem", asked.pid)).ok()?;
        let mut bytes = vec![0; LONGEST];
        let mut length = 0;
        // Page by page: the path may end just before memory that is not there.
        while length < LONGEST {
            let at = address.checked_add(length as u64)?;
            let page = 4096 - usize::try_from(at % 4096).ok()?;
            let part = bytes.get_mut(length..(length + page).min(LONGEST))?;
            let read = memory.read_at(part, at).ok()?;
            let end = part.get(..read)?.iter().position(|byte| *byte == 0);
            if let Some(end) = end {
                length += end;
                break;
            }
            if read == 0 {
                return None;
            }
            length += read;
        }
        if !notify::is_waiting(&self.listener, asked) {
            return None;
        }
        bytes.truncate(length);
        Some(PathBuf::from(std::ffi::OsString::from_vec(bytes)))
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

impl AsFd for Asks {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.listener.as_fd()
    }
}

/// What the caller's first argument refers to, when that is a descriptor.
fn open_file(asked: &Asked) -> Option<PathBuf> {
    let [number, ..] = asked.arguments;
    std::fs::read_link(format!("/proc/{}/fd/{}", asked.pid, number as i32)).ok()
}

/// Where the path stands, if the call has one.
fn path_argument(asked: &Asked) -> Option<u64> {
    let [first, second, ..] = asked.arguments;
    match asked.number {
        libc::SYS_execve => Some(first),
        libc::SYS_execveat => Some(second),
        _ => None,
    }
}
