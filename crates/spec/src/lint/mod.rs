//! Whether a file is well made: what its format wants, and what makes it good, consistent and safe to hand to an agent.
//!
//! [`lint`] finds out what kind of file it is, reads it as the rest of argrail does (so whatever that complains about
//! is said here, too), and then asks every rule. A rule is a pure function over the document; each family is a file in
//! `rules/` with a table that names its rules. [`fix`] makes the changes that need no thought.

mod findings;
mod fix;
mod kind;
mod manifest;
mod rules;
mod run;
mod view;

pub use fix::{apply, fix};
pub use kind::FileKind;
pub use manifest::{BundleFile, lint_agent, lint_bundle};
pub use rules::{rules, speaks_to_a_model};
pub use run::{Outcome, Strictness, lint};
