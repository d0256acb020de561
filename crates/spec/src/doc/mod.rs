//! One spanned document: JSON and YAML as nodes with positions, under limits, with one kind of complaint for every format.

mod diagnostic;
pub mod fields;
mod front_matter;
mod limits;
mod node;
mod place;
mod pointer;
mod read;
pub mod report;
mod rule;
mod spanned;
mod token;
mod yaml;

pub use diagnostic::{Diagnostic, Fix, Severity};
pub use front_matter::FrontMatter;
pub use limits::Limits;
pub use node::{Member, Node, Object, Span, Value};
pub use place::{Lines, Place, place};
pub use pointer::{is_at_or_below, pointer_step};
pub use read::Document;
pub use rule::Rule;
pub(crate) use rule::rules;
pub use spanned::Spanned;
