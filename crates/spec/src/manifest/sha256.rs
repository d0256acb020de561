//! A SHA-256 that a manifest promises: 64 digits, and none that stand for "to be filled in".

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

use super::field::Field;
use crate::doc::Rule;
use crate::doc::fields::Complaints;

/// The digest of nothing: somebody hashed an empty file.
const OF_NOTHING: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
/// The fewest different digits of a digest that was computed. Fewer than eight happen once in 10^14.
const FEWEST: usize = 8;

pub(crate) const PLACEHOLDER: Rule = Rule {
    id: "manifest/placeholder-hash",
    summary: "a hash that nobody computed",
    why: "Whatever is downloaded would be refused; or, worse, somebody would remove the check.",
};

/// Digits in lower case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Sha256Text(String);

impl Sha256Text {
    /// Returns the digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn is_digest(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Whether digits look typed and not computed: few different ones, or a piece that repeats.
fn is_typed(text: &str) -> bool {
    let mut digits: Vec<u8> = text.bytes().collect();
    let repeats = |length: usize| {
        let (first, rest) = digits.split_at(length.min(digits.len()));
        rest.chunks(length).all(|piece| first.starts_with(piece))
    };
    let repeated = [1, 2, 4, 8, 16, 32].into_iter().any(repeats);
    digits.sort_unstable();
    digits.dedup();
    repeated || digits.len() < FEWEST || text == OF_NOTHING
}

impl JsonSchema for Sha256Text {
    fn schema_name() -> Cow<'static, str> {
        "Sha256Text".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "pattern": "^[a-f0-9]{64}$"})
    }

    fn inline_schema() -> bool {
        true
    }
}

impl Field<'_> {
    /// Reads a digest.
    pub(crate) fn sha256(&self, out: &mut Complaints) -> Option<Sha256Text> {
        let text = self.text(out)?;
        let hint = "download the file, compute its SHA-256 (sha256sum FILE) and write that";
        let odd = text.chars().any(|c| "…<>.*?".contains(c)) || text.to_ascii_lowercase().contains("todo");
        if odd || (is_digest(&text) && is_typed(&text)) {
            let what = format!(
                "expected the SHA-256 of the file, got the placeholder {}",
                crate::doc::fields::came(self.node)
            );
            out.push(self.refuse(PLACEHOLDER, what).hint(hint));
            return None;
        }
        if !is_digest(&text) {
            out.push(self.expected("64 hexadecimal digits in lower case").hint(hint));
            return None;
        }
        Some(Sha256Text(text.value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_digests_are_told_from_computed_ones() {
        let check = |text: &str, want: bool| assert_eq!(is_typed(text), want, "{text}");
        check(&"0".repeat(64), true);
        check(&"deadbeef".repeat(8), true);
        check(&"0123456789abcdef".repeat(4), true);
        check(&"abc123".repeat(11).chars().take(64).collect::<String>(), true);
        check(OF_NOTHING, true);
        check(
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            false,
        );
        check(
            "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            false,
        );
    }
}
