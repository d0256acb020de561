//! What a command changes, estimated from its name, its description and its options.
//!
//! An estimate is a guess with its reasons. What nothing speaks of stays unknown, and of two readings the worse one
//! counts. Danger may be claimed on one word; that a command only reads is claimed when its name and its description
//! say so and nothing speaks against it, and even then policy runs it in the closed sandbox only.
//!
//! Words are general: no rule knows the name of a tool. Nothing here reads a file or starts a program.

mod class;
mod command;
mod evidence;
mod flag;
mod flag_words;
mod lemma;
mod metadata;
mod name;
mod sentence;
mod vocabulary;
mod words;

pub use class::Class;
pub use command::{Estimate, estimate};
pub use evidence::{Place, Reason};
pub use flag::{OptionEstimate, Role, estimate_option};
pub use metadata::{annotate, filler, page};

#[cfg(test)]
mod tests;
