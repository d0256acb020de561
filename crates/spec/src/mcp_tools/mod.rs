//! The tools of an MCP server as the commands of one tool (ATIP §3.4.1, step 5).
//!
//! Each entry of `tools/list` becomes a command, each property of its `inputSchema` an option `--name VALUE`. An
//! option whose value is no plain word takes JSON text and says so with `x-json`.
//!
//! [`arguments`] is the way back: what a command line means to the server.
//!
//! What a server says of itself is a claim: an annotation that is absent leaves the effect unknown, and none is read
//! as saying more than it does. Names, sizes and depth are bounded; what is left out is said.

mod annotations;
mod arguments;
mod command;
mod list_word;
mod name;
mod option;
mod option_name;
mod reference;
mod room;
mod schema;
mod server;

pub use arguments::{ArgumentError, arguments, tool_name};
pub(crate) use command::options;
pub(crate) use list_word::{list_items, list_word};
pub(crate) use option::{JSON_LIST, JSON_TEXT, WHOLE};
pub(crate) use option_name::add_dashed;
pub use option_name::option_name;
pub(crate) use room::Room;
pub use server::{MOST_TOOLS, metadata};
