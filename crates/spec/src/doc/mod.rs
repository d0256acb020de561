//! One spanned document: JSON as nodes with positions, under limits, with one kind of complaint for every format.

mod diagnostic;
pub mod fields;
mod node;

pub use diagnostic::{Diagnostic, Fix, Severity};
pub use node::{Member, Node, Object, Span, Value};
