//! The launcher serves its host: one sandbox for each order, and the order of the steps that build it.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::fd::{AsFd, OwnedFd};

use rustix::process::{DumpableBehavior, PidfdFlags, getpid, pidfd_open, set_dumpable_behavior};

use super::order::{LaunchOrder, Tier};
use super::role::raise_open_files;
use super::stage::{LaunchFailure, LaunchStage, StageContext};
use super::wire::{LauncherCommand, LauncherEvent, receive, send};
use super::{identity, init, prepare};
use crate::sys::{InheritedDescriptors, SoleThread, process, signal};

/// Orders longer than this are not ours. Most are a few thousand bytes; the bytes of fixed files are part of them.
const MAX_ORDER_BYTES: u64 = 96 * 1024 * 1024;

/// Serves one host: starts a sandbox for each order, until the host is gone. The processes it starts are copies of
/// this one, which is small, rather than of the host, which is not.
pub(crate) fn serve() -> ! {
    let (sole, inherited) = claim_or_exit();
    let ready = inherited
        .take_stdin()
        .and_then(|host| signal::forget_children().map(|()| host));
    let Ok(host) = ready else { process::exit(2) };
    while let Ok(Some(received)) = receive::<LauncherCommand>(&host) {
        // Without a process the host hears the end of its socket, and says that the launch did not begin.
        if let Ok(process::ForkSide::Child) = process::fork(sole) {
            drop(host);
            process::exit(launch(sole, received.descriptors))
        }
    }
    process::exit(0)
}

/// Claims this process, which does as it is told and nothing else. With a thread that somebody started before, it
/// cannot: it ends, and whoever wanted it hears that.
pub(crate) fn claim_or_exit() -> (SoleThread, InheritedDescriptors) {
    SoleThread::claim().unwrap_or_else(|| process::exit(2))
}

/// Does what one order says.
fn launch(sole: SoleThread, descriptors: Vec<OwnedFd>) -> i32 {
    let Ok([host, order, stdin, stdout, stderr]) = <[OwnedFd; 5]>::try_from(descriptors) else {
        return 2;
    };
    let streams = StandardStreams {
        stdin,
        stdout,
        stderr,
    };
    match run(sole, &host, order, streams) {
        Ok(code) => code,
        Err(failure) => i32::from(send(&host, &LauncherEvent::Failed(failure), &[]).is_err()),
    }
}

/// The program's standard streams.
pub(super) struct StandardStreams {
    pub(super) stdin: OwnedFd,
    pub(super) stdout: OwnedFd,
    pub(super) stderr: OwnedFd,
}

fn run(
    sole: SoleThread,
    host: &OwnedFd,
    order: OwnedFd,
    streams: StandardStreams,
) -> Result<i32, LaunchFailure> {
    signal::reset().at(LaunchStage::Session)?;
    raise_open_files();
    // When the machine runs out of memory, what runs in here goes first. A machine that does not offer it goes without.
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    let own = pidfd_open(getpid(), PidfdFlags::empty()).at(LaunchStage::Session)?;
    send(host, &LauncherEvent::Here, &[own.as_fd()]).at(LaunchStage::Session)?;
    drop(own);
    let order = read_order(order).at(LaunchStage::Order)?;
    match order.tier {
        Tier::Namespaces => in_namespaces(sole, &order, host, streams),
        Tier::Landlock => init::supervise(sole, &order, host, streams),
    }
}

fn in_namespaces(
    sole: SoleThread,
    order: &LaunchOrder,
    host: &OwnedFd,
    streams: StandardStreams,
) -> Result<i32, LaunchFailure> {
    // Root opens what it grants as root and shows it as the child's own, and then is root no longer. Anybody else
    // may mount only in a namespace of their own.
    let prepared = if order.identity.switch {
        let maps = identity::owner_maps(sole, &order.identity)?;
        let prepared = prepare::prepare(order, &maps)?;
        identity::become_plain(&order.identity)?;
        identity::new_namespaces(sole, &order.identity)?;
        prepared
    } else {
        identity::new_namespaces(sole, &order.identity)?;
        prepare::prepare(order, &[])?
    };
    // From here on nothing in here may be looked at by the program that will run beside it.
    set_dumpable_behavior(DumpableBehavior::NotDumpable).at(LaunchStage::Capabilities)?;
    // The launcher has nothing more to do than to wait, so the first process of the sandbox takes over all it has.
    let init = process::start_sharing(sole, process::FileTable::Shared, || {
        init::run(sole, order, host, streams, prepared).unwrap_or_else(|failure| {
            let _ = send(host, &LauncherEvent::Failed(failure), &[]);
            0
        })
    });
    let waited = process::wait_for(init.at(LaunchStage::Fork)?);
    Ok(i32::from(waited.is_err()))
}

/// Reads the order from memory that the host sealed, so that nothing changes while it is read.
fn read_order(sealed: OwnedFd) -> io::Result<LaunchOrder> {
    let seals = rustix::fs::fcntl_get_seals(&sealed)?;
    if !seals.contains(rustix::fs::SealFlags::WRITE | rustix::fs::SealFlags::SHRINK) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let mut bytes = Vec::new();
    let mut sealed = File::from(sealed);
    sealed.rewind()?;
    sealed.take(MAX_ORDER_BYTES).read_to_end(&mut bytes)?;
    postcard::from_bytes(&bytes).map_err(io::Error::other)
}
