//! A policy, or a part of one, that is not run: which part, why, and what to do about it.

use std::borrow::Cow;
use std::fmt;
use std::io;

/// Why nothing was started. Says everything that an error message needs to teach.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// The part of the policy: `fs.write[1]`, `exec.spawn[0]`, `limits.memory`; or `host` for the machine.
    pub field: String,
    /// What stands there, as it was written.
    pub pattern: String,
    /// Why it cannot be held. Our own words; foreign text only in quotes.
    pub reason: String,
    /// The kernel feature that is missing, when that is the cause: `user namespaces`, `landlock`.
    pub missing: Option<&'static str>,
    /// What to change.
    pub fix: Fix,
}

/// What to do about something that is missing, in words that only the host can finish: this crate does not know what the
/// program is called, nor by which command it shows what [`probe`](crate::probe()) finds. So it is no text by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix(Box<FixText>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct FixText {
    /// With `{}` for each value, `{program}` and `{probe}` for the host's words. It is made of constants, so that no
    /// foreign text is read for such places.
    template: Cow<'static, str>,
    values: Vec<String>,
}

/// How a host speaks of itself where it tells people what to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostWords<'w> {
    /// What the program is called: `argrail`.
    pub program: &'w str,
    /// What shows the result of [`probe`](crate::probe()): `'argrail doctor'`, with quotes if it wants them.
    pub probe: &'w str,
}

impl Default for HostWords<'_> {
    /// Words for a host that has none of its own.
    fn default() -> Self {
        Self {
            program: "this program",
            probe: "argrail_sandbox::probe()",
        }
    }
}

impl Fix {
    /// Says what to do, with the host's words in the places of `{program}` and `{probe}`.
    pub(crate) fn new(template: &'static str) -> Self {
        Self(Box::new(FixText {
            template: Cow::Borrowed(template),
            values: Vec::new(),
        }))
    }

    /// Adds a sentence.
    pub(crate) fn then(mut self, template: &'static str) -> Self {
        self.0.template = format!("{}. {template}", self.0.template).into();
        self
    }

    /// Fills the next `{}`.
    pub(crate) fn value(mut self, value: impl Into<String>) -> Self {
        self.0.values.push(value.into());
        self
    }

    /// Returns whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.worded(HostWords::default()).is_empty()
    }

    /// Returns what to do, in the host's words.
    pub fn worded(&self, words: HostWords<'_>) -> String {
        let mut values = self.0.values.iter();
        let mut worded = String::new();
        let mut rest = &*self.0.template;
        while let Some((before, place, after)) = next_place(rest) {
            worded.push_str(before);
            worded.push_str(match place {
                "program" => words.program,
                "probe" => words.probe,
                _ => values.next().map_or("", String::as_str),
            });
            rest = after;
        }
        worded.push_str(rest);
        worded
    }
}

/// Splits a template at its first place: what comes before, the name in the braces, what comes after.
fn next_place(template: &str) -> Option<(&str, &str, &str)> {
    let (before, from) = template.split_once('{')?;
    let (place, after) = from.split_once('}')?;
    Some((before, place, after))
}

impl From<String> for Fix {
    fn from(text: String) -> Self {
        Self::new("{}").value(text)
    }
}

impl From<&str> for Fix {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

impl Refusal {
    /// The pattern of a refusal because the host may open no more files.
    pub const OWN_OPEN_FILES: &'static str = "open files of this process";

    /// Makes a refusal of one field.
    pub fn new(
        field: impl Into<String>,
        pattern: impl Into<String>,
        reason: impl Into<String>,
        fix: impl Into<Fix>,
    ) -> Self {
        Self {
            field: field.into(),
            pattern: pattern.into(),
            reason: reason.into(),
            missing: None,
            fix: fix.into(),
        }
    }

    /// Returns the refusal for a host that ran out of something just then, if that is what an error says: the file that
    /// was to be opened has nothing to do with it.
    pub fn exhausted(error: &io::Error) -> Option<Self> {
        let (what, fix) = match error.raw_os_error()? {
            libc::EMFILE => (
                Self::OWN_OPEN_FILES,
                "Raise the limit of open files ('ulimit -n'), or try again when fewer calls run at once",
            ),
            libc::ENFILE => ("open files of the machine", "Try again when fewer files are open"),
            libc::ENOMEM => ("memory", "Try again when more memory is free"),
            _ => return None,
        };
        Some(Self::new(
            "host",
            what,
            format!("nothing is left of it: {error}"),
            fix,
        ))
    }

    /// Names the kernel feature whose absence is the cause.
    #[must_use]
    pub fn missing(mut self, feature: &'static str) -> Self {
        self.missing = Some(feature);
        self
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {:?}: {}", self.field, self.pattern, self.reason)?;
        match self.missing {
            Some(feature) => write!(out, " (missing: {feature})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Refusal {}

/// How much of an entry a refusal shows, in characters.
const MAX_SHOWN_CHARS: usize = 256;

/// Refuses `text`, which stands in `field` of a policy: as it was written, but never more of it than a person reads.
pub(crate) fn refuse(field: &str, text: &str, reason: impl Into<String>, fix: impl Into<Fix>) -> Refusal {
    Refusal::new(field, cut_for_message(text), reason, fix)
}

/// Returns the start of `text`, with a mark if there is more.
fn cut_for_message(text: &str) -> String {
    let mut rest = text.chars();
    let mut shown: String = rest.by_ref().take(MAX_SHOWN_CHARS).collect();
    if rest.next().is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fix_is_told_in_the_words_of_the_host() {
        let words = HostWords {
            program: "argrail",
            probe: "'argrail doctor'",
        };
        let check = |fix: Fix, ours: &str, neutral: &str| {
            assert_eq!(fix.worded(words), ours);
            assert_eq!(fix.worded(HostWords::default()), neutral);
        };
        check(
            Fix::new("Start {program} in {}, or run {probe}").value("{program}"),
            "Start argrail in {program}, or run 'argrail doctor'",
            "Start this program in {program}, or run argrail_sandbox::probe()",
        );
        // What somebody wrote is text, whatever it looks like.
        check(
            "write {probe} or {a,b}".into(),
            "write {probe} or {a,b}",
            "write {probe} or {a,b}",
        );
        check(
            Fix::new("One").then("Two {program}"),
            "One. Two argrail",
            "One. Two this program",
        );
        assert!(Fix::from("").is_empty() && !Fix::new("{program}").is_empty());
    }

    #[test]
    fn a_long_entry_is_cut() {
        assert_eq!(cut_for_message("a"), "a");
        assert_eq!(
            cut_for_message(&"é".repeat(MAX_SHOWN_CHARS)).chars().count(),
            MAX_SHOWN_CHARS
        );
        assert_eq!(
            cut_for_message(&"é".repeat(100_000)).chars().count(),
            MAX_SHOWN_CHARS + 1
        );
    }
}
