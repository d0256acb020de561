//! System calls that no safe crate offers. The only module of the project with unsafe code.
//!
//! Each function does one thing and says in a SAFETY line why it may. What it rests on is in its arguments: a
//! [`SoleThread`] where there must be no other.

#![expect(unsafe_code, reason = "the one place: what the safe crates do not cover")]

pub(crate) mod descriptor;
pub(crate) mod hostile;
pub(crate) mod landlock;
pub(crate) mod mount;
pub(crate) mod namespace_holder;
pub(crate) mod network;
pub(crate) mod process;
mod result;
pub(crate) mod seccomp;
pub(crate) mod signal;
mod sole_thread;

use result::{check, check_long};
pub(crate) use sole_thread::{InheritedDescriptors, SoleThread, is_alone};
