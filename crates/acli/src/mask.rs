//! What is not repeated: a command may hold a credential, and records, envelopes and errors are kept and shown.

use std::borrow::Cow;

/// Takes out of a text what must not be repeated.
pub trait Mask: Send + Sync {
    /// Returns the text without it; the text itself when there is nothing to take out.
    fn mask<'t>(&self, text: &'t str) -> Cow<'t, str>;
}
