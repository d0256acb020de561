//! The door: whether this process is the launcher, and the order of the steps.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use rustix::process::{
    DumpableBehavior, PidfdFlags, Resource, Rlimit, getpid, getrlimit, pidfd_open, set_dumpable_behavior,
    setrlimit,
};

use super::order::{Order, Tier};
use super::stage::{At, Failure, Stage};
use super::wire::{Command, Event, receive, send};
use super::{identity, init, prepare, probe};
use crate::sys::{Inherited, SoleThread, descriptor, is_alone, process, signal};

/// The name under which the launcher is started. No shell finds a program by it.
pub(crate) const NAME: &str = "argrail-sandbox-launcher";

/// The first argument of a process that tries what the machine offers, and says so.
pub(crate) const PROBER: &str = "--argrail-sandbox-prober";

/// The first argument of a process that plays a hostile program. It does nothing that whoever starts it could not.
pub(crate) const PROVER: &str = "--argrail-sandbox-prover";

/// Orders longer than this are not ours. Most are a few thousand bytes; the bytes of fixed files are part of them.
const ORDER: u64 = 96 * 1024 * 1024;

/// Whether this program can be its own launcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Entered {
    /// It never said so: started again, it would be itself once more.
    Never,
    /// It did, and other threads ran by then: as a launcher it could not fork.
    TooLate,
    /// It did, first of all.
    First,
}

static ENTERED: AtomicU8 = AtomicU8::new(Entered::Never as u8);

impl Entered {
    /// Returns what became of [`enter`] in this process.
    pub(crate) fn here() -> Self {
        let seen = ENTERED.load(Ordering::Relaxed);
        [Self::TooLate, Self::First]
            .into_iter()
            .find(|entered| *entered as u8 == seen)
            .unwrap_or(Self::Never)
    }
}

/// Makes a program able to be its own launcher. Call it first in `main`, before any thread is started.
///
/// Returns at once in a program that was started as usual, after what protects it: no descriptor that it inherited
/// reaches its children, its memory can be read by no other process of the same user, nor end up in a core file, it may
/// open as many files as its user lets it, and a file that may not grow is an error rather than its end. In the launcher, which [`Launcher::SelfExe`](crate::Launcher) starts, it never returns, nor in the processes of
/// [`probe`](crate::probe()) and [`prove`](crate::prove()).
///
/// Where other threads run already (`#[tokio::main]`), the program cannot be its own launcher: a confined child of
/// [`Launcher::SelfExe`](crate::Launcher) is then a [`Refusal`](crate::Refusal), as it is where this was never called.
pub fn enter() {
    let mut words = std::env::args_os();
    let name = words.next();
    let part = words.next();
    let is = |word: &str| part.as_ref().is_some_and(|part| part == word);
    if name.is_some_and(|name| name == NAME) {
        serve();
    }
    if is(PROBER) {
        probe::answer(alone().0);
    }
    if is(PROVER) {
        // In a sandbox without `/proc` it cannot be seen how many threads there are. Most of what it does needs no fork.
        crate::prove::act(SoleThread::claim().map(|(sole, _)| sole), words);
    }
    let entered = match is_alone() {
        true => Entered::First,
        false => Entered::TooLate,
    };
    ENTERED.store(entered as u8, Ordering::Relaxed);
    keep_open_files();
    // A file that may not grow is an error of a write then, and no sudden end.
    let _ = signal::survive_file_limit();
    // Neither can fail on a kernel that can run a sandbox, and a program without one has nothing to protect yet.
    let _ = descriptor::close_on_exec_from(3);
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
}

/// Serves one host: starts a sandbox for each order, until the host is gone. The processes it starts are copies of
/// this one, which is small, rather than of the host, which is not.
fn serve() -> ! {
    let (sole, inherited) = alone();
    let ready = inherited
        .take_stdin()
        .and_then(|host| signal::forget_children().map(|()| host));
    let Ok(host) = ready else { process::exit(2) };
    while let Ok(Some(received)) = receive::<Command>(&host) {
        // Without a process the host hears the end of its socket, and says that the launch did not begin.
        if let Ok(process::Side::Child) = process::fork(sole) {
            drop(host);
            process::exit(launch(sole, received.descriptors))
        }
    }
    process::exit(0)
}

