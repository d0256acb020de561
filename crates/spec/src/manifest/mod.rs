//! What the Markdown manifests have in common: front matter that is read field by field, strictly.
//!
//! Objects are closed: a field that nobody knows is an error with the nearest known name, as is one that is missing, of
//! another type or of another shape. `x-…` fields and `metadata` are open. Every complaint has its place, also inside of
//! a text. What is decoded keeps places ([`Spanned`](crate::doc::Spanned)), so that whoever has the files can point at
//! what does not fit them.
//!
//! References are kept as they are written and only checked to be ones; nothing is looked up here.

mod closed;
mod command_line;
mod composable;
mod field;
mod iso_duration;
mod load;
mod path;
mod range;
mod reference;
mod rules;
mod sha256;
mod shell;
mod url;
mod version;
mod version_pattern;

pub use command_line::CommandLine;
pub use composable::Composable;
pub use iso_duration::{IsoDuration, NotADuration};
pub use load::{Loaded, Refused};
pub use range::{NotARange, VersionRange};
pub use reference::{Reference, ReferenceError};
pub use sha256::Sha256Text;
pub use version::ManifestVersion;
pub use version_pattern::{BadPattern, VersionPattern};

pub(crate) use closed::Closed;
pub(crate) use command_line::command_line;
pub(crate) use field::{Field, MAX_ITEMS, part_of};
pub(crate) use load::{decoded, load};
pub(crate) use rules::{MISPLACED, REFERENCE, RULES, SHELL, TWICE, TYPE, VALUE};
pub(crate) use sha256::PLACEHOLDER;
pub(crate) use shell::is_operator;
pub(crate) use url::{Holes, MAX_URL_CHARS, Traffic, judge_plain_http, url};
