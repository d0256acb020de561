//! Pid 1 of a sandbox: starts the program, reaps what is left behind, and ends when the program or the host does.
//!
//! When it ends, the kernel kills everything else in the sandbox: that is how the whole tree goes, however deep
//! it hid.

use std::io;
use std::os::fd::{AsFd, OwnedFd};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, Signal, set_parent_process_death_signal};

use super::order::LaunchOrder;
use super::prepare::PreparedMounts;
use super::serve::StandardStreams;
use super::stage::{LaunchFailure, LaunchStage, StageContext};
use super::wire::{LauncherCommand, LauncherEvent, receive, send};
use super::{attach, identity, network, target};
use crate::sys::{SoleThread, process, signal};

/// What a program that could not be started exits with; the host has heard why before.
const NOT_STARTED: i32 = 126;

/// Builds the sandbox around this process, then runs the program in it.
pub(super) fn run(
    sole: SoleThread,
    order: &LaunchOrder,
    host: &OwnedFd,
    streams: StandardStreams,
    prepared: PreparedMounts,
) -> Result<i32, LaunchFailure> {
    // The launcher waits for us and has no other reason to go.
    set_parent_process_death_signal(Some(Signal::KILL)).at(LaunchStage::Session)?;
    attach::build(order, prepared)?;
    network::open(&order.network, host).at(LaunchStage::Network)?;
    supervise(sole, order, host, streams)
}

/// Runs the program, waits for its end, and tells the host.
pub(super) fn supervise(
    sole: SoleThread,
    order: &LaunchOrder,
    host: &OwnedFd,
    streams: StandardStreams,
) -> Result<i32, LaunchFailure> {
    identity::drop_privileges()?;
    let children = signal::child_watch().at(LaunchStage::Session)?;
    let own = rustix::process::getpid();
    let program = process::start_sharing(sole, process::FileTable::Copied, || {
        target::start(order, host, &streams, own);
        NOT_STARTED
    });
    let program = program.at(LaunchStage::Fork)?;
    drop(streams);
    match watch(host, &children, program) {
        Ok(Some(status)) => {
            let usage = process::usage_of_children();
            let ended = LauncherEvent::Ended {
                status,
                user: usage.user,
                system: usage.system,
                peak_kib: usage.peak_kib,
            };
            let _ = send(host, &ended, &[]);
        }
        // The host is gone, or cannot be heard: nobody is left to run this for.
        Ok(None) | Err(_) => {
            let _ = rustix::process::kill_process(program, Signal::KILL);
        }
    }
    Ok(0)
}

/// Waits until the program ends, and returns its status; none when the host is gone.
fn watch(host: &OwnedFd, children: &OwnedFd, program: Pid) -> io::Result<Option<i32>> {
    loop {
        let mut ready = [
            PollFd::new(children, PollFlags::IN),
            PollFd::new(host, PollFlags::IN),
        ];
        match poll(&mut ready, None) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let [child, command] = ready.map(|polled| !polled.revents().is_empty());
        if child && let Some(status) = reap_all(children, program)? {
            return Ok(Some(status));
        }
        if command {
            match receive::<LauncherCommand>(host.as_fd())? {
                Some(received) => match received.message {
                    LauncherCommand::Terminate => terminate(program),
                    LauncherCommand::Start => {}
                },
                None => return Ok(None),
            }
        }
    }
}

/// Reaps every process that ended, and returns the program's status if it is among them.
fn reap_all(children: &OwnedFd, program: Pid) -> io::Result<Option<i32>> {
    let mut record = [0; 128];
    while rustix::io::read(children, &mut record).is_ok_and(|length| length > 0) {}
    let mut ended = None;
    loop {
        match process::reap() {
            Ok(Some(reaped)) if reaped.pid == program => ended = Some(reaped.status),
            Ok(Some(_)) => {}
            Ok(None) => return Ok(ended),
            Err(error) if error.raw_os_error() == Some(libc::ECHILD) => return Ok(ended),
            Err(error) => return Err(error),
        }
    }
}

/// Asks all processes to end. Outside a process namespace, where "all" would be everybody's, that is the program.
fn terminate(program: Pid) {
    let own_namespace = rustix::process::getpid() == Pid::INIT;
    let _ = if own_namespace {
        signal::signal_all(libc::SIGTERM)
    } else {
        rustix::process::kill_process(program, Signal::TERM).map_err(io::Error::from)
    };
}
