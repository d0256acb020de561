//! Small lenient readers of fields: what is not of the type that is looked for is not there.

use serde_json::Value;

/// Returns a text by its name.
pub(super) fn text_of<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    value.get(name).and_then(Value::as_str)
}

/// Returns the items of a list by its name; none when there is no list.
pub(super) fn items_of<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value
        .get(name)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// Returns the texts under `key` of all items of a list.
pub(super) fn texts_of<'v>(value: &'v Value, list: &str, key: &'v str) -> impl Iterator<Item = &'v str> {
    items_of(value, list)
        .iter()
        .filter_map(move |item| text_of(item, key))
}

/// Whether something is offered: `true`, or an object that may say more.
pub(super) fn is_offered(value: &Value, pointer: &str) -> bool {
    match value.pointer(pointer) {
        Some(Value::Bool(offered)) => *offered,
        Some(Value::Object(_)) => true,
        Some(Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_)) | None => false,
    }
}

/// Returns the first `most` characters.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    text.chars().take(most).collect()
}
