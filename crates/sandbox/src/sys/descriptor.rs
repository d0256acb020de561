//! Descriptors by number: what no program inherits that is started from here.

use std::io;

use super::check;

/// Marks every descriptor from `first` on so that no program started from here inherits it.
pub(crate) fn close_on_exec_from(first: u32) -> io::Result<()> {
    const CLOEXEC: libc::c_int = libc::CLOSE_RANGE_CLOEXEC as libc::c_int;
    // SAFETY: changes a flag of descriptors; none is closed.
    check(unsafe { libc::close_range(first, libc::c_uint::MAX, CLOEXEC) }).map(drop)
}

/// Whether the system can close ranges of descriptors: closes one in which none can be.
pub(crate) fn close_none() -> io::Result<()> {
    // SAFETY: no descriptor has the highest number there is.
    check(unsafe { libc::close_range(libc::c_uint::MAX, libc::c_uint::MAX, 0) }).map(drop)
}
