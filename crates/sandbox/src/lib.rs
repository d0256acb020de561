//! What a child process may touch: a policy, enforced by the kernel, and a report of what happened.

mod denial;
mod egress;
pub mod policy;
mod refusal;

pub use denial::{Denial, DenialKind, Denials};
pub use refusal::Refusal;
