//! Which agents there are: those that argrail brings along, those of the data home, those of the project.
//!
//! Whose word counts: argrail's own, a folder of the data home that a person accepted as it is, a project that is trusted.
//! Others are listed for people, are never started, and take no name from one that counts.
//!
//! Reads files and starts nothing but the version check of an agent that counts.

mod agent;
mod agents;
mod auth;
mod readiness;
pub mod shipped;

pub use agent::{Agent, AgentError, AgentOrigin, Doubt};
pub use agents::{Agents, Listed};
pub use auth::SignedIn;
pub use readiness::{Means, Readiness, agent_home};
