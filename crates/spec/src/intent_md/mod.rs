//! AIP-28 `INTENT.md`: what a user wants, in the user's words, and which tool does it.
//!
//! [`IntentMd::route`] picks the implementation for an input: the first whose `when` fits, else the default.

mod input_field;
mod local_text;
mod manifest;
mod rules;
mod when;

pub use input_field::{Choice, InputField, InputKind, NamedChoice};
pub use local_text::{LocalText, Phrases};
pub use manifest::{
    Experiment, Implementation, IntentExample, IntentMd, Mapped, MappedFrom, OutputKind, Outputs, Scope,
    Surface, Target, load,
};
pub use when::{Predicate, Test, When};

pub(crate) use rules::RULES;
