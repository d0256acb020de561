//! Installing a filter of system calls.

use std::io;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};

use super::check_long;
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
