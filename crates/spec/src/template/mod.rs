//! AIP-29, Args template: the words after a program, with placeholders for what a caller gives.
//!
//! ```text
//! word        = *( text / placeholder )
//! placeholder = "${" source *( "|" filter ) "}"
//! source      = "input" 1*( "." name ) / "context" 1*( "." name ) / "value"
//! filter      = "default(" ( 'text' / number / true / false / [] ) ")" / "json"
//!             / "optional(" 'option' ")" / "flag(" 'option' ")"
//! ```
//!
//! [`Template::parse`] reads the words and says what is wrong with each, with its place. [`Template::fill`] makes words
//! of it: literals stay as they are and in order, each value is one word whatever it holds, a list that is a whole word
//! is several. No value can become an option: one that starts with `-` is refused where a program could take it for
//! one. There is no shell and nothing is expanded twice. A secret cannot stand in a template at all.

mod fill;
mod fill_error;
mod model;
mod parse;
mod places;
mod template_error;
mod values;

pub use fill::{Filled, WordKind};
pub use fill_error::FillError;
pub use model::{Ending, Filter, Hole, Place, Source, Template};
pub use template_error::{Problem, TemplateError};
pub use values::Values;

pub(crate) use fill::{Piece, argument, checked_word, kind};
