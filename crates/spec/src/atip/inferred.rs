//! Which words were read off a program's own texts and checked by nobody.

use argrail_acli::Wording;

use super::model::{Extra, Metadata};

/// The key that says where something was read.
const MARK: &str = "x-inferred";

/// Returns who answers for what a description says: nobody, if all of it was inferred.
pub fn wording(metadata: &Metadata) -> Wording {
    let source = metadata.trust.as_ref().and_then(|trust| trust.source.as_deref());
    if source == Some("inferred") {
        Wording::Unchecked
    } else {
        wording_of(&metadata.extra)
    }
}

/// Returns who answers for what is said about one command, option or argument, by its other fields.
pub fn wording_of(extra: &Extra) -> Wording {
    if extra.contains_key(MARK) {
        Wording::Unchecked
    } else {
        Wording::Checked
    }
}
