//! The one command model: what the builder makes, and what every other description of a tool is read into.
//!
//! `help`, `schema`, completion and binding all read it; nothing else in the program models a command line.

mod arg;
mod call;
mod command;
pub(crate) mod convert;
mod define;
mod kind;
mod style;
mod value;
mod wording;

pub use arg::{Arg, Repeat, Scope, Takes};
pub use call::{Call, Context};
pub(crate) use command::{Builtin, Handler, path_text};
pub use command::{Command, Exclusive};
pub use define::DefinitionError;
pub(crate) use define::{RESERVED, check_tree};
pub use kind::Kind;
pub use style::{Abbreviations, Dashes, Style, Unknown};
pub(crate) use value::Entry;
pub use value::{Args, DateTime, FromValue, Origin, Typed};
pub use wording::Wording;
