//! Secrets in a text that is there as a whole, such as a command: each is told by its name.
//!
//! A word of a command may be quoted in parts (`gh''p_…`), so that the text does not hold the secret that the word is.
//! So it is looked for in the text as it stands, and in the text without its quotes.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::forms::is_quoting;
use super::redactor::{REDACTED, Redactor};
use super::secrets::{Hit, Secrets};

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sought {
    /// Values that are known.
    Known,
    /// Those, and what looks like a key.
    Everything,
}

/// A part of a text that must not be shown, and what stands in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hidden {
    pub(crate) range: Range<usize>,
    pub(crate) mark: Mark,
}

/// What stands in the place of a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Mark {
    /// `[redacted]`.
    Unnamed,
    /// The same behind what may be shown of it: `user:[redacted]`.
    Behind(String),
    /// `[secret:GITHUB_TOKEN]`: whoever decides sees that one stands there, and which.
    Named(Vec<Arc<str>>),
}

impl Secrets {
    /// Returns the parts of a text that must not be shown, in order, none touching another.
    pub(crate) fn hidden(&self, text: &str, sought: Sought) -> Vec<Hidden> {
        let mut found = Vec::new();
        if self.is_empty() && sought == Sought::Known {
            return found;
        }
        self.look(text.as_bytes(), sought, &mut found, |at| at);
        if text.bytes().any(is_quoting) {
            let (mut bare, mut places) = (Vec::new(), Vec::new());
            for (at, byte) in text.bytes().enumerate().filter(|(_, byte)| !is_quoting(*byte)) {
                bare.push(byte);
                places.push(at);
            }
            let place = |at: usize| places.get(at).copied().unwrap_or(text.len());
            self.look(&bare, sought, &mut found, place);
        }
        for hidden in &mut found {
            hidden.range = characters(text, hidden.range.clone());
        }
        joined(found)
    }

    /// Returns a text without secrets, each with its mark in its place; the text itself if it has none.
    pub(crate) fn without<'t>(&self, text: &'t str, sought: Sought) -> Cow<'t, str> {
        let hidden = self.hidden(text, sought);
        match hidden.is_empty() {
            true => Cow::Borrowed(text),
            false => Cow::Owned(marked(text, &hidden)),
        }
    }

    /// `place` says where a byte of what is looked at stands in the text.
    fn look(&self, text: &[u8], sought: Sought, found: &mut Vec<Hidden>, place: impl Fn(usize) -> usize) {
        let mut put = |part: Range<usize>, name: Option<usize>| {
            let name = name.and_then(|at| self.name(at));
            if let Some(last) = part.end.checked_sub(1) {
                found.push(Hidden {
                    range: place(part.start)..place(last) + 1,
                    mark: name.map_or(Mark::Unnamed, |name| Mark::Named(vec![Arc::clone(name)])),
                });
            }
        };
        if !self.works() {
            return put(0..text.len(), None);
        }
        if !self.is_empty() {
            let mut search = self.search();
            self.scan(&mut search, text, |end, hit| match hit {
                Hit::Known(length, name) => put(end.saturating_sub(length)..end, name),
                Hit::Head(..) => {}
            });
        }
        match sought {
            Sought::Known => {}
            Sought::Everything => Redactor::parts(self, text)
                .into_iter()
                .for_each(|part| put(part, None)),
        }
    }
}

