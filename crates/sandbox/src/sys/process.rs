//! Forks, the end of processes, and `execveat`.

use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::time::Duration;

use rustix::process::Pid;
use rustix::thread::UnshareFlags;

use super::{SoleThread, check, check_long};

/// Which side of a fork this is.
pub(crate) enum ForkSide {
    /// The new process.
    Child,
    /// The old one, and the number of the new.
    Parent(Pid),
}

/// Forks. The child may do whatever the parent may.
pub(crate) fn fork(_sole: SoleThread) -> io::Result<ForkSide> {
    // SAFETY: there is one thread, so no lock is held by one that the child lacks.
    let number = check(unsafe { libc::fork() })?;
    Ok(Pid::from_raw(number).map_or(ForkSide::Child, ForkSide::Parent))
}

/// How much stack a new process gets in the memory that it shares.
const STACK_BYTES: usize = 512 * 1024;

/// What a new process has in common with the one that starts it, besides memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileTable {
    /// The open files too: what one closes is closed for both.
    Shared,
    /// A copy of the list of open files.
    Copied,
}

/// Runs `body` in a new process and returns when that has become another program or ended, with its number.
///
/// The new process uses the memory of this one, which waits meanwhile: nothing is copied, which is what makes it
/// fast, and what `body` owns is its own for good.
pub(crate) fn start_sharing<F: FnOnce() -> i32>(
    _sole: SoleThread,
    files: FileTable,
    body: F,
) -> io::Result<Pid> {
    extern "C" fn begin<F: FnOnce() -> i32>(body: *mut libc::c_void) -> libc::c_int {
        // SAFETY: the pointer is that of the option below, which lives while the parent waits.
        let body = unsafe { (*body.cast::<Option<F>>()).take() };
        exit(body.map_or(1, |body| body()))
    }
    let mut body = Some(body);
    let mut stack = vec![0_u128; STACK_BYTES / size_of::<u128>()];
    let flags = libc::CLONE_VM
        | libc::CLONE_VFORK
        | libc::SIGCHLD
        | match files {
            FileTable::Shared => libc::CLONE_FILES,
            FileTable::Copied => 0,
        };
    // SAFETY: the stack grows down from its end, aligned as the element type is, and both it and the body live until
    // this call returns, which is when the child no longer uses this memory. No other thread exists that could see
    // it half-changed.
    let number = check(unsafe {
        libc::clone(
            begin::<F>,
            stack.as_mut_ptr_range().end.cast(),
            flags,
            (&raw mut body).cast(),
        )
    })?;
    Pid::from_raw(number).ok_or_else(|| io::Error::other("a process without a number"))
}

/// Ends the process at once: no destructors, no flushing of what the parent buffered.
pub(crate) fn exit(code: i32) -> ! {
    // SAFETY: ends the process; nothing runs after.
    unsafe { libc::_exit(code) }
}

/// Moves this process, or its future children, into new namespaces.
pub(crate) fn unshare(_sole: SoleThread, flags: UnshareFlags) -> io::Result<()> {
    // SAFETY: there is one thread, and descriptors are not unshared here.
    unsafe { rustix::thread::unshare_unsafe(flags) }.map_err(io::Error::from)
}

/// A process that ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReapedProcess {
    /// The number that it had.
    pub(crate) pid: Pid,
    /// As `waitpid` gives it.
    pub(crate) status: i32,
}

/// Reaps one ended child, if there is one.
pub(crate) fn reap() -> io::Result<Option<ReapedProcess>> {
    let mut status = 0;
    // SAFETY: `status` is a place to write to.
    let number = check(unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG) })?;
    Ok(Pid::from_raw(number).map(|pid| ReapedProcess { pid, status }))
}

/// What processes used.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ResourceUsage {
    /// Processor time outside the kernel.
    pub(crate) user: Duration,
    /// Processor time inside the kernel.
    pub(crate) system: Duration,
    /// The most memory that one of them had, in KiB.
    pub(crate) peak_kib: u64,
}

/// Returns what all children that were reaped so far used, and theirs.
pub(crate) fn usage_of_children() -> ResourceUsage {
    // SAFETY: `rusage` is plain numbers, for which zero is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: `usage` is a place to write to.
    if unsafe { libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage) } < 0 {
        return ResourceUsage::default();
    }
    read_usage(&usage)
}

/// Waits for one child and returns its status and what it used.
pub(crate) fn wait_for(pid: Pid) -> io::Result<(i32, ResourceUsage)> {
    let mut status = 0;
    // SAFETY: `rusage` is plain numbers, for which zero is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: both are places to write to.
        let result = unsafe { libc::wait4(pid.as_raw_nonzero().get(), &raw mut status, 0, &raw mut usage) };
        match check(result) {
            Ok(_) => return Ok((status, read_usage(&usage))),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn read_usage(usage: &libc::rusage) -> ResourceUsage {
    let duration = |time: libc::timeval| {
        let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
        let micros = u64::try_from(time.tv_usec).unwrap_or_default();
        Duration::from_secs(seconds) + Duration::from_micros(micros)
    };
    ResourceUsage {
        user: duration(usage.ru_utime),
        system: duration(usage.ru_stime),
        peak_kib: u64::try_from(usage.ru_maxrss).unwrap_or_default(),
    }
}

/// Becomes the program that `program` refers to. Returns only when that failed.
///
/// The key is for the filter; the kernel has no such argument.
pub(crate) fn exec(program: impl AsFd, argv: &[CString], env: &[CString], key: u32) -> io::Error {
    let argv = pointers(argv);
    let env = pointers(env);
    // SAFETY: the descriptor is open, the path is an empty C string, and both lists are C strings that end in
    // a null pointer and live across the call.
    let result = unsafe {
        libc::syscall(
            libc::SYS_execveat,
            program.as_fd().as_raw_fd(),
            c"".as_ptr(),
            argv.as_ptr(),
            env.as_ptr(),
            libc::AT_EMPTY_PATH,
            libc::c_ulong::from(key),
        )
    };
    match check_long(result) {
        Ok(_) => io::Error::other("exec returned"),
        Err(error) => error,
    }
}

fn pointers(strings: &[CString]) -> Vec<*const libc::c_char> {
    strings
        .iter()
        .map(|string| CStr::as_ptr(string))
        .chain([std::ptr::null()])
        .collect()
}
