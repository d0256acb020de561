//! Filters of system calls: installing one, and answering one that asks: what was called, by whom, go on or not.

use std::io;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd, RawFd};

use super::{check, check_long};
use crate::seccomp::BpfInstruction;

/// Installs `program` for this thread and all that come from it. Needs `no_new_privs`.
///
/// Returns a descriptor that tells of calls the filter wants to be asked about, when `ask` says so.
pub(crate) fn install(program: &[BpfInstruction], ask: bool) -> io::Result<Option<OwnedFd>> {
    let mut filter: Vec<libc::sock_filter> = program
        .iter()
        .map(|instruction| libc::sock_filter {
            code: instruction.code,
            jt: instruction.yes,
            jf: instruction.no,
            k: instruction.value,
        })
        .collect();
    let length = u16::try_from(filter.len()).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
    let program = libc::sock_fprog {
        len: length,
        filter: filter.as_mut_ptr(),
    };
    let flags = if ask {
        libc::SECCOMP_FILTER_FLAG_NEW_LISTENER
    } else {
        0
    };
    // SAFETY: `program` points at `length` instructions that live across the call.
    let result = unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            flags,
            &raw const program,
        )
    };
    let number = check_long(result)?;
    if !ask {
        return Ok(None);
    }
    let number = RawFd::try_from(number).map_err(io::Error::other)?;
    // SAFETY: with that flag the kernel returns a new descriptor.
    Ok(Some(unsafe { OwnedFd::from_raw_fd(number) }))
}

/// A call that waits for our answer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PendingCall {
    /// Names the question.
    pub(crate) id: u64,
    /// The thread that called, as numbered here; zero when it cannot be seen.
    pub(crate) pid: u32,
    /// The number of the system call.
    pub(crate) number: i64,
    /// The six arguments of the call.
    pub(crate) arguments: [u64; 6],
}

/// What becomes of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallVerdict {
    /// The kernel decides, as if nobody had asked.
    Continue,
    /// It fails with this error number.
    Fail(i32),
}

/// Lets the caller and whoever answers take turns on one processor, where the kernel can (6.6 or later): neither does
/// anything while it waits for the other, and waking another processor takes longer than the answer.
pub(crate) fn take_turns(listener: impl AsFd) {
    const SYNCHRONOUS: u64 = 1;
    // SAFETY: the flags are the argument itself, no memory.
    unsafe {
        libc::ioctl(
            listener.as_fd().as_raw_fd(),
            libc::SECCOMP_IOCTL_NOTIF_SET_FLAGS,
            SYNCHRONOUS,
        );
    }
}

/// Takes one question. An error when the caller is gone already.
pub(crate) fn receive(listener: impl AsFd) -> io::Result<PendingCall> {
    // SAFETY: the structure is plain numbers, and the kernel wants it zeroed.
    let mut asked: libc::seccomp_notif = unsafe { std::mem::zeroed() };
    // SAFETY: `asked` is a place to write to, of the size that the request number says.
    check(unsafe {
        libc::ioctl(
            listener.as_fd().as_raw_fd(),
            libc::SECCOMP_IOCTL_NOTIF_RECV,
            &raw mut asked,
        )
    })?;
    Ok(PendingCall {
        id: asked.id,
        pid: asked.pid,
        number: i64::from(asked.data.nr),
        arguments: asked.data.args,
    })
}

/// Reads a caller's memory, as far as it goes: less than asked for where memory ends.
pub(crate) fn read_memory(asked: &PendingCall, address: u64, bytes: &mut [u8]) -> io::Result<usize> {
    let pid = libc::pid_t::try_from(asked.pid).map_err(io::Error::other)?;
    let address = usize::try_from(address).map_err(io::Error::other)?;
    let ours = libc::iovec {
        iov_base: bytes.as_mut_ptr().cast(),
        iov_len: bytes.len(),
    };
    let theirs = libc::iovec {
        iov_base: std::ptr::without_provenance_mut(address),
        iov_len: bytes.len(),
    };
    // SAFETY: `ours` is a place to write to, of that length; `theirs` is an address of another process, which the kernel
    // looks at and this process never does.
    let read = unsafe { libc::process_vm_readv(pid, &raw const ours, 1, &raw const theirs, 1, 0) };
    usize::try_from(read).map_err(|_| io::Error::last_os_error())
}

/// Whether the caller of a question still waits, so that what was read of its memory was its own.
pub(crate) fn is_waiting(listener: impl AsFd, asked: &PendingCall) -> bool {
    // SAFETY: the kernel reads one number.
    unsafe {
        libc::ioctl(
            listener.as_fd().as_raw_fd(),
            libc::SECCOMP_IOCTL_NOTIF_ID_VALID,
            &raw const asked.id,
        ) == 0
    }
}

/// Answers a question. An error when the caller is gone, which ends the matter too.
pub(crate) fn answer(listener: impl AsFd, asked: &PendingCall, verdict: CallVerdict) -> io::Result<()> {
    let (error, flags) = match verdict {
        CallVerdict::Continue => (0, libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32),
        CallVerdict::Fail(error) => (-error, 0),
    };
    let mut response = libc::seccomp_notif_resp {
        id: asked.id,
        val: 0,
        error,
        flags,
    };
    // SAFETY: `response` is of the size that the request number says and lives across the call.
    check(unsafe {
        libc::ioctl(
            listener.as_fd().as_raw_fd(),
            libc::SECCOMP_IOCTL_NOTIF_SEND,
            &raw mut response,
        )
    })
    .map(drop)
}
