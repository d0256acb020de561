//! What there is and how to call it (ACLI §6): `help`, `schema`, `version`.
//!
//! The point of one tool instead of a hundred is a small context, so no answer here floods one: lists are
//! paged by size, and text from definitions is folded to one line and cut.

mod find;
mod help;
mod notice;
mod page;
mod schema;
mod version;
mod view;

pub(crate) use find::find;
pub(crate) use help::help;
pub use notice::UNCHECKED;
pub(crate) use schema::schema;
pub(crate) use version::{names, version};
pub(crate) use view::View;

/// The version of the draft that is answered for.
pub(crate) const ACLI_VERSION: &str = "0.1.0";
