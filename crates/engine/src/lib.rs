//! From an agent's request to an audited answer.
//!
//! [`catalog`] knows every tool, [`call`] is the path of one call, [`policy`] decides without touching anything,
//! [`profile`] turns effects into a sandbox, [`run`] starts and watches, [`output`] makes data of bytes, [`audit`] keeps
//! the record. [`Door`] is the one way in.
//!
//! Never prints and never reads the process environment or argv: both arrive as arguments.

#![forbid(unsafe_code)]

pub mod audit;
pub mod call;
pub mod catalog;
pub mod config;
pub mod consent;
mod door;
mod extension;
pub mod files;
pub mod notify;
pub mod output;
pub mod places;
pub mod policy;
pub mod profile;
pub mod ready;
pub mod recent;
pub mod refusal;
pub mod run;
pub mod store;
pub mod tools_json;

pub use door::{Door, roots};
pub use extension::Stock;
pub use ready::entry::define_cli;
/// The name that the draft gives it in every language.
pub use ready::entry::define_cli as defineCli;
