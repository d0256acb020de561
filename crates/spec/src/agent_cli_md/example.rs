//! AIP-45 `examples`: what people ask the agent for.

use crate::declare::{Prose, manifest};
use crate::doc::Spanned;

manifest! {
    /// One use of the agent.
    pub struct AgentExample closed {
        /// What it is good for.
        need goal: Spanned<String> as Prose<1, 2000>,
        /// What is said. For reading: it is never sent.
        need prompt: Spanned<String> as Prose<1, 2000>,
        /// What else is worth knowing.
        may note: Option<Spanned<String>> as Prose<1, 2000>,
    }
}
