//! One call of a tool, from words to an answer.
//!
//! `attempt` is the whole path on one screen. Each stage takes what the one before returned: a child
//! is started from an approved call, and only [`policy`](crate::policy) approves. MCP, `call`, `run` and `repl` all end
//! here; [`explain`] stops before anything is started.

mod act;
mod ask;
mod attempt;
mod bundle;
mod bundle_entry;
mod bundle_ready;
mod claimants;
mod delivery;
mod egress;
mod explain;
mod facts;
mod git_remotes;
mod grantable;
mod intent;
mod judge;
mod manifest;
mod origins;
mod outcome;
mod plan;
mod program;
mod secrets;
mod server;
mod shop;
mod tidy;
mod tool;
mod tree;
mod written_out;

pub use act::{Act, Agreement, Change, Deed, FileAct, Reached, Stdin, Step, Whose, change, excerpt};
pub use delivery::{OnStart, Passthrough, Reader, Streams, Words};
pub use explain::{Explained, explain};
pub use git_remotes::{RemoteHosts, remote_hosts};
pub use secrets::{KnownSecrets, NamedSecret};
pub use shop::{Shop, Surroundings, Wait};
pub(crate) use tree::{described, undescribed};
#[cfg(test)]
pub(crate) use written_out::unnamed;
