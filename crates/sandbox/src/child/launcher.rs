//! The launcher's process: started with the first child, kept for the next ones, gone with the host.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair, sockopt};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, pidfd_open, pidfd_send_signal, waitid,
};

use super::os_command::os_command;
use crate::Refusal;
use crate::launch::{Command, Entered, NAME, send};

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
const PATIENCE: Duration = Duration::from_secs(30);

/// A launcher that runs.
struct Server {
    program: Launcher,
    socket: OwnedFd,
    /// Refers to it and to no other process ever: a host that ignores the end of its children cannot tell by the number.
    process: OwnedFd,
}

impl Server {
    /// Waits for its end. Where the host ignores the end of its children, the kernel waits until all are gone.
    fn reap(self) {
        drop(self.socket);
        let _ = waitid(WaitId::PidFd(self.process.as_fd()), WaitIdOptions::EXITED);
    }
}

/// One for each program that is a launcher: for nearly everybody that is one.
static SERVERS: Mutex<Vec<Server>> = Mutex::new(Vec::new());

impl Launcher {
    /// Refuses this very program where it would not become a launcher, but itself once more: with its own arguments, or in a
    /// test with all tests, each of which would start the next.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        let reason = match (self, Entered::here()) {
            (Self::Path(_), _) | (Self::SelfExe, Entered::First) => return Ok(()),
            (Self::SelfExe, Entered::Never) => "this program did not call argrail_sandbox::enter()",
            (Self::SelfExe, Entered::TooLate) => {
                "this program called argrail_sandbox::enter() when other threads ran already, or without a /proc to see that"
            }
        };
        Err(Refusal::new(
            "launcher",
            "SelfExe",
            reason,
            "Call argrail_sandbox::enter() first in main, before any thread, or name another program with Launcher::Path",
        ))
    }

    /// Ends the process that is kept for the next child, and waits for that. Children that run go on.
    ///
    /// It ends with the host anyway; this is for hosts that start no more children for a long time.
    pub fn dismiss(&self) {
        let mut servers = SERVERS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = servers.iter().position(|server| server.program == *self) {
            servers.swap_remove(at).reap();
        }
    }

    /// Hands over what a launch needs. Starts the launcher when there is none, or it is gone.
    pub(super) fn launch(&self, with: &[BorrowedFd<'_>]) -> io::Result<()> {
        let mut servers = SERVERS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = servers.iter().position(|server| server.program == *self) {
            let known = servers.swap_remove(at);
            if send(&known.socket, &Command::Start, with).is_ok() {
                servers.push(known);
                return Ok(());
            }
            // It is gone, or does not listen.
            let _ = pidfd_send_signal(&known.process, Signal::KILL);
            known.reap();
        }
        let started = self.start()?;
        send(&started.socket, &Command::Start, with)?;
        servers.push(started);
        Ok(())
    }

    fn start(&self) -> io::Result<Server> {
        let flags = SocketFlags::CLOEXEC;
        let (socket, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None)?;
        sockopt::set_socket_timeout(&socket, sockopt::Timeout::Send, Some(PATIENCE))?;
        let program = match self {
            Self::SelfExe => Path::new("/proc/self/exe"),
            Self::Path(path) => path,
        };
        let child = os_command(program.as_os_str())
            .arg0(NAME)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Keys that a terminal turns into signals are for the host.
            .process_group(0)
            .spawn()?;
        Ok(Server {
            program: self.clone(),
            socket,
            process: pidfd_open(Pid::from_child(&child), PidfdFlags::empty())?,
        })
    }
}