/// Claims this process, which does as it is told and nothing else. With a thread that somebody started before, it
/// cannot: it ends, and whoever wanted it hears that.
fn alone() -> (SoleThread, Inherited) {
    SoleThread::claim().unwrap_or_else(|| process::exit(2))
}

/// Does what one order says.
fn launch(sole: SoleThread, descriptors: Vec<OwnedFd>) -> i32 {
    let Ok([host, order, stdin, stdout, stderr]) = <[OwnedFd; 5]>::try_from(descriptors) else {
        return 2;
    };
    let streams = Streams {
        stdin,
        stdout,
        stderr,
    };
    match run(sole, &host, order, streams) {
        Ok(code) => code,
        Err(failure) => i32::from(send(&host, &Event::Failed(failure), &[]).is_err()),
    }
}

/// The program's standard streams.
pub(super) struct Streams {
    pub(super) stdin: OwnedFd,
    pub(super) stdout: OwnedFd,
    pub(super) stderr: OwnedFd,
}

fn run(sole: SoleThread, host: &OwnedFd, order: OwnedFd, streams: Streams) -> Result<i32, Failure> {
    signal::reset().at(Stage::Session)?;
    raise_open_files();
    // When the machine runs out of memory, what runs in here goes first. A machine that does not offer it goes without.
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    let own = pidfd_open(getpid(), PidfdFlags::empty()).at(Stage::Session)?;
    send(host, &Event::Here, &[own.as_fd()]).at(Stage::Session)?;
    drop(own);
    let order = read_order(order).at(Stage::Order)?;
    match order.tier {
        Tier::Namespaces => in_namespaces(sole, &order, host, streams),
        Tier::Landlock => init::supervise(sole, &order, host, streams),
    }
}

/// As many files as this program was given at its start; 0 when that was no limit, or nobody raised it.
static INHERITED_OPEN_FILES: AtomicU64 = AtomicU64::new(0);

/// Returns how many files this program might have opened before it raised that for itself.
pub(crate) fn inherited_open_files() -> Option<u64> {
    Some(INHERITED_OPEN_FILES.load(Ordering::Relaxed)).filter(|count| *count > 0)
}

/// A host of many children holds a dozen descriptors for each: it takes as many as it may.
fn keep_open_files() {
    let limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum {
        INHERITED_OPEN_FILES.store(limit.current.unwrap_or_default(), Ordering::Relaxed);
        raise_open_files();
    }
}

/// Each mount is an open file until it has its place, and there may be many. The program gets a limit of its own.
fn raise_open_files() {
    let limit = getrlimit(Resource::Nofile);
    let most = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    // Without it, fewer mounts are possible, and the one too many is refused.
    let _ = setrlimit(Resource::Nofile, most);
}

fn in_namespaces(sole: SoleThread, order: &Order, host: &OwnedFd, streams: Streams) -> Result<i32, Failure> {
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
    set_dumpable_behavior(DumpableBehavior::NotDumpable).at(Stage::Capabilities)?;
    // The launcher has nothing more to do than to wait, so the first process of the sandbox takes over all it has.
    let init = process::start_sharing(sole, process::Files::Shared, || {
        init::run(sole, order, host, streams, prepared).unwrap_or_else(|failure| {
            let _ = send(host, &Event::Failed(failure), &[]);
            0
        })
    });
    let waited = process::wait_for(init.at(Stage::Fork)?);
    Ok(i32::from(waited.is_err()))
}

/// Reads the order from memory that the host sealed, so that nothing changes while it is read.
fn read_order(sealed: OwnedFd) -> io::Result<Order> {
    let seals = rustix::fs::fcntl_get_seals(&sealed)?;
    if !seals.contains(rustix::fs::SealFlags::WRITE | rustix::fs::SealFlags::SHRINK) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let mut bytes = Vec::new();
    let mut sealed = File::from(sealed);
    sealed.rewind()?;
    sealed.take(ORDER).read_to_end(&mut bytes)?;
    postcard::from_bytes(&bytes).map_err(io::Error::other)
}
