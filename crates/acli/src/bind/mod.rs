//! Words to values: which command, which options, which values, checked in the command's own style.
//!
//! Two steps, so that a guard can stand between them: [`scan`] finds the command and reads the words by
//! its grammar, [`Scan::bind`] gives them types. The words themselves are never rewritten.

mod error;
mod lookup;
mod path;
mod place;
mod scan;
mod values;

pub use error::BindError;
pub use scan::{ArgRef, Item, Scan, Values, scan};
pub use values::Surroundings;
