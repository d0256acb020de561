//! What a child process may touch: a policy, enforced by the kernel, and a report of what happened.

mod child;
mod compile;
mod denial;
mod egress;
mod home;
mod launch;
pub mod policy;
mod refusal;
mod seccomp;
mod sys;

pub use child::{
    Cancel, Child, Command, Confinement, Ended, Error, Launcher, Output, Quarantined, Report, Stdin,
};
pub use denial::{Denial, DenialKind, Denials};
pub use egress::Traffic;
pub use home::home;
pub use launch::enter;
pub use refusal::Refusal;
