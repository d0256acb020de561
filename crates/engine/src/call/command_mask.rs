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

impl CommandMask {
    /// Masks words, each by itself and by the flag in front of it.
    pub(crate) fn words(self, words: &[String]) -> Vec<String> {
        let mut before = "";
        let mut masked = Vec::with_capacity(words.len());
        for word in words {
            let takes = FLAGS.contains(&before) || USERS.contains(&before);
            masked.push(match takes {
                true => hidden(before, word),
                false => self.one(word),
            });
            before = if takes { "" } else { word };
        }
        masked
    }

    fn one(self, word: &str) -> String {
        if let Some((flag, value)) = word.split_once('=')
            && (FLAGS.contains(&flag) || USERS.contains(&flag))
        {
            return format!("{flag}={}", hidden(flag, value));
        }
        if !SIGNS.iter().any(|sign| word.contains(sign)) {
            return word.to_owned();
        }
        let clean = Redactor::whole(&Secrets::none(), word.as_bytes());
        String::from_utf8_lossy(&clean).into_owned()
    }
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
        let check = |words: &[&str], want: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(CommandMask.words(&words), want);
        };
        check(&["git", "push", "a b"], &["git", "push", "a b"]);
        check(
            &["x", "--token", "a b", "c"],
            &["x", "--token", "[redacted]", "c"],
        );
        check(
            &["x", "--token", "--password", "c"],
            &["x", "--token", "[redacted]", "c"],
        );
        check(&["x", "--password=s3cret"], &["x", "--password=[redacted]"]);
        check(
            &["curl", "-u", "me:x", "-u", "me"],
            &["curl", "-u", "me:[redacted]", "-u", "me"],
        );
        check(&["sort", "-u", "f"], &["sort", "-u", "f"]);
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
