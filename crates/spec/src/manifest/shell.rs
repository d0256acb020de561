//! What only a shell understands, found in a command that no shell will read.

use std::ops::Range;

/// A shell feature: what it is, and where it stands in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ShellFeature {
    /// What it is, in a few words.
    pub(crate) what: &'static str,
    /// Its bytes in the text.
    pub(crate) at: Range<usize>,
}

/// Where the reader stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Nothing,
    Single,
    Double,
}

/// Returns the first shell feature of a command. What stands in single quotes and inside of `${…}` is text.
pub(crate) fn shell_feature(text: &str) -> Option<ShellFeature> {
    let mut within = Within::Nothing;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let found = |what, length: usize| {
            Some(ShellFeature {
                what,
                at: at..(at + length).min(text.len()),
            })
        };
        match (within, c) {
            (Within::Nothing, '\'') => within = Within::Single,
            (Within::Single, '\'') | (Within::Double, '"') => within = Within::Nothing,
            (Within::Nothing, '"') => within = Within::Double,
            (Within::Nothing | Within::Double, '\\') => drop(chars.next()),
            (Within::Nothing | Within::Double, '`') => return found("a command substitution", 1),
            (Within::Nothing | Within::Double, '$') if next == Some('(') => {
                return found("a command substitution", 2);
            }
            (Within::Nothing | Within::Double, '$') if next == Some('{') => {
                let rest = text.get(at..).unwrap_or_default();
                let end = rest.find('}').map_or(text.len(), |end| at + end + 1);
                while chars.next_if(|(place, _)| *place < end).is_some() {}
            }
            (Within::Nothing, '|' | '&') if next == Some(c) => return found("a list of commands", 2),
            (Within::Nothing, '|') => return found("a pipe", 1),
            (Within::Nothing, '&') => return found("a command in the background", 1),
            (Within::Nothing, ';') => return found("a list of commands", 1),
            (Within::Nothing, '<' | '>') => return found("a redirection", 1),
            (Within::Nothing, '(' | ')') => return found("a subshell", 1),
            (Within::Nothing, '\n' | '\r') => return found("a line break", 1),
            (Within::Nothing | Within::Single | Within::Double, _) => {}
        }
    }
    assignment(text)
}

/// A variable that is set in front of a command.
fn assignment(text: &str) -> Option<ShellFeature> {
    let start = text.len() - text.trim_start().len();
    let first = text.split_whitespace().next()?;
    let (name, _) = first.split_once('=')?;
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name.then(|| ShellFeature {
        what: "a variable in front of the command",
        at: start..start + name.len() + 1,
    })
}

/// Whether a whole word is an operator of a shell. As an argument it is just text; nobody means that.
pub(crate) fn is_operator(word: &str) -> bool {
    let redirection = word.trim_start_matches(|c: char| c.is_ascii_digit());
    matches!(word, "|" | "||" | "&&" | "&" | ";" | "|&" | "<" | "<<" | "<<<")
        || matches!(redirection, ">" | ">>" | ">&1" | ">&2" | ">/dev/null")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_only_a_shell_understands_is_found() {
        let check = |text: &str, want: Option<(&str, &str)>| {
            let came = shell_feature(text);
            let came = came
                .as_ref()
                .map(|feature| (feature.what, text.get(feature.at.clone()).unwrap()));
            assert_eq!(came, want, "{text}");
        };
        check("gh auth status", None);
        check("gh --notes 'a | b; c'", None);
        check("gh --notes \"a | b\" a\\;b", None);
        check("x config set ${value | default('a; b')} y", None);
        check("gh auth login --with-token $GH_TOKEN", None);
        check("jq .a[*]?", None);
        check("a && b", Some(("a list of commands", "&&")));
        check("a || b", Some(("a list of commands", "||")));
        check("a | b", Some(("a pipe", "|")));
        check("a & ", Some(("a command in the background", "&")));
        check("a; b", Some(("a list of commands", ";")));
        check("a > b", Some(("a redirection", ">")));
        check("a <b", Some(("a redirection", "<")));
        check("(a)", Some(("a subshell", "(")));
        check("a $(b)", Some(("a command substitution", "$(")));
        check("a \"`b`\"", Some(("a command substitution", "`")));
        check("a\nb", Some(("a line break", "\n")));
        check(" A_1=b c", Some(("a variable in front of the command", "A_1=")));
        check("a=b", Some(("a variable in front of the command", "a=")));
        check("--a=b c", None);
        check("${a | b", None);
    }

    #[test]
    fn operators_are_words_of_their_own() {
        for word in ["|", "&&", "2>", "2>&1", ">", ">>", ";", "<"] {
            assert!(is_operator(word), "{word}");
        }
        for word in ["a|b", "-", "2", ">a", "", "--json"] {
            assert!(!is_operator(word), "{word}");
        }
    }

    proptest! {
        #[test]
        fn a_feature_stands_in_the_text(text in "[a$|&;<>()'\"`{}\\\\=\n ö]{0,24}") {
            if let Some(feature) = shell_feature(&text) {
                prop_assert!(text.get(feature.at).is_some_and(|part| !part.is_empty()));
            }
        }
    }
}
