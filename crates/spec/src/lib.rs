//! What a tool says it is: every metadata and manifest format, with checks, differences and exports.
//!
//! [`doc`] reads text into nodes that know their place; each format decodes from those, so every complaint can point
//! at a line and a column. [`atip`] is the metadata of one tool, [`registry`] the index of many and what is remembered of
//! each, [`mcp_tools`] what a server of MCP offers, [`tools_json`] what a manifest of tools offers, [`trust`] what a person has accepted, [`config`] what a person has
//! set, [`cli_md`], [`tool_md`], [`secrets_md`], [`intent_md`], [`driver_md`], [`runner_block`] and [`sandbox_block`] the Markdown manifests of a CLI
//! bundle and [`bundle`] all of them together, [`agent_cli_md`] and [`acp_md`] those of an agent that is a program and [`agent_bundle`] its whole folder, [`export`] what model providers are told, [`help`] what texts about a program say it can do, [`secret_places`] where credentials are kept, [`lint`] what is wrong with a file, [`diff`] what changed.
//!
//! Text goes in, values come out: nothing here touches a file, a process, a socket, the environment or a clock.
//! Everything that is read is taken to be written by an attacker: size, depth and number of nodes are bounded.

#![forbid(unsafe_code)]

pub mod acp_md;
pub mod agent_bundle;
pub mod agent_cli_md;
pub mod atip;
pub mod bundle;
pub mod bundle_writer;
pub mod cli_md;
pub mod config;
mod declare;
pub mod diff;
pub mod digest;
pub mod doc;
pub mod driver_md;
pub mod export;
pub mod help;
pub mod identity;
pub mod intent_md;
pub mod lint;
pub mod manifest;
pub mod mcp_tools;
mod record;
pub mod registry;
pub mod runner_block;
pub mod sandbox_block;
mod schema;
pub mod secret_places;
pub mod secrets_md;
pub mod template;
pub mod tool_md;
pub mod tools_json;
pub mod trust;

pub use schema::schema;
