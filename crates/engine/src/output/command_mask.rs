//! Commands without the credentials that stand in them: for the record, questions, the envelope and errors.
//!
//! The one mask for everything of a call that is written down or told. A value that is known is told by its name
//! (`[secret:GITHUB_TOKEN]`), so that whoever decides sees which secret stands there.

use std::borrow::Cow;
use std::ops::Range;

use argrail_acli::Mask;
use serde_json::Value;

use crate::output::{Hidden, Mark, REDACTED, Secrets, Sought, joined, marked};

/// Masks values that are known, what looks like a credential, and what follows a flag that takes one.
#[derive(Debug, Clone)]
pub struct CommandMask(Secrets);

/// Without one of these there is nothing that the patterns of outputs could find.
const SIGNS: [&str; 14] = [
    "gh",
    "github_pat_",
    "glpat-",
    "AKIA",
    "AIza",
    "xox",
    "sk-",
    "earer",
    "uthorization",
    "-----BEGIN",
    "eyJ",
    "://",
    "asic",
    "oken",
];

/// Flags whose value is a credential.
const FLAGS: [&str; 12] = [
    "--password",
    "--passwd",
    "--pass",
    "--token",
    "--secret",
    "--api-key",
    "--apikey",
    "--access-token",
    "--auth-token",
    "--bearer-token",
    "--oauth2-bearer",
    "--client-secret",
];
/// Flags whose value is `NAME:CREDENTIAL`.
const USERS: [&str; 4] = ["-u", "--user", "-U", "--proxy-user"];

impl Mask for CommandMask {
    fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        shown(text, [flags(text), self.hidden(text)])
    }

    fn mask_text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        shown(text, [self.hidden(text), Vec::new()])
    }

    fn mask_known<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.0.without(text, Sought::Known)
    }

    fn knows_any_in(&self, text: &str) -> bool {
        self.0.knows_any_in(text)
    }
}

impl CommandMask {
    /// Masks these values beside what looks like a credential.
    pub fn new(secrets: Secrets) -> Self {
        Self(secrets)
    }

    /// Returns the values that it knows.
    pub fn secrets(&self) -> &Secrets {
        &self.0
    }

    /// Returns words without credentials: by flags and patterns as in a line, and without the values that are known.
    pub(crate) fn words(&self, words: &[String]) -> Vec<String> {
        let mut before = "";
        let mut masked = Vec::with_capacity(words.len());
        for (word, known) in words.iter().zip(self.known(words)) {
            let (flag, attached) = match word.split_once('=') {
                Some((flag, value)) => (flag, Some(value)),
                None => (word.as_str(), None),
            };
            let of_flag = match attached {
                _ if takes_secret(before) => hidden(before, word, 0),
                Some(value) if takes_secret(flag) => hidden(flag, value, flag.len() + 1),
                Some(_) | None => None,
            };
            masked.push(match (of_flag, without_fields(word)) {
                (None, Cow::Owned(bare)) => self.mask_text(&bare).into_owned(),
                (None, Cow::Borrowed(word)) => shown(word, [known, self.hidden(word)]).into_owned(),
                (Some(value), _) => shown(word, [known, vec![value]]).into_owned(),
            });
            // A value is no flag, whatever it looks like.
            before = if takes_secret(before) { "" } else { word };
        }
        masked
    }

    /// Returns words without the values that are known, and with all else.
    pub(crate) fn known_words(&self, words: &[String]) -> Vec<String> {
        let known = words.iter().zip(self.known(words));
        known.map(|(word, known)| marked(word, &known)).collect()
    }

    /// What of a text is known, or looks like a credential.
    fn hidden(&self, text: &str) -> Vec<Hidden> {
        let is_quoted = || text.contains(['\'', '"', '\\']);
        if self.0.is_empty() && !SIGNS.iter().any(|sign| text.contains(sign)) && !is_quoted() {
            return Vec::new();
        }
        self.0.hidden(text, Sought::Everything)
    }

    /// Where known values stand in each of the words: one with blanks in it may stand in several.
    fn known(&self, words: &[String]) -> Vec<Vec<Hidden>> {
        let mut each = vec![Vec::new(); words.len()];
        if self.0.is_empty() {
            return each;
        }
        let mut start = 0;
        let spans: Vec<Range<usize>> = words
            .iter()
            .map(|word| {
                let span = start..start + word.len();
                start = span.end + 1;
                span
            })
            .collect();
        for part in self.0.hidden(&words.join(" "), Sought::Known) {
            for (span, hidden) in spans.iter().zip(&mut each) {
                let range = part.range.start.max(span.start)..part.range.end.min(span.end);
                if range.start < range.end {
                    hidden.push(Hidden {
                        range: range.start - span.start..range.end - span.start,
                        mark: part.mark.clone(),
                    });
                }
            }
        }
        each
    }
}

