//! Ranges of versions as npm writes them, and versions as programs print them.

use std::borrow::Cow;

use nodejs_semver::{Range, Version};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use super::field::Field;
use crate::doc::fields::Complaints;

/// The longest range that is read.
const LONGEST: usize = 256;
/// A major version that no program has: what takes it takes all.
const FARTHEST: u64 = 1_000_000;

/// A range such as `>=2.40 <3`.
#[derive(Debug, Clone)]
pub struct VersionRange {
    text: String,
    range: Range,
}

/// A text is no range of versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a range of versions such as \">=2.40 <3\"")]
pub struct NotARange;

impl VersionRange {
    /// Reads a range.
    ///
    /// # Errors
    /// When npm would not read it.
    pub fn parse(text: &str) -> Result<Self, NotARange> {
        if text.len() > LONGEST || text.trim().is_empty() {
            return Err(NotARange);
        }
        let range = Range::parse(text).map_err(|_| NotARange)?;
        Ok(Self {
            text: text.to_owned(),
            range,
        })
    }

    /// Returns it as it is written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether a version that a program printed lies in it; `None` if that is no version.
    pub fn contains(&self, printed: &str) -> Option<bool> {
        let version = coerce(printed)?;
        Some(version.satisfies(&self.range))
    }

    /// Returns the major versions that this range takes and `other` does not. Of those without end, one is named.
    pub fn majors_beyond(&self, other: &Self) -> Vec<u64> {
        let both = format!("{} {}", self.text, other.text);
        let named = both.split(|c: char| !c.is_ascii_digit());
        let named = named.filter_map(|digits| digits.parse::<u64>().ok());
        let mut candidates: Vec<u64> = named
            .filter(|major| *major < FARTHEST)
            .flat_map(|major| [major.saturating_sub(1), major, major + 1])
            .chain([0, FARTHEST])
            .collect();
        candidates.sort_unstable();
        candidates.dedup();
        candidates.retain(|major| self.takes_major(*major) && !other.takes_major(*major));
        candidates
    }

    fn takes_major(&self, major: u64) -> bool {
        let all = Range::parse(format!(">={major}.0.0 <{}.0.0", major + 1));
        all.is_ok_and(|all| self.range.allows_any(&all))
    }
}

impl PartialEq for VersionRange {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Serialize for VersionRange {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl JsonSchema for VersionRange {
    fn schema_name() -> Cow<'static, str> {
        "VersionRange".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A range of versions as npm writes it.",
            "type": "string",
            "minLength": 1,
            "maxLength": LONGEST,
            "pattern": r"^[^\u0000]*$",
        })
    }
}

/// Returns the version that a program printed: `2.40`, `v2.40.1`, `4.4.1.2` and `2.40.1-1ubuntu2` are versions, too.
///
/// One that is a version by the book stays what it is, pre-releases included; of anything else the first three numbers
/// count.
fn coerce(printed: &str) -> Option<Version> {
    let text = printed.trim().strip_prefix(['v', 'V']).unwrap_or(printed.trim());
    let text = text.get(..text.len().min(LONGEST)).unwrap_or_default();
    if let Ok(version) = Version::parse(text)
        && is_prerelease_of_people(&version)
    {
        return Some(version);
    }
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let numbers = text
        .get(start..)?
        .split(|c: char| !c.is_ascii_digit() && c != '.')
        .next()?;
    let mut parts = numbers.split('.').map(|part| part.get(..part.len().min(15)));
    let mut next = || match parts.next().flatten() {
        Some(part) => part.parse::<u64>().unwrap_or_default(),
        None => 0,
    };
    let (major, minor, patch) = (next(), next(), next());
    Version::parse(format!("{major}.{minor}.{patch}")).ok()
}

/// Whether what follows the numbers is nothing, or a word that people use for what comes before a release. A packager's
/// `-1ubuntu2` comes after it.
fn is_prerelease_of_people(version: &Version) -> bool {
    let words = [
        "alpha", "beta", "rc", "pre", "preview", "dev", "next", "canary", "nightly", "snapshot",
    ];
    let first = version.pre_release().first().map(ToString::to_string);
    first.is_none_or(|first| {
        let first = first.to_ascii_lowercase();
        words.iter().any(|word| first.starts_with(word))
    })
}

impl Field<'_> {
    /// Reads a range of versions.
    pub(crate) fn range(&self, out: &mut Complaints) -> Option<VersionRange> {
        let text = self.text(out)?;
        let range = VersionRange::parse(&text);
        if range.is_err() {
            let hint = "write comparisons with spaces between them, '||' between alternatives";
            out.push(
                self.expected("a range of versions such as \">=2.40 <3\"")
                    .hint(hint),
            );
        }
        range.ok()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn majors_are_those_that_a_range_takes() {
        let check = |new: &str, old: &str, want: &[u64]| {
            let [new, old] = [new, old].map(|text| VersionRange::parse(text).unwrap());
            assert_eq!(new.majors_beyond(&old), want, "{new:?} {old:?}");
        };
        check(">=2.40 <3", ">=2.30 <3", &[]);
        check(">=2.40 <4", ">=2.40 <3", &[3]);
        check("^2 || ^4", "^2", &[4]);
        check(">=2", ">=2 <3", &[3, 4, FARTHEST]);
        check("^1.2", ">=1", &[]);
        check("*", "^2", &[0, 1, 3, FARTHEST]);
        check("~2.40.1", "2.40.x", &[]);
    }

    #[test]
    fn ranges_are_those_of_npm() {
        for text in [
            ">=2.40 <3",
            "^1.2",
            "~1.2.3",
            "1.x",
            "*",
            "1 || 2",
            ">=4.4",
            "1.0.0 - 2.0.0",
        ] {
            assert!(VersionRange::parse(text).is_ok(), "{text}");
        }
        for text in ["", " ", "latest-ish banana", ">>1", "≥2"] {
            assert!(VersionRange::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn versions_are_taken_as_they_are_printed() {
        let check = |printed: &str, want: Option<&str>| {
            assert_eq!(
                coerce(printed).map(|one| one.to_string()).as_deref(),
                want,
                "{printed}"
            );
        };
        check("2.40.1", Some("2.40.1"));
        check("v2.40", Some("2.40.0"));
        check("4.4.1.2", Some("4.4.1"));
        check("2.40.1-1ubuntu2", Some("2.40.1"));
        check("3.0.0-rc.1", Some("3.0.0-rc.1"));
        check("n6.1.1-2", Some("6.1.1"));
        check("14", Some("14.0.0"));
        check("none", None);
        check("", None);
    }

    #[test]
    fn a_version_lies_in_its_range() {
        let range = VersionRange::parse(">=2.40 <3").unwrap();
        let check =
            |printed: &str, want: Option<bool>| assert_eq!(range.contains(printed), want, "{printed}");
        check("2.40", Some(true));
        check("2.39.9", Some(false));
        check("3.0.0", Some(false));
        check("2.45.1-1ubuntu1", Some(true));
        check("x", None);
    }

    proptest! {
        #[test]
        fn any_text_is_a_range_or_none(range in ".{0,40}", printed in ".{0,40}") {
            if let Ok(range) = VersionRange::parse(&range) {
                let _ = range.contains(&printed);
            }
        }
    }
}
