//! ACLI: one MCP tool, a command string in, a teaching envelope out.
//!
//! An agent that has one tool called `cli` explores it with `help` instead of carrying a hundred tool
//! definitions in its context. This crate is that tool, for any MCP server: a tokenizer, a command model
//! with a builder, a router that answers typos with names, `help`, `schema` and `version`, the envelope with
//! its error codes, limits, guards and an audit record. It implements all of the ACLI draft 0.1 ("Full").
//!
//! ```
//! use std::sync::Arc;
//! use argrail_acli::{Arg, Caller, Cli, Command, Host, Kind, Request, mcp};
//! use serde_json::json;
//!
//! # fn serve(host: Arc<dyn Host>) -> Result<Cli, argrail_acli::DefinitionError> {
//! let events = Command::new("events", "List calendar events")
//!     .arg(Arg::flag("--today", "Today's events only"))
//!     .arg(Arg::option("--max", Kind::Integer, "Maximum number of events").short('n').default(10))
//!     .example("calendar events --today")
//!     .handler(|call| async move {
//!         let max: u64 = call.get("max")?;
//!         Ok(json!({"events": [], "max": max, "today": call.get::<bool>("today")?}))
//!     });
//! let cli = Cli::builder("my-calendar", "1.0.0", "Calendar for agents", host)
//!     .command(Command::new("calendar", "Manage calendar events").subcommand(events))
//!     .build()?;
//! # Ok(cli)
//! # }
//! ```
//!
//! `mcp::tool(&cli)` is the tool definition, `cli.call_tool(arguments, caller, progress).await` answers a
//! call, `mcp::result(envelope)` is what goes back. `examples/calendar.rs` is a complete server.
//!
//! The crate touches no file, process, socket, environment or clock: a [`Host`] does, and with the feature
//! `tokio` there is one ready-made.

#![forbid(unsafe_code)]

mod audit;
mod bind;
mod cli;
mod complete;
mod envelope;
mod error;
mod guard;
mod host;
mod mask;
pub mod mcp;
mod model;
mod nearest;
mod pause;
mod race;
mod rate;
mod record;
mod render;
mod reserved;
mod shell_syntax;
#[cfg(feature = "tokio")]
mod system;
#[cfg(test)]
mod testing;
mod text;
mod tokenize;

pub use audit::{AuditEntry, AuditSink, UserContext};
pub use bind::{ArgRef, BindError, Item, Scan, Surroundings, Values, scan};
pub use cli::{Cli, CliBuilder, Implementation, Request, UNCHECKED};
pub use complete::complete;
pub use envelope::{Answer, Envelope};
pub use error::{Code, Error};
pub use guard::Gate;
pub use host::{BoxFuture, Caller, Host, Progress, ProgressSink};
pub use mask::{KnownOnly, Mask, mask_fields, mask_json};
pub use model::{
    Abbreviations, Arg, Args, Call, Command, Context, Dashes, DateTime, DefinitionError, Exclusive,
    FromValue, Kind, Origin, Repeat, Scope, Style, Takes, Typed, Unknown, Wording,
};
pub use nearest::nearest;
pub use pause::Paused;
pub use rate::{Admitted, Bucket, Limited, RateLimit};
pub use render::render;
pub use shell_syntax::{
    ExpandedWord, Expansion, ShellSyntax, ShellSyntaxError, check_no_shell, expanded_words, expansion,
};
#[cfg(feature = "tokio")]
pub use system::TokioHost;
pub use text::{Text, is_invisible};
pub use tokenize::{Limits, Token, TokenizeError, join, quote, tokenize, tokens};
