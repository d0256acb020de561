//! Handing an order to the launcher, and hearing that it has begun.
//!
//! A launcher that somebody stopped or killed is replaced, and an order that was never begun is handed over once more:
//! nothing ran of it, and nothing can any more, since whoever began it later would find nobody to tell.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair, sockopt};
use rustix::process::Pid;

use super::launcher_process::Launcher;
use crate::launch::{LauncherEvent, receive};

/// How long a launch may take.
const LAUNCH_TIMEOUT: Duration = Duration::from_secs(30);

/// How long nothing is heard before it is looked whether the launcher is able to hear.
const STOPPED_CHECK_INTERVAL: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 250_000_000,
};

/// A launch that has begun.
pub(super) struct BegunLaunch {
    /// Refers to the process that waits for the sandbox.
    pub(super) process: OwnedFd,
    /// What is said of it.
    pub(super) control: OwnedFd,
}

/// Hands over an order with the three standard streams of its program.
///
/// # Errors
/// When no launcher began with it, twice.
pub(super) fn begin(launcher: &Launcher, order: &OwnedFd, streams: &[OwnedFd; 3]) -> io::Result<BegunLaunch> {
    if let Some(begun) = attempt(launcher, order, streams)? {
        return Ok(begun);
    }
    let again = attempt(launcher, order, streams)?;
    again.ok_or_else(|| io::Error::other("the launcher did not begin"))
}

/// One try; nothing when the launcher never began, and is replaced.
fn attempt(launcher: &Launcher, order: &OwnedFd, streams: &[OwnedFd; 3]) -> io::Result<Option<BegunLaunch>> {
    let flags = SocketFlags::CLOEXEC;
    let (control, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None)?;
    // It waits for nothing but the kernel; a mount that hangs must not hang us.
    sockopt::set_socket_timeout(&control, sockopt::Timeout::Recv, Some(LAUNCH_TIMEOUT))?;
    let [stdin, stdout, stderr] = streams;
    let with: [BorrowedFd<'_>; 5] = [&theirs, order, stdin, stdout, stderr].map(AsFd::as_fd);
    let server = launcher.launch(&with)?;
    drop(theirs);
    let process = match is_heard(&control, server)? {
        true => here(&control)?,
        false => None,
    };
    let begun = process.map(|process| BegunLaunch { process, control });
    if begun.is_none() {
        launcher.replace(server);
    }
    Ok(begun)
}

/// Waits until the launcher says something or is gone. Not for one that is stopped, nor for ever.
fn is_heard(control: &OwnedFd, server: Pid) -> io::Result<bool> {
    let begun = Instant::now();
    loop {
        let mut said = [PollFd::new(control, PollFlags::IN)];
        match poll(&mut said, Some(&STOPPED_CHECK_INTERVAL)) {
            Ok(0) if is_stopped(server) || begun.elapsed() >= LAUNCH_TIMEOUT => return Ok(false),
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            Ok(_) => return Ok(true),
            Err(error) => return Err(error.into()),
        }
    }
}

/// Whether a process does nothing because somebody stopped it.
pub(super) fn is_stopped(process: Pid) -> bool {
    let file = format!("/proc/{}/stat", process.as_raw_nonzero());
    let state = std::fs::read_to_string(file).ok();
    // The name before it may hold anything.
    let state = state
        .as_deref()
        .and_then(|stat| stat.rsplit_once(") "))
        .and_then(|(_, rest)| rest.chars().next());
    matches!(state, Some('T' | 't'))
}

/// Hears that the launch begins, and returns a descriptor of the process that waits for the sandbox.
fn here(control: &OwnedFd) -> io::Result<Option<OwnedFd>> {
    let received = receive::<LauncherEvent>(control)?;
    Ok(received.and_then(|mut received| match received.message {
        LauncherEvent::Here => received.descriptors.pop(),
        LauncherEvent::Failed(_)
        | LauncherEvent::Sockets
        | LauncherEvent::Terminal
        | LauncherEvent::Ready
        | LauncherEvent::Ended { .. } => None,
    }))
}
