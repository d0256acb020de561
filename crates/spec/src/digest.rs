//! SHA-256 digests, written `sha256:` and 64 hexadecimal digits as ATIP §3.5.2 writes checksums.
//!
//! Two digests are equal when their bytes are; another algorithm or another spelling is refused where it is read.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use sha2::{Digest as _, Sha256};

const PREFIX: &str = "sha256:";

/// The digest of some bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest([u8; 32]);

/// A text that is no digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected \"sha256:\" and 64 lower-case hexadecimal digits")]
pub struct DigestError;

/// Digests bytes that come piece by piece.
#[derive(Debug, Clone, Default)]
pub struct Hasher(Sha256);

impl Digest {
    /// Returns the digest of `bytes`.
    pub fn of(bytes: impl AsRef<[u8]>) -> Self {
        Self(Sha256::digest(bytes.as_ref()).into())
    }

    /// Returns the digits alone, without the name of the algorithm.
    pub fn hex(self) -> String {
        self.to_string().split_off(PREFIX.len())
    }
}

impl Hasher {
    /// Adds the next bytes.
    pub fn update(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.update(bytes.as_ref());
    }

    /// Adds a field of a larger whole: its length first, so that no two lists of fields read the same.
    pub fn field(&mut self, bytes: impl AsRef<[u8]>) {
        let bytes = bytes.as_ref();
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.0.update(length.to_be_bytes());
        self.0.update(bytes);
    }

    /// Returns the digest of all that was added.
    pub fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

/// Digests named fields of a larger whole: each with its name and its length, so that no two lists of fields read the same.
#[derive(Debug, Clone, Default)]
pub struct FieldHasher(Hasher);

impl FieldHasher {
    /// Adds a field.
    pub fn put(&mut self, name: &str, value: impl AsRef<[u8]>) {
        self.0.field(name);
        self.0.field(value);
    }

    /// Adds a list, with how many there are.
    pub fn list<'v>(&mut self, name: &str, values: impl ExactSizeIterator<Item = &'v [u8]>) {
        self.put(name, values.len().to_string());
        for value in values {
            self.0.field(value);
        }
    }

    /// Returns the digest of all that was added.
    pub fn finish(self) -> Digest {
        self.0.finish()
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(PREFIX)?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Digest {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Self, DigestError> {
        let digits = text.strip_prefix(PREFIX).ok_or(DigestError)?.as_bytes();
        let mut bytes = [0; 32];
        if digits.len() != 2 * bytes.len() {
            return Err(DigestError);
        }
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let mut pair = pair.iter().map(|digit| hexadecimal(*digit));
            let (high, low) = (pair.next().flatten(), pair.next().flatten());
            *byte = high
                .zip(low)
                .map(|(high, low)| high << 4 | low)
                .ok_or(DigestError)?;
        }
        Ok(Self(bytes))
    }
}

fn hexadecimal(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for Digest {
    fn schema_name() -> Cow<'static, str> {
        "Digest".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A SHA-256 digest",
            "type": "string",
            "pattern": "^sha256:[0-9a-f]{64}$",
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn digests_are_written_as_the_draft_writes_them() {
        let abc = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Digest::of("abc").to_string(), abc);
        assert_eq!(abc.parse(), Ok(Digest::of("abc")));
        let mut pieces = Hasher::default();
        pieces.update("a");
        pieces.update("bc");
        assert_eq!(pieces.finish(), Digest::of("abc"));
    }

    #[test]
    fn what_is_no_digest_is_refused() {
        let check = |text: &str| assert_eq!(text.parse::<Digest>(), Err(DigestError), "{text}");
        check("");
        check("sha256:");
        check(&format!("md5:{}", "0".repeat(64)));
        check(&format!("sha256:{}", "0".repeat(63)));
        check(&format!("sha256:{}", "0".repeat(65)));
        check(&format!("sha256:{}", "A".repeat(64)));
        check(&format!("sha256:{}", "é".repeat(32)));
    }

    #[test]
    fn fields_do_not_run_into_each_other() {
        let of = |fields: &[&str]| {
            let mut hasher = Hasher::default();
            fields.iter().for_each(|field| hasher.field(field));
            hasher.finish()
        };
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["a"]), of(&["a", ""]));
    }

    proptest! {
        #[test]
        fn any_text_is_a_digest_or_refused(text in "(sha256:)?[0-9a-fA-F\u{e9}]{60,66}") {
            if let Ok(digest) = text.parse::<Digest>() {
                prop_assert_eq!(digest.to_string(), text);
            }
        }
    }
}
