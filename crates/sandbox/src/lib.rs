//! What a child process may touch: a policy, enforced by the kernel, and a report of what happened.

mod child;
mod compile;
mod denial;
#[cfg_attr(not(test), expect(dead_code, reason = "nothing starts a child yet"))]
mod egress;
mod home;
mod launch;
pub mod policy;
mod probe;
mod prove;
mod refusal;
mod seccomp;
mod sys;

pub use child::{Cancel, Child, Command, Confinement, Ended, Error, Launcher, Output, Quarantined, Report, Stdin};
pub use home::home;
pub use launch::enter;
pub use denial::{Denial, DenialKind, Denials};
pub use probe::{Feature, Machine, probe, probe_with};
pub use prove::{Hold, Outcome, Proof, Proving, attempts, prove};
pub use refusal::Refusal;
