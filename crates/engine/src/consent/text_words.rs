//! What may be the name of a file inside a text that something may execute: `sh -c 'sh w.sh'`, `env -S 'sh w.sh'`.
//!
//! A text is read twice: as a shell reads words, without quotes and backslashes, and cut at every sign that stands in few
//! names. Names that the text makes up while it runs (`$x/w.sh`, `w.*`, `open("w" + ".sh")`) are not found; whoever is
//! asked is told that there may be such.

use std::collections::HashSet;

/// Signs that end a word of a shell.
const ENDS: &[char] = &[';', '|', '&', '<', '>', '(', ')', '`'];
/// Further signs at which a text is cut when it is not read as a shell does.
const CUTS: &[char] = &['\'', '"', '\\', '$', '{', '}', '[', ']', '*', '?', '!', '#', ','];

/// Adds every word of the text that may be a name.
pub(super) fn words_in(text: &str, out: &mut HashSet<String>) {
    let cut = |c: char| c.is_whitespace() || ENDS.contains(&c) || CUTS.contains(&c);
    let pieces = text.split(cut).map(str::to_owned);
    let words = shell_words(text);
    let is_name = |word: &String| word.chars().any(char::is_alphanumeric) && word != text;
    out.extend(pieces.chain(words).filter(is_name));
}

/// The words as a shell takes them. An open quote ends with the text.
fn shell_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            // A line that goes on is one word with the next.
            (None | Some('"'), '\\') => word.extend(rest.next().filter(|next| *next != '\n')),
            (Some(_), c) => word.push(c),
            (None, c) if c.is_whitespace() || ENDS.contains(&c) => words.push(std::mem::take(&mut word)),
            (None, c) => word.push(c),
        }
    }
    words.push(word);
    words
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(text: &str) -> HashSet<String> {
        let mut out = HashSet::new();
        words_in(text, &mut out);
        out
    }

    #[test]
    fn names_are_found_in_whatever_stands_around_them() {
        for text in [
            "sh w.sh",
            "sh  w.sh -x",
            "sh 'w.sh'",
            "sh \"w.sh\"",
            "sh w\\.sh",
            "sh w''.sh",
            "sh w\"\".s'h'",
            "sh w.\\\nsh",
            ". ./x;sh w.sh;ls",
            "sh<w.sh",
            "cat w.sh|sh",
            "true&&sh w.sh",
            "(sh w.sh)",
            "x=$(cat w.sh)",
            "x=`cat w.sh`",
            "eval \"sh w.sh\"",
            "sh -c \"sh -c 'sh w.sh'\"",
            "exec(open('w.sh').read())",
            "import('w.sh')",
            "all:\n\tsh w.sh\n",
            "{sh,w.sh}",
            "sh \"w.sh",
        ] {
            assert!(found(text).contains("w.sh"), "{text:?}: {:?}", found(text));
        }
        assert!(found("sh 'a b.sh'").contains("a b.sh"));
        assert!(found("open(\"a b.sh\")").contains("a b.sh"));
        assert!(found("sh a\\ b.sh").contains("a b.sh"));
        assert_eq!(found("w.sh"), HashSet::new(), "it is a word of its own already");
        assert_eq!(found(" ;; && "), HashSet::new());
    }

    proptest! {
        #[test]
        fn a_plain_name_is_never_missed(
            name in "[a-z0-9_.]{1,6}[a-z]/?[a-z0-9._-]{1,6}[a-z]",
            before in "[ -~\n]{0,12}[ ;|&<>(`]",
            after in "[ ;|&<>)`][ -~\n]{0,12}",
            quoted in prop::sample::select(vec!["", "'", "\""]),
        ) {
            let text = format!("{before}{quoted}{name}{quoted}{after}");
            prop_assert!(found(&text).contains(&name), "{:?}", text);
        }

        #[test]
        fn any_text_is_read(text in any::<String>()) {
            let words = found(&text);
            prop_assert!(words.iter().all(|word| word.len() <= text.len()));
        }
    }
}
