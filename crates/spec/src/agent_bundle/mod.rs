//! The folder of an agent: `AGENT-CLI.md` and every file that it names, held against each other.
//!
//! Pure: whoever has files hands over their names and texts ([`Files`](crate::bundle::Files)). [`load`] gives an
//! [`AgentBundle`] or everything that is wrong with it; [`check`] gives both, for lint.

mod check;
mod model;
mod profile;
mod rules;

pub use check::{CheckedAgent, MANIFEST, check, load};
pub use model::AgentBundle;

pub(crate) use rules::RULES;