/// A text with marks in the places of these parts.
fn shown(text: &str, parts: [Vec<Hidden>; 2]) -> Cow<'_, str> {
    match parts.iter().all(Vec::is_empty) {
        true => Cow::Borrowed(text),
        false => Cow::Owned(marked(text, &joined(parts.concat()))),
    }
}

fn takes_secret(flag: &str) -> bool {
    FLAGS.contains(&flag) || USERS.contains(&flag)
}

/// An object of JSON without the values of its fields that take a credential; every other text as it is.
pub(crate) fn without_fields(text: &str) -> Cow<'_, str> {
    let object = text.trim_start().starts_with('{');
    let read = object.then(|| serde_json::from_str::<Value>(text).ok()).flatten();
    let Some(mut value) = read else {
        return Cow::Borrowed(text);
    };
    match hide_fields(&mut value) {
        0 => Cow::Borrowed(text),
        _ => Cow::Owned(value.to_string()),
    }
}

/// Hides the values of fields that are called like a flag for credentials; returns how many.
fn hide_fields(value: &mut Value) -> usize {
    let is_secret = |name: &str| {
        let flag = format!("--{}", name.to_ascii_lowercase().replace('_', "-"));
        FLAGS.contains(&flag.as_str())
    };
    match value {
        Value::Object(fields) => fields
            .iter_mut()
            .map(|(name, value)| match value {
                Value::String(_) | Value::Number(_) if is_secret(name) => {
                    *value = REDACTED.into();
                    1
                }
                other => hide_fields(other),
            })
            .sum(),
        Value::Array(items) => items.iter_mut().map(hide_fields).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// Finds the values of flags. Words are told apart by blanks and quotes alone: whoever reads a record wants to know
/// that there was a value, not how it was quoted.
fn flags(text: &str) -> Vec<Hidden> {
    let mut found = Vec::new();
    if !text.contains('-') {
        return found;
    }
    let mut words = Words { text, at: 0 };
    while let Some(span) = words.next() {
        let written = text.get(span.clone()).unwrap_or_default();
        let (flag, attached) = match written.split_once('=') {
            Some((flag, value)) => (flag, Some(value)),
            None => (written, None),
        };
        let flag = unquoted(flag);
        if !takes_secret(&flag) {
            continue;
        }
        match attached {
            Some(value) => found.extend(hidden(&flag, value, span.end - value.len())),
            None => {
                let value = words.next();
                let value = value.and_then(|span| hidden(&flag, text.get(span.clone())?, span.start));
                found.extend(value);
            }
        }
    }
    found
}

/// Hides the value of a flag, which begins at `start`; nothing if it is only a name.
fn hidden(flag: &str, value: &str, start: usize) -> Option<Hidden> {
    let mark = match value.split_once(':') {
        Some((user, _)) if USERS.contains(&flag) => {
            Mark::Behind(format!("{}:", user.trim_matches(['\'', '"'])))
        }
        None if USERS.contains(&flag) => return None,
        Some(_) | None => Mark::Unnamed,
    };
    let range = start..start + value.len();
    (!range.is_empty()).then_some(Hidden { range, mark })
}

/// A word as a shell reads it.
fn unquoted(word: &str) -> Cow<'_, str> {
    match word.contains(['\'', '"', '\\']) {
        true => Cow::Owned(word.replace(['\'', '"', '\\'], "")),
        false => Cow::Borrowed(word),
    }
}

/// The words of a text, one after the other; a quoted part belongs to its word.
struct Words<'t> {
    text: &'t str,
    at: usize,
}

impl Iterator for Words<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.text.get(self.at..)?;
        let start = self.at + rest.find(|c: char| !c.is_whitespace())?;
        let mut quote = None;
        for (at, c) in self.text.get(start..)?.char_indices() {
            match (quote, c) {
                (None, '\'' | '"') => quote = Some(c),
                (Some(open), c) if open == c => quote = None,
                (None, c) if c.is_whitespace() => {
                    self.at = start + at;
                    return Some(start..self.at);
                }
                (None | Some(_), _) => {}
            }
        }
        self.at = self.text.len();
        Some(start..self.at)
    }
}

/// The most bytes of words that a record repeats. The hash is over all of them.
const MAX_TOLD_BYTES: usize = 16 * 1024;

