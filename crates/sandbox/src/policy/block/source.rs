//! What a mount shows (AIP-36): the word `workspace`, or a map with one key.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

/// What a mount shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// The workspace.
    Workspace,
    /// Storage that is described elsewhere.
    Ref,
    /// Storage that is described here.
    Inline,
    /// Storage that is described in a file.
    File,
}

impl Source {
    /// Returns how it is written.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Workspace => "workspace",
            Self::Ref => "ref",
            Self::Inline => "inline",
            Self::File => "file",
        }
    }
}

impl<'de> Deserialize<'de> for Source {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SourceVisitor)
    }
}

struct SourceVisitor;

impl<'de> Visitor<'de> for SourceVisitor {
    type Value = Source;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("\"workspace\", or a map with one of ref, inline and file")
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Source, E> {
        match word {
            "workspace" => Ok(Source::Workspace),
            other => Err(E::unknown_variant(other, &["workspace"])),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Source, A::Error> {
        let source = match map.next_key::<String>()?.as_deref() {
            Some("ref") => Source::Ref,
            Some("inline") => Source::Inline,
            Some("file") => Source::File,
            Some(other) => return Err(A::Error::unknown_field(other, &["ref", "inline", "file"])),
            None => return Err(A::Error::invalid_length(0, &self)),
        };
        // Nothing of it is used: storage cannot be resolved here.
        map.next_value::<IgnoredAny>()?;
        match map.next_key::<String>()? {
            Some(_) => Err(A::Error::invalid_length(2, &self)),
            None => Ok(source),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn sources_are_told_apart_and_errors_name_the_key() {
        fn check(value: Value, expected: Result<Source, &str>) {
            let result = serde_json::from_value::<Source>(value).map_err(|error| error.to_string());
            match (result, expected) {
                (Ok(source), Ok(expected)) => assert_eq!(source, expected),
                (Err(error), Err(expected)) => assert!(error.contains(expected), "{error}"),
                (result, expected) => panic!("{result:?} instead of {expected:?}"),
            }
        }
        check(json!("workspace"), Ok(Source::Workspace));
        check(json!({ "ref": "@a/b" }), Ok(Source::Ref));
        check(json!({ "inline": { "deep": [1] } }), Ok(Source::Inline));
        check(json!({ "file": "x" }), Ok(Source::File));
        check(json!("host"), Err("unknown variant `host`"));
        check(json!({ "url": 1 }), Err("unknown field `url`"));
        check(json!({ "file": 1, "ref": 2 }), Err("invalid length 2"));
        check(json!({}), Err("invalid length 0"));
        check(json!(1), Err("expected \"workspace\""));
    }
}
