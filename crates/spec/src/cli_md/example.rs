//! AIP-29 `examples`: what people use the program for, and how.

use crate::declare::{Prose, manifest};
use crate::doc::Spanned;

manifest! {
    /// One use of the program.
    pub struct Example closed {
        /// What it is good for.
        need goal: Spanned<String> as Prose<1, 2000>,
        /// What is typed. For reading: it is never run.
        need cmd: Spanned<String> as Prose<1, 2000>,
        /// What else is worth knowing.
        may note: Option<Spanned<String>> as Prose<1, 2000>,
    }
}
