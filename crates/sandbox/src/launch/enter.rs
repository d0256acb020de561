//! The door: whether this process is the launcher, and the order of the steps.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::fd::{AsFd, OwnedFd};

use rustix::process::{DumpableBehavior, set_dumpable_behavior};

use super::order::{Order, Tier};
use super::stage::{At, Failure, Stage};
use super::wire::{Command, Event, receive, send};
use super::{identity, init, prepare, probe};
use crate::sys::{descriptor, process};

/// The name under which the launcher is started. No shell finds a program by it.
pub(crate) const NAME: &str = "argrail-sandbox-launcher";

/// The first argument of a process that tries what the machine offers, and says so.
pub(crate) const PROBER: &str = "--argrail-sandbox-prober";

/// The first argument of a process that plays a hostile program. It does nothing that whoever starts it could not.
pub(crate) const PROVER: &str = "--argrail-sandbox-prover";

/// Orders longer than this are not ours.
const ORDER: u64 = 4 * 1024 * 1024;

/// Makes a program able to be its own launcher. Call it first in `main`.
///
/// Returns at once in a program that was started as usual, after two things that protect it: no descriptor that it
/// inherited reaches its children, and its memory can be read by no other process of the same user, nor end up in
/// a core file. In the launcher, which [`Launcher::SelfExe`](crate::Launcher) starts, it never returns, nor in the processes of
/// [`probe`](crate::probe()) and [`prove`](crate::prove()).
pub fn enter() {
    let mut words = std::env::args_os();
    if words.next().is_some_and(|name| name == NAME) {
        launch();
    }
    match words.next() {
        Some(word) if word == PROBER => probe::answer(),
        Some(word) if word == PROVER => crate::prove::act(words),
        Some(_) | None => {}
    }
    // Neither can fail on a kernel that can run a sandbox, and a program without one has nothing to protect yet.
    let _ = descriptor::close_on_exec_from(3);
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
}

/// Does what the host ordered.
fn launch() -> ! {
    let Ok(host) = descriptor::inherited(0) else {
        process::exit(2);
    };
    let failure = match run(&host) {
        Ok(code) => process::exit(code),
        Err(failure) => failure,
    };
    let told = send(&host, &Event::Failed(failure), &[]);
    process::exit(if told.is_ok() { 0 } else { 2 })
}

/// The program's standard streams.
pub(super) struct Streams {
    pub(super) stdin: OwnedFd,
    pub(super) stdout: OwnedFd,
    pub(super) stderr: OwnedFd,
}

fn run(host: &OwnedFd) -> Result<i32, Failure> {
    descriptor::close_from(3).at(Stage::Descriptors)?;
    let (order, stdin) = read_order(host).at(Stage::Order)?;
    let streams = Streams {
        stdin,
        stdout: descriptor::inherited(1).at(Stage::Descriptors)?,
        stderr: descriptor::inherited(2).at(Stage::Descriptors)?,
    };
    match order.tier {
        Tier::Namespaces => in_namespaces(&order, host, streams),
        Tier::Landlock => init::supervise(&order, host, streams),
    }
}

fn in_namespaces(order: &Order, host: &OwnedFd, streams: Streams) -> Result<i32, Failure> {
    // Root opens what it grants as root and shows it as the child's own, and then is root no longer. Anybody else
    // may mount only in a namespace of their own.
    let prepared = if order.identity.switch {
        let maps = identity::owner_maps(&order.identity)?;
        let prepared = prepare::prepare(order, &maps)?;
        identity::become_plain(&order.identity)?;
        identity::new_namespaces(&order.identity)?;
        prepared
    } else {
        identity::new_namespaces(&order.identity)?;
        prepare::prepare(order, &[])?
    };
    // From here on nothing in here may be looked at by the program that will run beside it.
    set_dumpable_behavior(DumpableBehavior::NotDumpable).at(Stage::Capabilities)?;
    match process::fork().at(Stage::Fork)? {
        process::Side::Child => {
            let code = init::run(order, host, streams, prepared).unwrap_or_else(|failure| {
                let _ = send(host, &Event::Failed(failure), &[]);
                0
            });
            process::exit(code)
        }
        process::Side::Parent(init) => {
            drop((streams, prepared));
            let waited = process::wait_for(init);
            Ok(i32::from(waited.is_err()))
        }
    }
}

/// Reads the order from memory that the host sealed, so that nothing changes while it is read.
fn read_order(host: impl AsFd) -> io::Result<(Order, OwnedFd)> {
    let gone = || io::Error::from(io::ErrorKind::UnexpectedEof);
    let received = receive::<Command>(host)?.ok_or_else(gone)?;
    let mut descriptors = received.descriptors.into_iter();
    let (order, stdin) = descriptors.next().zip(descriptors.next()).ok_or_else(gone)?;
    let seals = rustix::fs::fcntl_get_seals(&order)?;
    if !seals.contains(rustix::fs::SealFlags::WRITE | rustix::fs::SealFlags::SHRINK) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let mut bytes = Vec::new();
    let mut order = File::from(order);
    order.rewind()?;
    order.take(ORDER).read_to_end(&mut bytes)?;
    let order = postcard::from_bytes(&bytes).map_err(io::Error::other)?;
    Ok((order, stdin))
}
