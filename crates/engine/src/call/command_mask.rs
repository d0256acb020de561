//! Commands without the credentials that stand in them: for the record, the envelope and errors.

use std::borrow::Cow;

use argrail_acli::Mask;

use crate::output::{REDACTED, Redactor, Secrets};

/// Masks what looks like a credential, and what follows a flag that takes one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CommandMask;

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
        let flagged = flags(text);
        if !SIGNS.iter().any(|sign| flagged.contains(sign)) {
            return flagged;
        }
        let clean = Redactor::whole(&Secrets::none(), flagged.as_bytes());
        match String::from_utf8(clean) {
            Ok(clean) if clean != *flagged => Cow::Owned(clean),
            Ok(_) | Err(_) => flagged,
        }
    }
}

/// Returns words without credentials: by flags and patterns as in a line, and without the values that are known.
pub(crate) fn masked_words(words: &[String], secrets: &Secrets) -> Vec<String> {
    let mut before = "";
    let mut masked = Vec::with_capacity(words.len());
    for word in words {
        let (flag, attached) = match word.split_once('=') {
            Some((flag, value)) => (flag, Some(value)),
            None => (word.as_str(), None),
        };
        let takes = |flag: &str| FLAGS.contains(&flag) || USERS.contains(&flag);
        masked.push(match attached {
            _ if takes(before) => hidden(before, word),
            Some(value) if takes(flag) => format!("{flag}={}", hidden(flag, value)),
            Some(_) | None => clean(word, secrets),
        });
        // A value is no flag, whatever it looks like.
        before = if takes(before) { "" } else { word };
    }
    masked
}

/// A word without what looks like a credential, and without the values that are known.
fn clean(word: &str, secrets: &Secrets) -> String {
    let clean = Redactor::whole(secrets, word.as_bytes());
    String::from_utf8_lossy(&clean).into_owned()
}

/// Masks the values of flags. Words are told apart by blanks and quotes alone: whoever reads a record wants to know
/// that there was a value, not how it was quoted.
fn flags(text: &str) -> Cow<'_, str> {
    if !text.contains("-u") && !text.contains("-U") && !text.contains("--") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut changed = false;
    while let Some(word) = next_word(rest) {
        let (before, after) = rest.split_at(word.len());
        rest = after;
        let name = before.trim();
        let (flag, attached) = match name.split_once('=') {
            Some((flag, value)) => (flag, Some(value)),
            None => (name, None),
        };
        let takes = FLAGS.contains(&flag) || USERS.contains(&flag);
        match (takes, attached) {
            (true, Some(value)) => {
                let blank = before
                    .get(..before.len() - before.trim_start().len())
                    .unwrap_or_default();
                out.push_str(&format!("{blank}{flag}={}", hidden(flag, value)));
                changed = true;
            }
            (true, None) => {
                out.push_str(before);
                if let Some(value) = next_word(rest) {
                    let (value, after) = rest.split_at(value.len());
                    out.push_str(&format!(" {}", hidden(flag, value.trim())));
                    rest = after;
                    changed = true;
                }
            }
            (false, _) => out.push_str(before),
        }
    }
    out.push_str(rest);
    if changed {
        Cow::Owned(out)
    } else {
        Cow::Borrowed(text)
    }
}

fn hidden(flag: &str, value: &str) -> String {
    match value.split_once(':') {
        Some((user, _)) if USERS.contains(&flag) => format!("{}:{REDACTED}", user.trim_matches(['\'', '"'])),
        None if USERS.contains(&flag) => value.to_owned(),
        _ => REDACTED.to_owned(),
    }
}

/// The blanks and the word that a text starts with; a quoted part belongs to its word.
fn next_word(text: &str) -> Option<&str> {
    let start = text.find(|c: char| !c.is_whitespace())?;
    let mut quote = None;
    for (at, c) in text.char_indices().skip_while(|(at, _)| *at < start) {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (None, c) if c.is_whitespace() => return text.get(..at),
            (None | Some(_), _) => {}
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn credentials_are_not_repeated() {
        let check = |text: &str, want: &str| assert_eq!(CommandMask.mask(text), want);
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
        assert!(!CommandMask.mask(&format!("echo {token}")).contains(&token));
        let header = "curl -H 'Authorization: Bearer abcdef123456' http://a.test/";
        assert!(!CommandMask.mask(header).contains("abcdef123456"));
    }

    #[test]
    fn words_are_masked_one_by_one() {
        let words = |text: &[&str]| -> Vec<String> { text.iter().map(|word| (*word).to_owned()).collect() };
        let check = |given: &[&str], want: &[&str]| {
            let secrets = Secrets::new(["hunter2-known"]);
            assert_eq!(masked_words(&words(given), &secrets), words(want));
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
        check(&["x", "a=hunter2-known"], &["x", "a=[redacted]"]);
    }

    proptest! {
        #[test]
        fn any_text_is_answered_and_a_text_without_flags_stays(text in "[ a-z'\"=-]{0,40}") {
            let masked = CommandMask.mask(&text);
            if !text.contains("--") && !text.contains("-u") {
                prop_assert_eq!(masked, text.as_str());
            }
        }
    }
}
