//! Each format declared once: a field is one line, which says its key, its type and its shape.
//!
//! ```text
//! manifest! {
//!     /// What must be there before it runs.
//!     pub struct Needs closed {
//!         /// The language.
//!         may language: Option<Language>,
//!         /// Packages of npm.
//!         may npm: Vec<String> as List<Line<256>>,
//!     }
//! }
//! ```
//!
//! gives the struct, its decoder (every complaint, with its place and the nearest name), its serialiser and its JSON
//! schema. The type is what is kept, the shape is what is accepted: [`Decode`] of a shape holds the reader and the schema
//! side by side, so a constraint is written once. Rules about several fields stay functions, named in the declaration.

mod decode;
pub(crate) mod object;
mod shapes;
mod tagged;
mod words;

pub(crate) use decode::{ByName, Decode, List, Own, Set, own};
pub(crate) use object::{ObjectSchema, derived, described, joined, manifest, may, need, need_or_null, peek};
pub(crate) use shapes::*;
pub(crate) use tagged::{tagged, with_tag};
pub(crate) use words::{word_schema, words};
