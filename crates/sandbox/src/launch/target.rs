//! The last steps, in the process that becomes the program: session, streams, limits, restrictions, exec.

use std::ffi::CString;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat, openat2};
use rustix::process::{Pid, Resource, Rlimit, Signal, set_parent_process_death_signal, setrlimit};
use rustix::termios::Winsize;

use super::confine;
use super::order::{LaunchOrder, ResourceLimit, TargetProgram, TerminalSize};
use super::serve::StandardStreams;
use super::stage::{LaunchFailure, LaunchStage, StageContext};
use super::wire::{LauncherEvent, send};
use crate::sys::{process, seccomp, signal};

/// Becomes the program. Returns only when a step failed, which the host has heard by then.
pub(super) fn start(order: &LaunchOrder, host: &OwnedFd, streams: &StandardStreams, parent: Pid) {
    let failure = match confine(order, host, streams, parent) {
        Ok(program) => {
            let TargetProgram {
                argv, env, path, key, ..
            } = &order.program;
            let error = process::exec(&program, argv, env, *key);
            LaunchFailure::new(LaunchStage::Exec, &error, path.as_bytes())
        }
        Err(failure) => failure,
    };
    let _ = send(host, &LauncherEvent::Failed(failure), &[]);
}

fn confine(
    order: &LaunchOrder,
    host: &OwnedFd,
    streams: &StandardStreams,
    parent: Pid,
) -> Result<OwnedFd, LaunchFailure> {
    signal::reset().at(LaunchStage::Session)?;
    // Whoever started this process waits for it, has one thread, and goes only when all must go.
    set_parent_process_death_signal(Some(Signal::KILL)).at(LaunchStage::Session)?;
    // One that was gone before that is not told of: only a process namespace would end this one.
    if rustix::process::getppid() != Some(parent) {
        return Err(io::Error::from_raw_os_error(libc::ESRCH)).at(LaunchStage::Session);
    }
    rustix::process::setsid().at(LaunchStage::Session)?;
    match order.terminal {
        Some(terminal) => {
            let slave = open_terminal(terminal, host).at(LaunchStage::Terminal)?;
            set_streams([slave.as_fd(); 3]).at(LaunchStage::Terminal)?;
        }
        None => {
            let StandardStreams {
                stdin,
                stdout,
                stderr,
            } = streams;
            set_streams([stdin.as_fd(), stdout.as_fd(), stderr.as_fd()]).at(LaunchStage::Session)?;
        }
    }
    rustix::process::chdir(order.program.directory.as_c_str())
        .about(LaunchStage::Program, order.program.directory.as_bytes())?;
    let program = open_program(&order.program)?;
    // Where the kernel does not let it stand back it does not.
    let _ = rustix::process::nice(order.niceness.into());
    for (bound, value) in &order.limits {
        limit(*bound, *value)?;
    }
    confine::restrict(&order.landlock).at(LaunchStage::Landlock)?;
    let listener = seccomp::install(&order.filter, order.asks).at(LaunchStage::Seccomp)?;
    verify().at(LaunchStage::Verify)?;
    let with: Vec<BorrowedFd<'_>> = listener.iter().map(AsFd::as_fd).collect();
    send(host, &LauncherEvent::Ready, &with).at(LaunchStage::Session)?;
    Ok(program)
}

/// Opens the program at the number that the filter knows it by, above all that the program itself may open.
fn open_program(program: &TargetProgram) -> Result<OwnedFd, LaunchFailure> {
    let about = program.path.as_bytes();
    let number = program.descriptor;
    let room = Rlimit {
        current: Some(u64::from(number) + 1),
        maximum: Some(u64::from(number) + 1),
    };
    setrlimit(Resource::Nofile, room).about(LaunchStage::Limits, b"open files")?;
    // The path has no symlink in it; one that is there now was put there meanwhile, to lead elsewhere.
    let resolve = ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    let file = openat2(CWD, program.path.as_c_str(), flags, Mode::empty(), resolve)
        .about(LaunchStage::Program, about)?;
    let number = i32::try_from(number).unwrap_or(i32::MAX);
    let file = rustix::io::fcntl_dupfd_cloexec(&file, number).about(LaunchStage::Program, about)?;
    if file.as_raw_fd() != number {
        return Err(io::Error::from_raw_os_error(libc::EMFILE)).about(LaunchStage::Program, about);
    }
    Ok(file)
}

fn set_streams(streams: [BorrowedFd<'_>; 3]) -> io::Result<()> {
    let [stdin, stdout, stderr] = streams;
    rustix::stdio::dup2_stdin(stdin)?;
    rustix::stdio::dup2_stdout(stdout)?;
    Ok(rustix::stdio::dup2_stderr(stderr)?)
}

/// A terminal of the sandbox's own, whose other end the host gets. It becomes the session's.
fn open_terminal(terminal: TerminalSize, host: &OwnedFd) -> io::Result<OwnedFd> {
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    let master = openat(CWD, c"/dev/pts/ptmx", flags, Mode::empty())?;
    rustix::pty::unlockpt(&master)?;
    let name: CString = rustix::pty::ptsname(&master, Vec::new())?;
    let slave = openat(CWD, name.as_c_str(), flags, Mode::empty())?;
    let size = Winsize {
        ws_row: terminal.rows,
        ws_col: terminal.columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    rustix::termios::tcsetwinsize(&slave, size)?;
    rustix::process::ioctl_tiocsctty(&slave)?;
    send(host, &LauncherEvent::Terminal, &[master.as_fd()])?;
    Ok(slave)
}

/// Sets a limit that cannot be raised again.
fn limit(bound: ResourceLimit, value: u64) -> Result<(), LaunchFailure> {
    let (resource, name) = match bound {
        ResourceLimit::Core => (Resource::Core, "core"),
        ResourceLimit::AddressSpace => (Resource::As, "address space"),
        ResourceLimit::Memory => (Resource::Data, "memory"),
        ResourceLimit::Processes => (Resource::Nproc, "processes"),
        ResourceLimit::FileSize => (Resource::Fsize, "file size"),
        ResourceLimit::Processor => (Resource::Cpu, "processor time"),
        ResourceLimit::OpenFiles => (Resource::Nofile, "open files"),
        ResourceLimit::LockedMemory => (Resource::Memlock, "locked memory"),
        ResourceLimit::PendingSignals => (Resource::Sigpending, "pending signals"),
        ResourceLimit::MessageQueues => (Resource::Msgqueue, "message queues"),
    };
    let limit = Rlimit {
        current: Some(value),
        maximum: Some(value),
    };
    setrlimit(resource, limit).about(LaunchStage::Limits, name.as_bytes())
}

/// Looks, rather than believes: no way to new privileges, no capability, a filter in force.
fn verify() -> io::Result<()> {
    let none = rustix::thread::CapabilitySet::empty();
    let sets = rustix::thread::capabilities(None)?;
    let held = rustix::thread::no_new_privs()?
        && sets.effective == none
        && sets.permitted == none
        && rustix::thread::secure_computing_mode()? == rustix::thread::SecureComputingMode::Filter;
    if held {
        Ok(())
    } else {
        Err(io::Error::from_raw_os_error(libc::EPERM))
    }
}
