//! How much of a server's text is kept. What does not fit is left out whole; only prose is cut.

use serde_json::Value;

/// The most characters of one description.
const PROSE: usize = 4_000;
/// The most characters of one title, version or address.
pub(super) const WORD: usize = 300;
/// How deep a kept schema may be. Metadata is read again to a depth of 64, and a schema stands some steps inside it.
const DEPTH: usize = 24;

/// What one tool may still keep of its schemas, in bytes.
#[derive(Debug)]
pub(crate) struct Room {
    left: usize,
}

impl Room {
    /// Returns the room of one tool.
    pub(crate) const fn of_tool() -> Self {
        Self { left: 256 * 1024 }
    }

    /// Takes room for a value; says no when it is too large or too deep.
    pub(super) fn take(&mut self, value: &Value) -> bool {
        match measure(value, self.left) {
            Some(bytes) => {
                self.left -= bytes;
                true
            }
            None => false,
        }
    }

    /// Takes room for prose, which is cut when it is too long, and left out when there is no room for it.
    pub(crate) fn prose(&mut self, text: &str) -> String {
        let text = cut(text.trim(), PROSE);
        match text_bytes(&text) {
            bytes if bytes <= self.left => {
                self.left -= bytes;
                text
            }
            _ => String::new(),
        }
    }

    /// Takes room for all of these.
    pub(super) fn take_all(&mut self, values: &[Value]) -> bool {
        values.iter().all(|value| self.take(value))
    }
}

/// Returns about how many bytes a value has, unless that is more than `most` or it is too deep.
fn measure(value: &Value, most: usize) -> Option<usize> {
    let mut bytes = 0_usize;
    let mut open = vec![(value, 1)];
    while let Some((value, depth)) = open.pop() {
        bytes += match value {
            Value::Null | Value::Bool(_) => 5,
            Value::Number(_) => 24,
            Value::String(text) => text_bytes(text) + 3,
            Value::Array(items) => {
                open.extend(items.iter().map(|item| (item, depth + 1)));
                2
            }
            Value::Object(fields) => {
                open.extend(fields.values().map(|field| (field, depth + 1)));
                fields.keys().map(|key| key.len() + 4).sum::<usize>() + 2
            }
        };
        if bytes > most || depth > DEPTH {
            return None;
        }
    }
    Some(bytes)
}

/// Returns how many bytes a text has in JSON, at most: a control character is written in six.
fn text_bytes(text: &str) -> usize {
    text.len()
        + 5 * text
            .bytes()
            .filter(|byte| *byte < b' ' || matches!(byte, b'"' | b'\\'))
            .count()
}

/// Returns the first characters of a text, and says when there were more.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(depth: usize) -> Value {
        (0..depth).fold(Value::Null, |inner, _| Value::Array(vec![inner]))
    }

    #[test]
    fn what_is_too_large_or_too_deep_finds_no_room() {
        let check = |value: Value, want: bool| assert_eq!(Room::of_tool().take(&value), want);
        check(Value::Null, true);
        check(nested(DEPTH - 1), true);
        check(nested(DEPTH), false);
        check("x".repeat(200_000).into(), true);
        check("x".repeat(300_000).into(), false);
    }

    #[test]
    fn room_is_used_up() {
        let mut room = Room::of_tool();
        let half = Value::from("x".repeat(140_000));
        assert!(room.take(&half));
        assert!(room.take(&Value::Null));
        assert!(!room.take(&half));
    }

    #[test]
    fn prose_is_cut_between_characters() {
        assert_eq!(cut("größe", 3), "grö…");
        assert_eq!(cut("größe", 5), "größe");
    }
}
