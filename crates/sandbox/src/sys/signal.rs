//! Signals: a descriptor that tells of ended children, and a clean state for a new program.

use std::io;
use std::os::fd::{FromRawFd, OwnedFd};

use super::check;

/// Blocks the signal of ended children and returns a descriptor that is readable when one ended.
pub(crate) fn child_watch() -> io::Result<OwnedFd> {
    let set = set_of(&[libc::SIGCHLD]);
    // SAFETY: `set` is initialised; the old mask is not asked for.
    check(unsafe { libc::sigprocmask(libc::SIG_BLOCK, &raw const set, std::ptr::null_mut()) })?;
    // SAFETY: `set` is initialised; -1 asks for a new descriptor.
    let number =
        check(unsafe { libc::signalfd(-1, &raw const set, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK) })?;
    // SAFETY: the kernel just made it for us.
    Ok(unsafe { OwnedFd::from_raw_fd(number) })
}

/// Gives signals back the meaning they have for a program at its start, where our own start changed it, and blocks
/// none. What the host was told to ignore stays ignored, as it would in any child.
pub(crate) fn reset() -> io::Result<()> {
    for number in [libc::SIGPIPE, libc::SIGCHLD] {
        // SAFETY: sets the default action of a signal.
        unsafe { libc::signal(number, libc::SIG_DFL) };
    }
    let none = set_of(&[]);
    // SAFETY: `none` is initialised; the old mask is not asked for.
    check(unsafe { libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut()) }).map(drop)
}

/// Lets children go without a trace when they end, so that nobody has to wait for them.
pub(crate) fn forget_children() -> io::Result<()> {
    // SAFETY: ignores a signal.
    match unsafe { libc::signal(libc::SIGCHLD, libc::SIG_IGN) } {
        libc::SIG_ERR => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Lets a write beyond the limit of a file fail, where it would end the process. Programs that are started get the
/// system's way back: what is handled here is nobody's choice there.
pub(crate) fn survive_file_limit() -> io::Result<()> {
    extern "C" fn nothing(_signal: libc::c_int) {}
    // SAFETY: `sigaction` is plain numbers, for which zero is a value: no flags, an empty mask.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = nothing as extern "C" fn(libc::c_int) as libc::sighandler_t;
    action.sa_flags = libc::SA_RESTART;
    // SAFETY: `action` is initialised, and its function does nothing, which it may at any time.
    check(unsafe { libc::sigaction(libc::SIGXFSZ, &raw const action, std::ptr::null_mut()) }).map(drop)
}

/// Sends a signal to every process that this one may signal, but itself. Only pid 1 of a sandbox may: anywhere else that
/// would be everybody.
pub(crate) fn signal_all(signal: libc::c_int) -> io::Result<()> {
    if rustix::process::getpid() != rustix::process::Pid::INIT {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    // SAFETY: takes two numbers. In the sandbox's process namespace, -1 means the processes of the sandbox.
    check(unsafe { libc::kill(-1, signal) }).map(drop)
}

fn set_of(signals: &[libc::c_int]) -> libc::sigset_t {
    // SAFETY: `sigset_t` is plain numbers; `sigemptyset` then gives it its meaning.
    let mut set: libc::sigset_t = unsafe { std::mem::zeroed() };
    // SAFETY: `set` is a place to write to.
    unsafe { libc::sigemptyset(&raw mut set) };
    for signal in signals {
        // SAFETY: `set` is initialised, and the numbers are the system's own.
        unsafe { libc::sigaddset(&raw mut set, *signal) };
    }
    set
}
