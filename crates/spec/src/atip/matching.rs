//! A regular expression out of a description: foreign text, so it is compiled late, in bounds, and run in bounds.

use std::sync::OnceLock;

use fancy_regex::{Regex, RegexBuilder};

/// The longest expression that is compiled.
const LONGEST: usize = 1_000;
/// The most memory of one compiled expression.
const LARGEST: usize = 1 << 20;
/// The most steps back that one match may take.
const STEPS: usize = 100_000;
/// The longest text that is looked at; of a longer one nothing is known.
const LONGEST_TEXT: usize = 64 * 1024;

/// A regular expression that is compiled when it is first asked.
#[derive(Debug)]
pub(crate) struct Matching {
    text: String,
    compiled: OnceLock<Option<Regex>>,
}

impl Matching {
    pub(crate) fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            compiled: OnceLock::new(),
        }
    }

    /// Whether some part of `text` matches. `None`: the expression is broken, or the answer would cost too much.
    pub(crate) fn is_match(&self, text: &str) -> Option<bool> {
        if text.len() > LONGEST_TEXT {
            return None;
        }
        self.compiled()?.is_match(text).ok()
    }

    /// Whether it can never be asked.
    pub(crate) fn is_broken(&self) -> bool {
        self.compiled().is_none()
    }

    fn compiled(&self) -> Option<&Regex> {
        self.compiled.get_or_init(|| compile(&self.text)).as_ref()
    }
}

/// Whether a text can never be asked as a regular expression.
pub(crate) fn is_broken_expression(text: &str) -> bool {
    compile(text).is_none()
}

fn compile(text: &str) -> Option<Regex> {
    if text.chars().count() > LONGEST {
        return None;
    }
    RegexBuilder::new(text)
        .backtrack_limit(STEPS)
        .delegate_size_limit(LARGEST)
        .delegate_dfa_size_limit(LARGEST)
        .build()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_told_is_not_guessed() {
        let check = |pattern: &str, text: &str, want: Option<bool>| {
            assert_eq!(Matching::new(pattern).is_match(text), want, "{pattern}");
        };
        check("^a", "ab", Some(true));
        check("^a", "ba", Some(false));
        check("(?=x)x", "x", Some(true));
        check("(", "x", None);
        check(&"a".repeat(LONGEST + 1), "a", None);
        check("(?:\\w{100}){100}", "a", None);
        check("^(?:(?=a)a+)+(?<!b)$", &format!("{}b", "a".repeat(60)), None);
        check("a", &"b".repeat(LONGEST_TEXT + 1), None);
    }
}
