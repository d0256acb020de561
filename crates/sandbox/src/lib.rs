//! What a child process may touch: a policy, enforced by the kernel, and a report of what happened.

mod denial;
#[cfg_attr(not(test), expect(dead_code, reason = "nothing starts a child yet"))]
mod egress;
mod launch;
pub mod policy;
mod refusal;
mod seccomp;
mod sys;

pub use launch::enter;
pub use denial::{Denial, DenialKind, Denials};
pub use refusal::Refusal;
