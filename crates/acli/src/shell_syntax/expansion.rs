//! Words that a shell would replace by others before a program sees them: `*.log`, `{a,b}`, `$HOME`, `~/x`.
//!
//! Here they are text (§4.2.1), and for most words that is what is meant: `find -name *.rs`, `jq .a[]`, `HEAD^{}`. Where a
//! program takes the word for a file it is not: `rm -f *.log` would say that all is well and remove nothing. So a word
//! keeps how it was written, and whoever knows what the program makes of it refuses it by [`ExpandedWord::refusal`].

use super::operators::{ShellSyntax, ShellSyntaxError};
use crate::tokenize::Token;

/// What a shell would put in the place of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expansion {
    /// `*`, `?`, `[a-z]`: names of files.
    Pattern,
    /// `{a,b}`, `{1..3}`: several words.
    Braces,
    /// `$NAME`, `${NAME}`.
    Variable,
    /// `$(command)`, `` `command` ``.
    Substitution,
    /// `~`, `~/x`, `~ann/x`.
    Home,
}

/// A word that a shell would replace, since what makes it do so is neither quoted nor escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpandedWord {
    /// The word, unquoted.
    pub text: String,
    /// What a shell would make of it.
    pub expansion: Expansion,
    /// Where the word starts in the command string, counting characters from 1.
    pub position: usize,
}

impl ExpandedWord {
    /// Returns why the word is no name of a file here.
    pub fn refusal(&self) -> ShellSyntaxError {
        ShellSyntaxError {
            syntax: ShellSyntax::Expansion(self.expansion),
            operator: self.text.clone(),
            word: self.text.clone(),
            position: self.position,
            examples: Vec::new(),
        }
    }
}

/// Returns the words that a shell would replace.
///
/// ```
/// use argrail_acli::{Limits, expanded_words, tokens};
/// let count = |line: &str| expanded_words(&tokens(line, &Limits::default()).unwrap()).len();
/// assert_eq!(count("rm -f *.log ~/x $DIR/y {a,b}"), 4);
/// assert_eq!(count("rm -f '*.log' \\~/x \"$DIR/y\" {}"), 0);
/// ```
pub fn expanded_words(tokens: &[Token<'_>]) -> Vec<ExpandedWord> {
    let expanded = tokens.iter().filter_map(|token| {
        Some(ExpandedWord {
            expansion: bare_expansion(token.written)?,
            text: token.text.clone().into_owned(),
            position: token.position,
        })
    });
    expanded.collect()
}

/// Returns what a shell would make of a text that nothing in it is quoted of.
pub fn expansion(text: &str) -> Option<Expansion> {
    // Most words have nothing of it.
    if !text.contains(['*', '?', '[', '{', '$', '`', '~']) {
        return None;
    }
    first(&text.chars().map(Some).collect::<Vec<_>>())
}

/// The same for a word as it was written: what is quoted or escaped is only text.
fn bare_expansion(written: &str) -> Option<Expansion> {
    if !written.contains(['*', '?', '[', '{', '$', '`', '~']) {
        return None;
    }
    let mut bare = Vec::with_capacity(written.len());
    let mut chars = written.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => bare.extend(chars.next().map(|_| None)),
            '\'' | '"' => {
                // An empty pair of quotes separates, too: `$''X` names no variable.
                bare.push(None);
                while let Some(inside) = chars.next().filter(|inside| *inside != c) {
                    if inside == '\\' && c == '"' {
                        chars.next();
                    }
                    bare.push(None);
                }
            }
            c => bare.push(Some(c)),
        }
    }
    first(&bare)
}

/// The first expansion among characters; those that are quoted are `None`.
fn first(chars: &[Option<char>]) -> Option<Expansion> {
    let is_name =
        |c: Option<&Option<char>>| matches!(c, Some(Some(c)) if c.is_ascii_alphabetic() || *c == '_');
    if is_home(chars) {
        return Some(Expansion::Home);
    }
    chars.iter().enumerate().find_map(|(at, c)| {
        let rest = chars.get(at + 1..).unwrap_or_default();
        match (*c)? {
            '*' | '?' => Some(Expansion::Pattern),
            '[' => is_class(rest).then_some(Expansion::Pattern),
            '{' => is_brace_list(rest).then_some(Expansion::Braces),
            // The one that ends it may stand in another word.
            '`' => Some(Expansion::Substitution),
            '$' => match rest.first() {
                Some(Some('(')) => Some(Expansion::Substitution),
                Some(Some('{')) => is_name(rest.get(1)).then_some(Expansion::Variable),
                next => is_name(next).then_some(Expansion::Variable),
            },
            _ => None,
        }
    })
}

