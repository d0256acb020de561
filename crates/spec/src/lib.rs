//! What a tool says it is: every metadata and manifest format, with checks, differences and exports.
//!
//! [`doc`] reads text into nodes that know their place; each format decodes from those, so every complaint can point
//! at a line and a column. [`atip`] is the metadata of one tool, [`mcp_tools`] what a server of MCP offers as such.
//!
//! Text goes in, values come out: nothing here touches a file, a process, a socket, the environment or a clock.
//! Everything that is read is taken to be written by an attacker: size, depth and number of nodes are bounded.

#![forbid(unsafe_code)]

pub mod atip;
pub mod doc;
pub mod mcp_tools;
