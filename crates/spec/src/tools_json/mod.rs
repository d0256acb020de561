//! `tools.json`: tools that take JSON on standard input and print one line of JSON.
//!
//! [`load`] reads a manifest and refuses it with the draft's own words; [`ArgumentCheck`] holds the arguments of a call
//! against a tool's schema before anything is started; [`metadata`] is the same tool in the words of ATIP, with an option
//! for each property and `--json` for all of them at once; [`input`] is what such a command line means on standard input.
//!
//! The text of a schema is kept as it was written: whoever exports it, exports those bytes.

mod argument_check;
mod argument_error;
mod decode;
mod env_names;
mod expense;
mod export;
mod input;
mod lint;
mod manifest;
mod manifest_error;
mod metadata;
mod program_path;
mod result_line;
mod written;

pub use argument_check::{ArgumentCheck, SchemaError};
pub use argument_error::ArgumentError;
pub use decode::{decode, load};
pub use env_names::{EnvNameError, env_names};
pub use export::{openai, openai_text};
pub use input::input;
pub use manifest::{Manifest, Schema, ToolSpec};
pub use manifest_error::ManifestError;
pub use metadata::{JSON_OPTION, KEY, metadata};
pub use program_path::{Program, ProgramError, program};
pub use result_line::{ResultError, failure_line, result_line};
pub use written::{Written, written};

pub(crate) use lint::{RULES, complaints};