/// `~`, `~/x`, `~ann`, `~ann/x`.
fn is_home(chars: &[Option<char>]) -> bool {
    let Some((Some('~'), rest)) = chars.split_first() else {
        return false;
    };
    let name = rest.iter().take_while(|c| **c != Some('/'));
    name.into_iter()
        .all(|c| c.is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')))
}

/// Whether `[` begins a class of characters: it ends in the same part of a path, and is not empty.
fn is_class(rest: &[Option<char>]) -> bool {
    let end = rest.iter().position(|c| matches!(c, Some(']' | '/')));
    end.is_some_and(|end| end > 0 && rest.get(end) == Some(&Some(']')))
}

/// Whether `{` begins a list: a comma or two dots stand before the `}` that ends it.
fn is_brace_list(rest: &[Option<char>]) -> bool {
    let (mut depth, mut listed) = (0_usize, false);
    for (at, c) in rest.iter().enumerate() {
        match c {
            Some('{') => depth += 1,
            Some('}') if depth == 0 => return listed,
            Some('}') => depth -= 1,
            Some(',') if depth == 0 => listed = true,
            Some('.') if depth == 0 => {
                listed |= at > 0 && matches!(rest.get(at..at + 2), Some([Some('.'), Some('.')]));
            }
            Some(_) | None => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tokenize::{Limits, join, tokens};

    fn found(line: &str) -> Vec<(String, Expansion)> {
        let words = expanded_words(&tokens(line, &Limits::default()).unwrap());
        words
            .into_iter()
            .map(|word| (word.text, word.expansion))
            .collect()
    }

    #[test]
    fn what_a_shell_would_replace_is_told() {
        use Expansion::{Braces, Home, Pattern, Substitution, Variable};
        for (word, want) in [
            ("*.log", Pattern),
            ("a?", Pattern),
            ("src/[ab].rs", Pattern),
            ("[!a]x", Pattern),
            ("a'b c'*", Pattern),
            ("'a'\"b\"?", Pattern),
            ("a\\'*\\'", Pattern),
            ("--out=*.log", Pattern),
            ("{a,b}", Braces),
            ("x{1..3}.txt", Braces),
            ("a{b,{c,d}}", Braces),
            ("$HOME", Variable),
            ("$HOME/x", Variable),
            ("${DIR}/x", Variable),
            ("a_$b", Variable),
            ("$(pwd)/x", Substitution),
            ("`pwd`/x", Substitution),
            ("`touch", Substitution),
            ("~", Home),
            ("~/x", Home),
            ("~ann/x", Home),
        ] {
            let came: Vec<Expansion> = found(&format!("rm {word}"))
                .into_iter()
                .map(|came| came.1)
                .collect();
            assert_eq!(came, [want], "{word}");
        }
    }

    #[test]
    fn what_a_shell_would_leave_alone_is_not() {
        for word in [
            "'*.log'",
            "\\*.log",
            "\"*.log\"",
            "a\\?b",
            "[",
            "]",
            "[]",
            "a[b",
            "[a/b]",
            "{}",
            "{a}",
            "stash@{0}",
            "HEAD^{}",
            "@{u}",
            "{'a,b'}",
            "{..",
            "a,b",
            "a..b",
            "$",
            "$1",
            "a$",
            "\\$HOME",
            "'$HOME'",
            "$'HOME'",
            "\"${DIR}\"",
            "a~",
            "HEAD~1",
            "'~/x'",
            "\\~/x",
            "~'ann'/x",
        ] {
            assert_eq!(found(&format!("rm {word}")), [], "{word}");
        }
    }

    #[test]
    fn a_refusal_says_where_and_what_to_write() {
        let words = expanded_words(&tokens("rm -f é *.log", &Limits::default()).unwrap());
        let error = crate::Error::from(words[0].refusal()).to_json();
        assert_eq!(
            error["message"],
            "Failed to parse command: '*.log' at position 9 stands for names of files in a shell, and there is no shell here"
        );
        assert_eq!(
            error["hint"],
            "Check command syntax: there is no shell; write the names out, one word each; if it is meant literally, quote the word: '*.log'"
        );
        assert_eq!(error["code"], "PARSE_ERROR");
        assert_eq!(error["reason"], "shell_syntax");
        assert_eq!(error["position"], 9);
    }

    proptest! {
        #[test]
        fn quoted_words_are_text(given in prop::collection::vec("[a*?\\[\\]{},.$`~'\"\\\\ é/]{0,8}", 1..8)) {
            prop_assert_eq!(found(&join(&given)), Vec::new());
        }
    }
}
