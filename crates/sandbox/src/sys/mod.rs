//! System calls that no safe crate offers. The only module of the project with unsafe code.
//!
//! Each function is safe to call as documented, does one thing, and says in a SAFETY line why it may.

#![expect(unsafe_code, reason = "the one place: what the safe crates do not cover")]

pub(crate) mod descriptor;
pub(crate) mod hostile;
pub(crate) mod landlock;
pub(crate) mod mount;
pub(crate) mod network;
pub(crate) mod notify;
pub(crate) mod process;
pub(crate) mod seccomp;
pub(crate) mod signal;

use std::io;

/// Turns the result of a libc call into ours.
fn check(result: libc::c_int) -> io::Result<libc::c_int> {
    if result < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(result)
    }
}

/// Turns the result of `libc::syscall` into ours.
fn check_long(result: libc::c_long) -> io::Result<libc::c_long> {
    if result < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(result)
    }
}
