//! Secrets inside data: what an escape hid in the text of a value shows when the value is read.

use serde_json::Value;

use super::redact::{Redactor, Secrets};

/// Removes secrets from every text of a value, names included.
pub(crate) fn mask(value: &mut Value, secrets: &Secrets) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
        Value::String(text) => {
            if let Some(clean) = cleaned(text, secrets) {
                *text = clean;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| mask(item, secrets)),
        Value::Object(fields) => {
            if fields.keys().any(|key| cleaned(key, secrets).is_some()) {
                *fields = std::mem::take(fields)
                    .into_iter()
                    .map(|(key, value)| (cleaned(&key, secrets).unwrap_or(key), value))
                    .collect();
            }
            fields.values_mut().for_each(|field| mask(field, secrets));
        }
    }
}

/// Returns a text without secrets, if it had any.
fn cleaned(text: &str, secrets: &Secrets) -> Option<String> {
    let clean = Redactor::whole(secrets, text.as_bytes());
    (clean != text.as_bytes()).then(|| String::from_utf8_lossy(&clean).into_owned())
}
