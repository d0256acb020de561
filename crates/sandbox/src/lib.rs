//! What a child process may touch: a policy, enforced by the kernel, and a report of what happened.

mod denial;
#[cfg_attr(not(test), expect(dead_code, reason = "nothing starts a child yet"))]
mod egress;
pub mod policy;
mod refusal;

pub use denial::{Denial, DenialKind, Denials};
pub use refusal::Refusal;
