//! The canonical form of a record (RFC 8785): one text for one value, so that a hash means the same to every reader.
//!
//! Keys in the order of their UTF-16 units, no blanks, the fewest escapes. Numbers are whole and within what every
//! reader of JSON keeps exactly: the rest of RFC 8785 is about writing floating point, and a record has none.

use std::cmp::Ordering;
use std::io;

use serde_json::{Map, Value};

/// The largest number that is the same in every reader of JSON.
pub(super) const SAFE: u64 = (1 << 53) - 1;

/// A value that has no canonical form here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the number {0} is not whole, or too large for a record")]
pub(super) struct NotWhole(pub String);

/// Appends the canonical form of `value`.
///
/// # Errors
/// When a number in it is not whole, or is larger than 2^53 - 1.
pub(super) fn write(out: &mut Vec<u8>, value: &Value) -> Result<(), NotWhole> {
    match value {
        Value::Null => out.extend_from_slice(b"null"),
        Value::Bool(true) => out.extend_from_slice(b"true"),
        Value::Bool(false) => out.extend_from_slice(b"false"),
        Value::Number(number) => {
            let whole = number.as_i64().map(i64::unsigned_abs).or(number.as_u64());
            if whole.is_none_or(|whole| whole > SAFE) {
                return Err(NotWhole(number.to_string()));
            }
            out.extend_from_slice(number.to_string().as_bytes());
        }
        Value::String(text) => string(out, text),
        Value::Array(items) => {
            out.push(b'[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(b',');
                }
                write(out, item)?;
            }
            out.push(b']');
        }
        Value::Object(fields) => object(out, fields)?,
    }
    Ok(())
}

/// Appends the canonical form of an object.
///
/// # Errors
/// As [`write`].
pub(super) fn object(out: &mut Vec<u8>, fields: &Map<String, Value>) -> Result<(), NotWhole> {
    let mut sorted: Vec<(&String, &Value)> = fields.iter().collect();
    sorted.sort_unstable_by(|(a, _), (b, _)| order(a, b));
    out.push(b'{');
    for (at, (key, value)) in sorted.into_iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        string(out, key);
        out.push(b':');
        write(out, value)?;
    }
    out.push(b'}');
    Ok(())
}

/// The order of keys: by UTF-16 units, which is not that of characters beyond the first plane.
pub(super) fn order(a: &str, b: &str) -> Ordering {
    if a.is_ascii() && b.is_ascii() {
        return a.cmp(b);
    }
    a.encode_utf16().cmp(b.encode_utf16())
}

/// Our JSON library writes strings as RFC 8785 wants them: two-letter escapes where there are some, `\u00xx` in lower
/// case for the other control characters, and everything else as it is.
pub(super) fn string(out: &mut Vec<u8>, text: &str) {
    let written: io::Result<()> = serde_json::to_writer(&mut *out, text).map_err(io::Error::from);
    debug_assert!(written.is_ok(), "memory takes every byte");
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn text(value: &Value) -> Result<String, NotWhole> {
        let mut out = Vec::new();
        write(&mut out, value)?;
        Ok(String::from_utf8(out).unwrap())
    }

    #[test]
    fn the_examples_of_the_rfc_are_written_as_it_says() {
        let check = |value: &Value, want: &str| assert_eq!(text(value).unwrap(), want);
        // RFC 8785 §3.2.3: the order of keys.
        let keys = json!({
            "\u{20ac}": "Euro Sign", "\r": "Carriage Return", "\u{fb33}": "Hebrew Letter Dalet With Dagesh",
            "1": "One", "\u{1f600}": "Emoji: Grinning Face", "\u{80}": "Control",
            "\u{f6}": "Latin Small Letter O With Diaeresis",
        });
        check(
            &keys,
            "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u{80}\":\"Control\",\
             \"\u{f6}\":\"Latin Small Letter O With Diaeresis\",\"\u{20ac}\":\"Euro Sign\",\
             \"\u{1f600}\":\"Emoji: Grinning Face\",\"\u{fb33}\":\"Hebrew Letter Dalet With Dagesh\"}",
        );
        // §3.2.2: literals and strings.
        check(
            &json!({"string": "\u{20ac}$\u{f}\nA'B\"\\\\\"/", "literals": [null, true, false]}),
            "{\"literals\":[null,true,false],\"string\":\"\u{20ac}$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}",
        );
        check(
            &json!("\u{8}\t\n\u{c}\r\u{1f}\u{7f}"),
            "\"\\b\\t\\n\\f\\r\\u001f\u{7f}\"",
        );
        check(
            &json!([0, -1, 9_007_199_254_740_991_i64]),
            "[0,-1,9007199254740991]",
        );
    }

    #[test]
    fn a_number_that_readers_would_not_agree_on_is_refused() {
        for value in [
            json!(0.5),
            json!(1e3),
            json!(9_007_199_254_740_992_u64),
            json!(i64::MIN),
        ] {
            assert!(text(&json!({"a": [value]})).is_err());
        }
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::Bool),
            (-9_007_199_254_740_991_i64..=9_007_199_254_740_991).prop_map(Value::from),
            any::<String>().prop_map(Value::String),
        ];
        leaf.prop_recursive(3, 24, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::Array),
                prop::collection::vec((any::<String>(), inner), 0..5)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back_and_is_written_the_same(value in values()) {
            let once = text(&value).unwrap();
            let read: Value = serde_json::from_str(&once).unwrap();
            prop_assert_eq!(&read, &value);
            prop_assert_eq!(text(&read).unwrap(), once);
        }

        #[test]
        fn the_order_in_which_fields_were_put_in_does_not_matter(
            fields in prop::collection::btree_map(any::<String>(), any::<u32>(), 0..8)
        ) {
            let forwards: Map<String, Value> = fields.iter().map(|(k, v)| (k.clone(), json!(v))).collect();
            let backwards = fields.iter().rev().map(|(k, v)| (k.clone(), json!(v))).collect();
            prop_assert_eq!(text(&Value::Object(forwards)).unwrap(), text(&Value::Object(backwards)).unwrap());
        }
    }
}
