//! The `sandbox` block of a manifest: AIP-29's and AIP-36's, two front-ends of one policy.
//!
//! [`SandboxBlock::policy`] makes the value that the sandbox enforces (`argrail_sandbox::policy::Policy`), by that
//! crate's own readers: nothing means one thing here and another there. [`Narrowing`] is what a tool writes over the
//! block of its bundle; [`narrows`] holds the two against each other.

mod aip29;
mod aip36;
mod block;
mod entries;
mod narrowing;
mod rules;

pub use aip29::{Aip29, Env, Exec, Fs, Network, Tty};
pub use aip36::{Aip36, Auth, AuthState, Lifecycle, Limits, Mount, MountMode, MountSource, Passed, Reached};
pub use block::{SandboxBlock, load, sketch};
pub use narrowing::{NarrowedExec, Narrowing, narrows};

pub(crate) use block::decode_file;
pub(crate) use entries::{Settings, starts_anything};
pub(crate) use rules::{RULES, WIDENS};

/// The first entry of a policy that is more than its parent has.
pub use argrail_sandbox::policy::Widening;
