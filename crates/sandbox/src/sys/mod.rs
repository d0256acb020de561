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
mod result;
pub(crate) mod seccomp;
pub(crate) mod signal;

use result::{check, check_long};
