//! The regular expression that finds a version in what a program prints.
//!
//! ECMAScript, compiled within bounds: what needs too many steps for a text finds nothing. `[^]` and `\cA` are not read.

use std::borrow::Cow;

use fancy_regex::{Regex, RegexBuilder};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use super::field::Field;
use super::rules::VALUE;
use crate::doc::fields::Complaints;

/// The longest expression that is read.
const LONGEST: usize = 1024;
/// The most steps over one text.
const MOST_STEPS: usize = 100_000;
/// The largest expression, compiled.
const LARGEST: usize = 1 << 20;

/// An expression with a group.
#[derive(Debug, Clone)]
pub struct VersionPattern {
    text: String,
    regex: Regex,
}

/// Why a text is no such expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadPattern {
    /// It is too long, or too large when compiled, or none at all.
    #[error("expected a regular expression of ECMAScript")]
    NotRegular,
    /// Nothing in it is in parentheses.
    #[error("expected a capture group around the version")]
    NoGroup,
}

impl VersionPattern {
    /// Compiles an expression.
    ///
    /// # Errors
    /// When it cannot be compiled within bounds, or has no group.
    pub fn parse(text: &str) -> Result<Self, BadPattern> {
        if text.len() > LONGEST {
            return Err(BadPattern::NotRegular);
        }
        let regex = RegexBuilder::new(text)
            .backtrack_limit(MOST_STEPS)
            .delegate_size_limit(LARGEST)
            .build()
            .map_err(|_| BadPattern::NotRegular)?;
        if regex.captures_len() < 2 {
            return Err(BadPattern::NoGroup);
        }
        Ok(Self {
            text: text.to_owned(),
            regex,
        })
    }

    /// Returns the first group of the first match, if there is one within the limit of steps.
    pub fn find<'t>(&self, printed: &'t str) -> Option<&'t str> {
        let captures = self.regex.captures(printed).ok().flatten()?;
        captures.get(1).map(|group| group.as_str())
    }

    /// Returns it as it is written.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl PartialEq for VersionPattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Serialize for VersionPattern {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl JsonSchema for VersionPattern {
    fn schema_name() -> Cow<'static, str> {
        "VersionPattern".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A regular expression whose first group is the version.",
            "type": "string",
            "format": "regex",
            "pattern": r"\(",
            "maxLength": LONGEST,
        })
    }
}

impl Field<'_> {
    /// Reads the expression that finds a version.
    pub(crate) fn version_pattern(&self, out: &mut Complaints) -> Option<VersionPattern> {
        let text = self.text(out)?;
        match VersionPattern::parse(&text) {
            Ok(pattern) => Some(pattern),
            Err(why) => {
                let what = format!("{why}, got {}", crate::doc::fields::came(self.node));
                let hint = match why {
                    BadPattern::NotRegular => {
                        "write an expression such as 'gh version (\\S+)', in single quotes"
                    }
                    BadPattern::NoGroup => "put the part that is the version in parentheses: (\\S+)",
                };
                out.push(self.refuse(VALUE, what).hint(hint));
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_group_is_the_version() {
        let check = |pattern: &str, printed: &str, want: Option<&str>| {
            assert_eq!(
                VersionPattern::parse(pattern).unwrap().find(printed),
                want,
                "{pattern}"
            );
        };
        check(
            r"gh version (\S+)",
            "gh version 2.40.0 (2023-12-07)",
            Some("2.40.0"),
        );
        check(r"(?<=v)(\d+\.\d+)", "tool v1.2", Some("1.2"));
        check(r"jq-(\S+)", "other", None);
        check(r"x(y)?", "x", None);
    }

    #[test]
    fn what_is_no_expression_is_refused() {
        let check = |pattern: &str, want: BadPattern| {
            assert_eq!(VersionPattern::parse(pattern).err(), Some(want), "{pattern}");
        };
        check("(", BadPattern::NotRegular);
        check("[^]", BadPattern::NotRegular);
        check(r"v\d+", BadPattern::NoGroup);
        check("(?:v)", BadPattern::NoGroup);
        check(&"(a)".repeat(1000), BadPattern::NotRegular);
    }

    #[test]
    fn an_expression_that_takes_for_ever_finds_nothing() {
        for text in [
            r"(?=(a+a+)+b)(x)",
            "(a{1000}{1000}{1000})",
            "((((a{1,99}){1,99}){1,99}){1,99})b",
        ] {
            let found = VersionPattern::parse(text).ok();
            let printed = "a".repeat(5_000);
            assert_eq!(
                found.as_ref().and_then(|pattern| pattern.find(&printed)),
                None,
                "{text}"
            );
        }
    }
}
