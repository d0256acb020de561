//! Descriptors by number: taking over what was inherited, and closing all the rest.

use std::io;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};

use super::check;

/// Takes over descriptor `number`, which this process inherited.
///
/// For the launcher alone, and once for each number: its three standard descriptors are not used otherwise.
pub(crate) fn inherited(number: RawFd) -> io::Result<OwnedFd> {
    // SAFETY: asks about a number; an open one is not changed.
    check(unsafe { libc::fcntl(number, libc::F_GETFD) })?;
    // SAFETY: it is open, as just seen, and the caller is the only one that takes it (see above).
    Ok(unsafe { OwnedFd::from_raw_fd(number) })
}

/// Closes every descriptor from `first` on.
pub(crate) fn close_from(first: u32) -> io::Result<()> {
    // SAFETY: the launcher calls this before it opens anything of its own, so nothing it owns is closed.
    check(unsafe { libc::close_range(first, libc::c_uint::MAX, 0) }).map(drop)
}

/// Marks every descriptor from `first` on so that no program started from here inherits it.
pub(crate) fn close_on_exec_from(first: u32) -> io::Result<()> {
    const CLOEXEC: libc::c_int = libc::CLOSE_RANGE_CLOEXEC as libc::c_int;
    // SAFETY: changes a flag of descriptors; none is closed.
    check(unsafe { libc::close_range(first, libc::c_uint::MAX, CLOEXEC) }).map(drop)
}
