//! The launcher's process: started with the first child, kept for the next ones, gone with the host.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair, sockopt};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, pidfd_open, pidfd_send_signal, waitid,
};

use super::handshake::is_stopped;
use super::os_command::os_command;
use crate::launch::{Entered, LAUNCHER_NAME, LauncherCommand, send};
use crate::refusal::Refusal;

/// Which program builds the sandbox around a child.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Launcher {
    /// This very program, whose `main` calls [`enter`](crate::enter) first.
    #[default]
    SelfExe,
    /// Another program that does.
    Path(PathBuf),
}

/// How long a launcher may take to hear an order.
const ORDER_TIMEOUT: Duration = Duration::from_secs(30);

/// How long it takes none before it is looked whether it is stopped.
const STOPPED_CHECK_INTERVAL: Duration = Duration::from_millis(250);

/// A launcher that runs.
struct RunningLauncher {
    program: Launcher,
    socket: OwnedFd,
    /// Refers to it and to no other process ever: a host that ignores the end of its children cannot tell by the number.
    process: OwnedFd,
    number: Pid,
}

impl RunningLauncher {
    /// Hands it an order. Nobody waits for one that is stopped, or for ever.
    fn order(&self, with: &[BorrowedFd<'_>]) -> io::Result<()> {
        let begun = Instant::now();
        loop {
            match send(&self.socket, &LauncherCommand::Start, with) {
                Err(error)
                    if error.kind() == io::ErrorKind::WouldBlock
                        && begun.elapsed() < ORDER_TIMEOUT
                        && !is_stopped(self.number) => {}
                sent => return sent,
            }
        }
    }

    fn kill(self) {
        let _ = pidfd_send_signal(&self.process, Signal::KILL);
        self.reap();
    }

    /// Waits for its end. Where the host ignores the end of its children, the kernel waits until all are gone.
    fn reap(self) {
        drop(self.socket);
        let _ = waitid(WaitId::PidFd(self.process.as_fd()), WaitIdOptions::EXITED);
    }
}

/// One for each program that is a launcher: for nearly everybody that is one.
static RUNNING_LAUNCHERS: Mutex<Vec<RunningLauncher>> = Mutex::new(Vec::new());

impl Launcher {
    /// Refuses this very program where it would not become a launcher, but itself once more: with its own arguments, or in a
    /// test with all tests, each of which would start the next.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        let reason = match (self, Entered::here()) {
            (Self::Path(_), _) | (Self::SelfExe, Entered::First) => return Ok(()),
            (Self::SelfExe, Entered::Never) => "this program did not call argrail_sandbox::enter()",
            (Self::SelfExe, Entered::TooLate) if !Path::new("/proc/self/stat").exists() => {
                return Err(Refusal::new(
                    "host",
                    "/proc",
                    "there is no /proc: the launcher is started from it, and what runs is looked up there",
                    "Mount it ('mount -t proc proc /proc'), or start the container with one",
                )
                .missing("/proc"));
            }
            (Self::SelfExe, Entered::TooLate) => {
                "this program called argrail_sandbox::enter() when other threads ran already"
            }
        };
        Err(Refusal::new(
            "launcher",
            "SelfExe",
            reason,
            "Call argrail_sandbox::enter() first in main, before any thread, or name another program with Launcher::Path",
        ))
    }

    /// Returns the file of the program that holds the launcher.
    ///
    /// # Errors
    /// When it cannot be named, or would not be one.
    pub(crate) fn program(&self) -> io::Result<PathBuf> {
        self.check().map_err(io::Error::other)?;
        match self {
            Self::SelfExe => std::env::current_exe()?.canonicalize(),
            Self::Path(path) => path.canonicalize(),
        }
    }

    /// Ends the process that is kept for the next child, and waits for that. Children that run go on.
    ///
    /// It ends with the host anyway; this is for hosts that start no more children for a long time.
    pub fn dismiss(&self) {
        let mut servers = RUNNING_LAUNCHERS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = servers.iter().position(|server| server.program == *self) {
            servers.swap_remove(at).reap();
        }
    }

    /// Ends a launcher that does not begin with what it is given, unless another has its place already. Children that run
    /// go on.
    pub(super) fn replace(&self, number: Pid) {
        let mut servers = RUNNING_LAUNCHERS.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |server: &RunningLauncher| server.program == *self && server.number == number;
        if let Some(at) = servers.iter().position(is_it) {
            servers.swap_remove(at).kill();
        }
    }

    /// Hands over what a launch needs, and returns the number of the launcher that has it. Starts the launcher when there
    /// is none, or it is gone.
    pub(super) fn launch(&self, with: &[BorrowedFd<'_>]) -> io::Result<Pid> {
        let mut servers = RUNNING_LAUNCHERS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = servers.iter().position(|server| server.program == *self) {
            let known = servers.swap_remove(at);
            if known.order(with).is_ok() {
                let number = known.number;
                servers.push(known);
                return Ok(number);
            }
            // It is gone, or does not listen.
            known.kill();
        }
        let started = self.start()?;
        let number = started.number;
        started.order(with)?;
        servers.push(started);
        Ok(number)
    }

    fn start(&self) -> io::Result<RunningLauncher> {
        let flags = SocketFlags::CLOEXEC;
        let (socket, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None)?;
        sockopt::set_socket_timeout(&socket, sockopt::Timeout::Send, Some(STOPPED_CHECK_INTERVAL))?;
        let program = match self {
            Self::SelfExe => Path::new("/proc/self/exe"),
            Self::Path(path) => path,
        };
        let child = os_command(program.as_os_str())
            .arg0(LAUNCHER_NAME)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Keys that a terminal turns into signals are for the host.
            .process_group(0)
            .spawn()?;
        Ok(RunningLauncher {
            program: self.clone(),
            socket,
            process: pidfd_open(Pid::from_child(&child), PidfdFlags::empty())?,
            number: Pid::from_child(&child),
        })
    }
}
