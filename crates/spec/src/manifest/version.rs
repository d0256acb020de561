//! The version of a manifest: three numbers, perhaps more behind them. Its first number is part of the identity.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

use super::field::Field;
use crate::doc::Spanned;
use crate::doc::fields::Complaints;

/// The pattern that every draft of the family has.
const PATTERN: &str = r"^\d+\.\d+\.\d+(?:[-+][\w.\-]+)?$";

/// A version such as `1.0.0` or `2.1.0-rc.1`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct ManifestVersion(String);

impl ManifestVersion {
    /// Reads a version.
    pub fn parse(text: &str) -> Option<Self> {
        let end = text.find(['-', '+']).unwrap_or(text.len());
        let (numbers, rest) = text.split_at_checked(end)?;
        let parts: Vec<&str> = numbers.split('.').collect();
        let is_number =
            |part: &&str| (1..=9).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        let more = rest.strip_prefix(['-', '+']);
        let is_more = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
        let fits = parts.len() == 3
            && parts.iter().all(is_number)
            && text.len() <= 256
            && more.is_none_or(|more| !more.is_empty() && more.chars().all(is_more));
        fits.then(|| Self(text.to_owned()))
    }

    /// Returns the first number.
    pub fn major(&self) -> u64 {
        let first = self.0.split('.').next().unwrap_or_default();
        first.parse().unwrap_or_default()
    }

    /// Returns it as it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for ManifestVersion {
    fn default() -> Self {
        Self("0.0.0".to_owned())
    }
}

impl fmt::Display for ManifestVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl JsonSchema for ManifestVersion {
    fn schema_name() -> Cow<'static, str> {
        "ManifestVersion".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "pattern": PATTERN, "maxLength": 256})
    }

    fn inline_schema() -> bool {
        true
    }
}

impl Field<'_> {
    pub(crate) fn version(&self, out: &mut Complaints) -> Option<Spanned<ManifestVersion>> {
        let text = self.text(out)?;
        let version = ManifestVersion::parse(&text);
        if version.is_none() {
            out.push(
                self.expected("a version such as \"1.0.0\"")
                    .hint("write three numbers with dots between them"),
            );
        }
        version.map(|version| Spanned::new(version, self.span()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_three_numbers() {
        let check = |text: &str, major: Option<u64>| {
            let version = ManifestVersion::parse(text);
            assert_eq!(version.map(|version| version.major()), major, "{text}");
        };
        check("1.0.0", Some(1));
        check("12.3.4-rc.1", Some(12));
        check("0.1.0+build_5", Some(0));
        for text in [
            "",
            "1",
            "1.0",
            "1.0.0.0",
            "v1.0.0",
            "1.0.0-",
            "1.0.x",
            "1.0.0 ",
            "1.0.0-é",
            "1..0",
            "9999999999.0.0",
        ] {
            check(text, None);
        }
    }
}