/// As many words as fit, and how many do not.
pub(crate) fn bounded_words(words: Vec<String>) -> Vec<String> {
    let mut room = MAX_TOLD_BYTES;
    let whole = words.len();
    let mut kept: Vec<String> = Vec::new();
    for word in words {
        let Some(left) = room.checked_sub(word.len() + 1) else {
            kept.push(format!("[{} more words]", whole - kept.len()));
            break;
        };
        room = left;
        kept.push(word);
    }
    kept
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn credentials_are_not_repeated() {
        let mask = CommandMask::new(Secrets::none());
        let check = |text: &str, want: &str| assert_eq!(mask.mask(text), want);
        check("git log -n 3", "git log -n 3");
        check(
            "curl -u user:hunter2 http://a.test/",
            "curl -u user:[redacted] http://a.test/",
        );
        check("curl --user=me:x -s", "curl --user=me:[redacted] -s");
        check("x --token 'a b' -v", "x --token [redacted] -v");
        check("x --password=s3cret", "x --password=[redacted]");
        check("sort -u f", "sort -u f");
        check("x --token", "x --token");
        let token = format!("ghp_{}", "a1".repeat(18));
        assert!(!mask.mask(&format!("echo {token}")).contains(&token));
        let header = "curl -H 'Authorization: Bearer abcdef123456' http://a.test/";
        assert!(!mask.mask(header).contains("abcdef123456"));
        check("x --pass\"word\" 'a b' c", "x --pass\"word\" [redacted] c");
        check("x '--token'=abc -v", "x '--token'=[redacted] -v");
    }

    #[test]
    fn words_are_masked_one_by_one() {
        let words = |text: &[&str]| -> Vec<String> { text.iter().map(|word| (*word).to_owned()).collect() };
        let check = |given: &[&str], want: &[&str]| {
            let mask = CommandMask::new(Secrets::named([
                ("DB", "hunter2-known"),
                ("PHRASE", "four plain words here"),
            ]));
            assert_eq!(mask.words(&words(given)), words(want));
        };
        check(&["git", "log", "-n", "3"], &["git", "log", "-n", "3"]);
        check(
            &["x", "--token", "a b", "-v"],
            &["x", "--token", "[redacted]", "-v"],
        );
        check(&["x", "--password=s=t"], &["x", "--password=[redacted]"]);
        check(
            &["x", "--token", "--token", "y"],
            &["x", "--token", "[redacted]", "y"],
        );
        check(
            &["curl", "-u", "me:x y", "u"],
            &["curl", "-u", "me:[redacted]", "u"],
        );
        check(&["x", "a=hunter2-known"], &["x", "a=[secret:DB]"]);
        check(
            &["x", "--token", "hunter2-known"],
            &["x", "--token", "[secret:DB]"],
        );
        check(&["x", "--token=hunter2-known+"], &["x", "--token=[secret:DB]"]);
        check(&["x", "-u", "me:hunter2-known"], &["x", "-u", "[secret:DB]"]);
        check(
            &["sh", "-c", "echo hun''ter2-known"],
            &["sh", "-c", "echo [secret:DB]"],
        );
        check(
            &["x", "four", "plain", "words", "here", "and"],
            &[
                "x",
                "[secret:PHRASE]",
                "[secret:PHRASE]",
                "[secret:PHRASE]",
                "[secret:PHRASE]",
                "and",
            ],
        );
        check(
            &["s", r#"{"to":"a","auth":[{"api_key":"k1"}],"Password":7}"#],
            &[
                "s",
                r#"{"to":"a","auth":[{"api_key":"[redacted]"}],"Password":"[redacted]"}"#,
            ],
        );
        check(&["s", r#"{ "to": "a" }"#], &["s", r#"{ "to": "a" }"#]);
        check(&["s", "{not json"], &["s", "{not json"]);
    }

    proptest! {
        #[test]
        fn any_text_is_answered_and_a_text_without_flags_stays(text in "[ a-z'\"=-]{0,40}") {
            let mask = CommandMask::new(Secrets::none());
            let masked = mask.mask(&text);
            if !text.contains('-') {
                prop_assert_eq!(masked, text.as_str());
            }
        }
    }

    #[test]
    fn a_record_repeats_only_so_many_words() {
        let short = vec!["a".to_owned(), "b".to_owned()];
        assert_eq!(bounded_words(short.clone()), short);
        let long = vec!["x".repeat(MAX_TOLD_BYTES / 2); 4];
        let kept = bounded_words(long);
        assert_eq!((kept.len(), kept.last().unwrap().as_str()), (2, "[3 more words]"));
    }
}
