//! Tool definitions for model providers, made from metadata, and the way back: a provider's tool call as argv.
//!
//! Every command that can be called becomes one function. Its name depends on nothing but the tool and the path, so it
//! is the same tomorrow and beside any other tools; its description ends in a line of ours that says what it changes,
//! as far as anybody claims; its parameters are those of the command and of everything above it. What would mislead
//! or break a provider's rules is left out and noted.
//!
//! Each provider is one file: the shape of a definition, what names it allows, and the shape of a call. Adding one is
//! such a file and a line in [`Format`].

mod anthropic;
mod atip;
mod call;
mod definition;
mod describe;
mod format;
mod gemini;
mod given_schema;
mod mcp;
mod names;
mod openai;
mod parameter;
mod prose;
mod provider;
mod schema;
mod shape;
mod strict;
mod tools;

pub use call::{Error, ProviderCall, answer, argv, each_argv};
pub use format::{Format, Strictness};
pub use provider::FailedCall;
pub use tools::{Export, Note, Target, export};

pub(crate) use parameter::{Parameter, Source, parameters};
pub(crate) use prose::line;
pub(crate) use schema::object as input_schema;
pub(crate) use shape::{Count, One};
