//! AIP-45 `AGENT-CLI.md`: an agent that is a program: how it is installed, checked, set up, signed in, confined, started
//! and talked to.
//!
//! [`load`] reads the file and refuses it with every reason, each with its place. References are kept as they are
//! written; [`crate::agent_bundle`] follows them. [`AgentCliMd::launch`] turns what somebody wishes (a mode, options, a
//! model) into arguments and variables. Nothing here starts or asks for anything.

mod capabilities;
mod consistency;
mod continuation;
mod example;
mod launch;
mod lifting;
mod manifest;
mod mode;
mod models;
mod option;
mod option_value;
mod rules;
mod session;
mod wire;
mod wish_error;

pub use capabilities::{Capabilities, Capability};
pub use continuation::{Continuation, KeyScope, PinnedSession, Strategy};
pub use example::AgentExample;
pub use launch::{Launch, Wishes};
pub use manifest::{AgentCliMd, load};
pub use mode::AgentMode;
pub use models::{AllowedModel, DescribedModel, Models};
pub use option::{AgentOption, OptionType};
pub use option_value::OptionValue;
pub use session::{SessionMode, SessionPolicy};
pub use wire::{McpServer, McpTransport, Protocol};
pub use wish_error::WishError;

pub(crate) use rules::{CAPABILITY, RULES};
