//! Entry adapters: code of a bundle for what its manifest cannot say (AIP-29, `defineCli`).
//!
//! An entry is a program of the bundle, or a module (`cli.ts`, `cli.js`, `cli.mjs`) that node runs with our `defineCli`.
//! It gets one JSON object on its standard input and answers with one on its standard output, in a sandbox without
//! network, files or programs: it sees its own file, what runs it, and what it is told. Where it disagrees with the
//! manifest, the manifest wins and a [`Conflict`] is told. [`define_cli`] is the same contract for hosts in Rust.
//!
//! What an entry says is the word of whoever wrote the bundle: it is bounded and it is data.

mod conflict;
mod define_cli;
mod describe;
mod error;
mod find;
mod hooks;
mod parse_output;
mod request;
mod runtime;
mod sandbox;

pub use conflict::Conflict;
pub use define_cli::{CliDefinition, CliHandle, define_cli};
pub use describe::{Described, describe};
pub use error::EntryError;
pub use find::{Entry, Setting};
pub use hooks::{
    CliContext, DetectExpiryArgs, Expected, LoginArgs, LoginFailure, LoginResult, OutputFormat,
    ParseOutputArgs, ParseOutputError, ParseOutputResult, RefreshArgs, RefreshFailure, RefreshResult, Signal,
};
pub use parse_output::{detect_expiry, parse_output};
