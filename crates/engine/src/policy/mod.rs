//! May this run? A pure decision from facts and rules, with every reason behind it.
//!
//! Nothing here looks at a file, a clock or a process: [`decide`] is a function, so that `why`, MCP, `call` and `run`
//! cannot disagree. It never relaxes on a tool's own word: what a tool claims about itself is believed only where the
//! closed sandbox makes it true.

mod decision;
mod facts;
pub mod program;

pub use decision::{Confinement, Decision, Reason, Verdict};
pub use facts::{Approval, Basis, Egress, Facts, Trust, Wish};
