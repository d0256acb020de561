//! The launcher's process: started with the first child, kept for the next ones, gone with the host.

use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair, sockopt};
use rustix::process::{Pid, Signal, kill_process};

use super::os_command::os_command;
use crate::launch::{Command, NAME, send};
use crate::sys::process::wait_for;

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
    pid: Pid,
}

/// One for each program that is a launcher: for nearly everybody that is one.
static SERVERS: Mutex<Vec<Server>> = Mutex::new(Vec::new());

impl Launcher {
    /// Ends the process that is kept for the next child, and waits for that. Children that run go on.
    ///
    /// It ends with the host anyway; this is for hosts that start no more children for a long time.
    pub fn dismiss(&self) {
        let mut servers = SERVERS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = servers.iter().position(|server| server.program == *self) {
            let Server { socket, pid, .. } = servers.swap_remove(at);
            drop(socket);
            let _ = wait_for(pid);
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
            let _ = kill_process(known.pid, Signal::KILL);
            let _ = wait_for(known.pid);
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
            pid: Pid::from_child(&child),
        })
    }
}
