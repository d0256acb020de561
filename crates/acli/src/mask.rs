//! What is not repeated: a command may hold a credential, and records, envelopes and errors are kept and shown.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Map, Value};

/// Takes out of a text what must not be repeated.
pub trait Mask: Send + Sync {
    /// Returns a command, or a part of one, without it; the text itself when there is nothing to take out.
    fn mask<'t>(&self, text: &'t str) -> Cow<'t, str>;

    /// The same for a text that is no command.
    fn mask_text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.mask(text)
    }

    /// The same without what only looks like it: for facts, in which nothing else may be hidden.
    fn mask_known<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.mask_text(text)
    }

    /// Whether [`mask_known`](Self::mask_known) would take anything out of a text, or of a text in JSON that was written.
    fn knows_any_in(&self, text: &str) -> bool {
        matches!(self.mask_known(text), Cow::Owned(_))
    }

    /// Returns what is not repeated of calls of a command, by its name, where more of it is known than of all.
    fn of_command(&self, name: &str) -> Option<Arc<dyn Mask>> {
        let _ = name;
        None
    }
}

/// A mask that takes out what is known and nothing that only looks like it.
pub struct KnownOnly<'m>(pub &'m dyn Mask);

impl Mask for KnownOnly<'_> {
    fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.0.mask_known(text)
    }
}

/// Takes it out of every text of a value, names included.
pub fn mask_json(mask: &dyn Mask, value: &mut Value) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
        Value::String(text) => {
            if let Cow::Owned(masked) = mask.mask_text(text) {
                *text = masked;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| mask_json(mask, item)),
        Value::Object(fields) => mask_fields(mask, fields),
    }
}

/// Takes it out of every text of an object, names included.
pub fn mask_fields(mask: &dyn Mask, fields: &mut Map<String, Value>) {
    if fields
        .keys()
        .any(|name| matches!(mask.mask_text(name), Cow::Owned(_)))
    {
        *fields = std::mem::take(fields)
            .into_iter()
            .map(|(name, value)| (mask.mask_text(&name).into_owned(), value))
            .collect();
    }
    fields.values_mut().for_each(|field| mask_json(mask, field));
}