/// Returns a text with marks in the places of what is hidden, which is in order.
pub(crate) fn marked(text: &str, hidden: &[Hidden]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for Hidden { range, mark } in hidden {
        out.push_str(text.get(at..range.start).unwrap_or_default());
        match mark {
            Mark::Unnamed => out.push_str(REDACTED),
            Mark::Behind(shown) => out.push_str(&format!("{shown}{REDACTED}")),
            Mark::Named(names) => out.push_str(&format!("[secret:{}]", names.join(","))),
        }
        at = range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// Puts parts in order and makes one of those that touch. A name says more than none.
pub(crate) fn joined(mut parts: Vec<Hidden>) -> Vec<Hidden> {
    parts.sort_by_key(|part| (part.range.start, part.range.end));
    let mut joined: Vec<Hidden> = Vec::with_capacity(parts.len());
    for part in parts {
        match joined.last_mut() {
            Some(last) if part.range.start <= last.range.end => last.take(part),
            Some(_) | None => joined.push(part),
        }
    }
    joined
}

impl Hidden {
    /// Goes on with a part that begins in it or right behind it.
    fn take(&mut self, part: Self) {
        let is_inside = part.range.end <= self.range.end;
        let is_around = part.range.start == self.range.start && !is_inside;
        self.range.end = self.range.end.max(part.range.end);
        match (&mut self.mark, part.mark) {
            // The longer of two says which it is.
            (Mark::Named(_), Mark::Named(_)) if is_inside => {}
            (mark @ Mark::Named(_), Mark::Named(more)) if is_around => *mark = Mark::Named(more),
            (Mark::Named(names), Mark::Named(more)) => {
                for name in more {
                    if !names.contains(&name) {
                        names.push(name);
                    }
                }
            }
            (mark @ (Mark::Unnamed | Mark::Behind(_)), more @ Mark::Named(_)) => *mark = more,
            (mark @ Mark::Unnamed, more @ Mark::Behind(_)) => *mark = more,
            (Mark::Named(_) | Mark::Unnamed | Mark::Behind(_), Mark::Unnamed | Mark::Behind(_)) => {}
        }
    }
}

/// The range with the whole characters that it touches.
fn characters(text: &str, range: Range<usize>) -> Range<usize> {
    let mut range = range.start..range.end.min(text.len());
    while !text.is_char_boundary(range.start) {
        range.start -= 1;
    }
    while !text.is_char_boundary(range.end) {
        range.end += 1;
    }
    range
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::prelude::BASE64_STANDARD;
    use proptest::prelude::*;

    use super::*;

    fn secrets() -> Secrets {
        Secrets::named([
            ("DEPLOY_TOKEN", "correct-horse-battery"),
            ("PGPASSWORD", "pa\"ss wo$rd'9"),
            ("SHORT", "12345"),
        ])
    }

    #[test]
    fn a_known_value_is_told_by_its_name_in_every_spelling() {
        let check = |text: &str, want: &str| {
            assert_eq!(secrets().without(text, Sought::Known), want);
            assert_eq!(secrets().without(text, Sought::Everything), want);
        };
        check(
            "deploy correct-horse-battery now",
            "deploy [secret:DEPLOY_TOKEN] now",
        );
        check(
            "deploy correct'-ho'rse\"-battery\" now",
            "deploy [secret:DEPLOY_TOKEN]\" now",
        );
        check(
            "deploy ''correct-horse\\-battery",
            "deploy ''[secret:DEPLOY_TOKEN]",
        );
        check("x \"pa\\\"ss wo$rd'9\"", "x \"[secret:PGPASSWORD]\"");
        check("x 'pa\"ss wo$rd'\\''9'", "x '[secret:PGPASSWORD]'");
        check(r#"{"p":"pa\"ss wo$rd'9"}"#, r#"{"p":"[secret:PGPASSWORD]"}"#);
        check("?p=pa%22ss%20wo%24rd%279&q", "?p=[secret:PGPASSWORD]&q");
        check("12345 is no secret", "12345 is no secret");
        check("correct-horse", "correct-horse");
        let coded = BASE64_STANDARD.encode("correct-horse-battery");
        check(&coded, "[secret:DEPLOY_TOKEN]");
        check(
            "correct-horse-batterycorrect-horse-battery",
            "[secret:DEPLOY_TOKEN]",
        );
    }

    #[test]
    fn what_looks_like_a_key_is_found_behind_quotes_too() {
        let token = "a1B2".repeat(9);
        let check = |text: &str, want: &str| assert_eq!(secrets().without(text, Sought::Everything), want);
        check(&format!("x gh''p_{token} y"), "x [redacted] y");
        check(&format!("x 'ghp'_\"{token}\" y"), "x '[redacted]\" y");
        check(
            &format!("ghp_{}correct-horse-battery", "a1".repeat(5)),
            "[secret:DEPLOY_TOKEN]",
        );
        assert_eq!(
            secrets().without(&format!("ghp_{token}"), Sought::Known),
            format!("ghp_{token}")
        );
    }

    proptest! {
        #[test]
        fn no_quoting_hides_a_known_value(
            before in "[a-z '\"]{0,8}",
            cuts in prop::collection::vec((0_usize..22, prop::sample::select(vec!["''", "\"\"", "\\"])), 0..6),
            after in "[a-z é'\"]{0,8}",
        ) {
            let mut typed = "correct-horse-battery".to_owned();
            let mut cuts = cuts;
            cuts.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
            for (at, quote) in cuts {
                typed.insert_str(at.min(21), quote);
            }
            let text = format!("{before}{typed}{after}");
            let shown = secrets().without(&text, Sought::Known);
            let bare: String = shown.chars().filter(|c| !"'\"\\".contains(*c)).collect();
            prop_assert!(!bare.contains("correct-horse-battery"), "{} became {}", text, shown);
            prop_assert!(shown.contains("[secret:DEPLOY_TOKEN]"));
        }

        #[test]
        fn whole_texts_are_covered_as_streams_are(
            words in prop::collection::vec(prop_oneof![
                Just("ghp_".to_owned()), Just("Bearer ".to_owned()), Just("://".to_owned()), Just("@".to_owned()),
                Just("-----BEGIN ".to_owned()), Just("PRIVATE KEY-----".to_owned()), Just("Authorization: ".to_owned()),
                Just("correct-horse-battery".to_owned()), "[a-zé0-9]{1,30}", "[ \n]",
            ], 0..20),
        ) {
            let text = words.concat();
            let secrets = Secrets::new(["correct-horse-battery"]);
            let streamed = Redactor::whole(&secrets, text.as_bytes());
            let shown = secrets.without(&text, Sought::Everything).into_owned();
            prop_assert_eq!(shown.into_bytes(), streamed);
        }
    }
}
