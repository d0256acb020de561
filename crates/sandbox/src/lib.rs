//! What a child process may touch: a policy, enforced by the kernel, and a report of what happened.

mod denial;
mod egress;
mod launch;
pub mod policy;
mod refusal;
mod seccomp;
mod sys;

pub use launch::enter;
pub use denial::{Denial, DenialKind, Denials};
pub use refusal::Refusal;
