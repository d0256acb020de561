//! A command string into words (ACLI §4.1, §4.2): POSIX quoting, no expansion of any kind, limits.
//!
//! `$`, `` ` ``, `*`, `~`, `;`, `|`, `>` and `#` are plain text: there is no shell behind this. Inside double
//! quotes a backslash is special only before `"`, `\`, `$`, `` ` `` and a newline, so `rg "\d+"` searches
//! `\d+`. A backslash before a newline joins two lines, inside double quotes and outside of quotes.
//!
//! [`tokens`] also says how a word was written, so that [`check_no_shell`](crate::check_no_shell) can tell an operator
//! that somebody meant for a shell from the same characters in quotes.

use std::borrow::Cow;

use crate::error::{Code, Error};
use crate::text::Text;

/// What one command may cost (§4.2.2). Lengths count characters, not bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Characters in the whole command string.
    pub command_length: usize,
    /// Words in the command, its name included.
    pub argument_count: usize,
    /// Characters in one word.
    pub argument_length: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            command_length: 10_000,
            argument_count: 100,
            argument_length: 10_000,
        }
    }
}

/// Why a command string is not a list of words. Positions count characters from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TokenizeError {
    /// Nothing but blanks.
    #[error("the command is empty")]
    Empty,
    /// A quote that opens and never closes.
    #[error("unclosed {quote} quote at position {position}")]
    UnclosedQuote {
        /// `single` or `double`.
        quote: &'static str,
        /// Where it opens.
        position: usize,
    },
    /// A backslash with nothing after it.
    #[error("backslash with nothing after it at position {position}")]
    TrailingBackslash {
        /// Where it stands.
        position: usize,
    },
    /// A NUL character, which no argument of a program can hold.
    #[error("NUL character at position {position}")]
    Nul {
        /// Where it stands.
        position: usize,
    },
    /// The whole string is too long.
    #[error("command is {length} characters long, the limit is {limit}")]
    TooLong {
        /// How long it is.
        length: usize,
        /// How long it may be.
        limit: usize,
    },
    /// Too many words.
    #[error("more than {limit} arguments")]
    TooMany {
        /// How many there may be.
        limit: usize,
    },
    /// One word is too long.
    #[error("argument {index} is longer than {limit} characters")]
    ArgumentTooLong {
        /// Which word, counting from 1.
        index: usize,
        /// How long it may be.
        limit: usize,
    },
}

impl TokenizeError {
    /// Returns what to change in the string.
    fn hint(&self) -> Text {
        match self {
            Self::Empty => Text::new("run 'help' for available commands"),
            Self::UnclosedQuote { quote: "single", .. } => {
                Text::new("close it with ', or write a literal one as \\' outside of quotes")
            }
            Self::UnclosedQuote { .. } => Text::new("close it with \", or write a literal one as \\\""),
            Self::TrailingBackslash { .. } => Text::new("write a literal backslash as \\\\"),
            Self::Nul { .. } => Text::new("remove the NUL character"),
            Self::TooLong { .. } => Text::new("send a shorter command"),
            Self::TooMany { .. } => Text::new("split the work over several commands (the name counts too)"),
            Self::ArgumentTooLong { .. } => Text::new("send a shorter argument"),
        }
    }

    fn position(&self) -> Option<usize> {
        match self {
            Self::UnclosedQuote { position, .. }
            | Self::TrailingBackslash { position }
            | Self::Nul { position } => Some(*position),
            Self::Empty | Self::TooLong { .. } | Self::TooMany { .. } | Self::ArgumentTooLong { .. } => None,
        }
    }
}

impl From<TokenizeError> for Error {
    fn from(error: TokenizeError) -> Self {
        let hint = Text::new("Check command syntax").then(": ", error.hint());
        let position = error.position();
        let error = Error::new(
            Code::ParseError,
            Text::new("Failed to parse command: {}").own(error),
        )
        .hint(hint);
        match position {
            Some(position) => error.detail("position", position),
            None => error,
        }
    }
}

/// A word, and how it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token<'a> {
    /// The word. Borrowed from the command string where it needed no unquoting.
    pub text: Cow<'a, str>,
    /// The same as it stands in the command string, with its quotes and backslashes.
    pub written: &'a str,
    /// Where it starts in the command string, counting characters from 1.
    pub position: usize,
    /// Whether a line break outside of quotes stands between it and the word before it.
    pub is_on_new_line: bool,
    /// Where the first of `;`, `&`, `|`, `<`, `>` that is neither quoted nor escaped stands in `written`, in bytes.
    pub bare_operator: Option<usize>,
}

impl Token<'_> {
    /// Whether any part of it was quoted or escaped.
    pub fn is_quoted(&self) -> bool {
        self.written != self.text
    }
}

impl AsRef<str> for Token<'_> {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

/// Splits a command string into words. Those that needed no unquoting are borrowed from it.
///
/// ```
/// use argrail_acli::{Limits, tokenize};
/// let words = tokenize("events --from '2026-02-01' \"say \\\"hi\\\"\"", &Limits::default());
/// assert_eq!(words.unwrap(), ["events", "--from", "2026-02-01", "say \"hi\""]);
/// ```
pub fn tokenize<'a>(input: &'a str, limits: &Limits) -> Result<Vec<Cow<'a, str>>, TokenizeError> {
    let tokens = tokens(input, limits)?;
    Ok(tokens.into_iter().map(|token| token.text).collect())
}

/// Splits a command string into the same words as [`tokenize`], and says how each was written.
///
/// # Errors
/// Those of [`tokenize`].
pub fn tokens<'a>(input: &'a str, limits: &Limits) -> Result<Vec<Token<'a>>, TokenizeError> {
    check_length(input, limits)?;
    let mut words = Vec::with_capacity(16);
    let mut reader = Reader {
        rest: input.chars(),
        position: 0,
        line_break: false,
    };
    while reader.at_word() {
        if words.len() == limits.argument_count {
            return Err(TokenizeError::TooMany {
                limit: limits.argument_count,
            });
        }
        let is_on_new_line = std::mem::take(&mut reader.line_break) && !words.is_empty();
        let word = Token {
            is_on_new_line,
            ..reader.token()?
        };
        if longer_than(&word.text, limits.argument_length) {
            let (index, limit) = (words.len() + 1, limits.argument_length);
            return Err(TokenizeError::ArgumentTooLong { index, limit });
        }
        words.push(word);
    }
    if words.is_empty() {
        Err(TokenizeError::Empty)
    } else {
        Ok(words)
    }
}

/// Returns `word` written so that [`tokenize`] reads it back as one word.
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Returns `words` as one command string.
pub fn join<S: AsRef<str>>(words: &[S]) -> String {
    words
        .iter()
        .map(|word| quote(word.as_ref()))
        .collect::<Vec<_>>()
        .join(" ")
}

fn check_length(input: &str, limits: &Limits) -> Result<(), TokenizeError> {
    // Bytes are never fewer than characters, so the common short command is not counted at all.
    if input.len() <= limits.command_length {
        return Ok(());
    }
    let length = input.chars().count();
    if length <= limits.command_length {
        return Ok(());
    }
    Err(TokenizeError::TooLong {
        length,
        limit: limits.command_length,
    })
}

fn longer_than(word: &str, limit: usize) -> bool {
    word.len() > limit && word.chars().count() > limit
}

struct Reader<'a> {
    rest: std::str::Chars<'a>,
    /// Characters read so far, which is the position (from 1) of the last one.
    position: usize,
    /// Whether a line break was skipped since the last word.
    line_break: bool,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<Option<char>, TokenizeError> {
        let c = self.rest.next();
        self.position += usize::from(c.is_some());
        match c {
            Some('\0') => Err(TokenizeError::Nul {
                position: self.position,
            }),
            c => Ok(c),
        }
    }

    /// Skips to the next word and returns whether there is one.
    fn at_word(&mut self) -> bool {
        loop {
            let rest = self.rest.as_str();
            if rest.starts_with(is_blank) {
                self.line_break |= rest.starts_with('\n');
                self.skip(1);
            } else if rest.starts_with("\\\n") {
                self.skip(2);
            } else {
                return !rest.is_empty();
            }
        }
    }

    fn skip(&mut self, count: usize) {
        for _ in 0..count {
            self.rest.next();
        }
        self.position += count;
    }

    /// Takes the characters up to the first that is `special`, all at once: most words are nothing else.
    fn plain(&mut self, special: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest.as_str();
        let (plain, after) = rest.split_at(rest.find(special).unwrap_or(rest.len()));
        self.rest = after.chars();
        self.position += plain.chars().count();
        plain
    }

    fn token(&mut self) -> Result<Token<'a>, TokenizeError> {
        let (position, all) = (self.position + 1, self.rest.as_str());
        let special = |c| is_blank(c) || matches!(c, '\'' | '"' | '\\' | '\0');
        let plain = self.plain(special);
        let mut token = Token {
            text: Cow::Borrowed(plain),
            written: plain,
            position,
            is_on_new_line: false,
            bare_operator: plain.bytes().position(is_operator_byte),
        };
        if self.rest.as_str().is_empty() || self.rest.as_str().starts_with(is_blank) {
            return Ok(token);
        }
        let mut word = plain.to_owned();
        loop {
            let read = all.len() - self.rest.as_str().len();
            if self.rest.as_str().starts_with(is_blank) {
                break;
            }
            let Some(c) = self.next()? else { break };
            match c {
                '\'' => self.single_quoted(&mut word)?,
                '"' => self.double_quoted(&mut word)?,
                '\\' => {
                    let position = self.position;
                    match self.next()? {
                        Some('\n') => {}
                        Some(c) => word.push(c),
                        None => return Err(TokenizeError::TrailingBackslash { position }),
                    }
                }
                c => {
                    if u8::try_from(c).is_ok_and(is_operator_byte) {
                        token.bare_operator.get_or_insert(read);
                    }
                    word.push(c);
                }
            }
        }
        let read = all.len() - self.rest.as_str().len();
        token.text = Cow::Owned(word);
        token.written = all.get(..read).unwrap_or(all);
        Ok(token)
    }

    fn single_quoted(&mut self, word: &mut String) -> Result<(), TokenizeError> {
        let position = self.position;
        word.push_str(self.plain(|c| matches!(c, '\'' | '\0')));
        while let Some(c) = self.next()? {
            match c {
                '\'' => return Ok(()),
                c => word.push(c),
            }
        }
        Err(TokenizeError::UnclosedQuote {
            quote: "single",
            position,
        })
    }

    fn double_quoted(&mut self, word: &mut String) -> Result<(), TokenizeError> {
        let position = self.position;
        word.push_str(self.plain(|c| matches!(c, '"' | '\\' | '\0')));
        while let Some(c) = self.next()? {
            match c {
                '"' => return Ok(()),
                '\\' => match self.next()? {
                    Some('\n') => {}
                    Some(c @ ('"' | '\\' | '$' | '`')) => word.push(c),
                    Some(c) => word.extend(['\\', c]),
                    None => break,
                },
                c => word.push(c),
            }
        }
        Err(TokenizeError::UnclosedQuote {
            quote: "double",
            position,
        })
    }
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n')
}

/// Whether a shell would read this as an operator, or a part of one, wherever it stands outside of quotes.
pub(crate) fn is_operator_byte(byte: u8) -> bool {
    matches!(byte, b';' | b'&' | b'|' | b'<' | b'>')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(input: &str) -> Result<Vec<Cow<'_, str>>, TokenizeError> {
        tokenize(input, &Limits::default())
    }

    #[test]
    fn words_follow_posix_quoting() {
        let check = |input: &str, want: &[&str]| assert_eq!(words(input).unwrap(), want, "{input}");
        check("a  b\tc\nd", &["a", "b", "c", "d"]);
        check(r#"'' """#, &["", ""]);
        check(r#"a'b'"c"\ d"#, &["abc d"]);
        check(r#"rg "\d+" "\n""#, &["rg", r"\d+", r"\n"]);
        check(r#""\$\`\\\"""#, &[r#"$`\""#]);
        check("a \\\n b", &["a", "b"]);
        check("x'a\\\nb'", &["xa\\\nb"]);
        check("\"a\\\nb\"", &["ab"]);
        check(
            "$HOME `id` * ~ ; | > # &",
            &["$HOME", "`id`", "*", "~", ";", "|", ">", "#", "&"],
        );
        check(
            "constructor __proto__ é\u{a0}x",
            &["constructor", "__proto__", "é\u{a0}x"],
        );
    }

    #[test]
    fn a_token_says_how_it_was_written() {
        // The word, as it was written, its position, whether a line break is before it, its first bare operator.
        let check = |input: &str, want: &[(&str, &str, usize, bool, Option<usize>)]| {
            let tokens = tokens(input, &Limits::default()).unwrap();
            let found: Vec<_> = tokens
                .iter()
                .map(|token| {
                    let (text, written) = (token.text.as_ref(), token.written);
                    (
                        text,
                        written,
                        token.position,
                        token.is_on_new_line,
                        token.bare_operator,
                    )
                })
                .collect();
            assert_eq!(found, want, "{input}");
        };
        check(
            "a ';' b",
            &[
                ("a", "a", 1, false, None),
                (";", "';'", 3, false, None),
                ("b", "b", 7, false, None),
            ],
        );
        check(
            "a ; b;",
            &[
                ("a", "a", 1, false, None),
                (";", ";", 3, false, Some(0)),
                ("b;", "b;", 5, false, Some(1)),
            ],
        );
        check(
            r#"é "x";y"#,
            &[("é", "é", 1, false, None), ("x;y", r#""x";y"#, 3, false, Some(3))],
        );
        check(
            r"a\;b \&\& x'|'",
            &[
                ("a;b", r"a\;b", 1, false, None),
                ("&&", r"\&\&", 6, false, None),
                ("x|", "x'|'", 11, false, None),
            ],
        );
        check("é'é'>f", &[("éé>f", "é'é'>f", 1, false, Some(6))]);
        check(
            "\n a\n'b'\n",
            &[("a", "a", 3, false, None), ("b", "'b'", 5, true, None)],
        );
        check(
            "a \\\n b",
            &[("a", "a", 1, false, None), ("b", "b", 6, false, None)],
        );
        check(
            "'a\nb'\nc",
            &[("a\nb", "'a\nb'", 1, false, None), ("c", "c", 7, true, None)],
        );
    }

    #[test]
    fn what_cannot_be_read_is_refused_with_its_position() {
        let check = |input: &str, want: TokenizeError| assert_eq!(words(input).unwrap_err(), want, "{input}");
        check("", TokenizeError::Empty);
        check(" \\\n\t", TokenizeError::Empty);
        check(
            "é 'a",
            TokenizeError::UnclosedQuote {
                quote: "single",
                position: 3,
            },
        );
        check(
            "a \"b\\",
            TokenizeError::UnclosedQuote {
                quote: "double",
                position: 3,
            },
        );
        check("ab\\", TokenizeError::TrailingBackslash { position: 3 });
        check("a 'b\0'", TokenizeError::Nul { position: 5 });
    }

    #[test]
    fn limits_count_characters() {
        assert!(words(&"é".repeat(10_000)).is_ok());
        let limit = 10_000;
        assert_eq!(
            words(&"é".repeat(10_001)).unwrap_err(),
            TokenizeError::TooLong {
                length: 10_001,
                limit
            }
        );
        assert!(words(&"a ".repeat(100)).is_ok());
        assert_eq!(
            words(&"a ".repeat(101)).unwrap_err(),
            TokenizeError::TooMany { limit: 100 }
        );
        let short = Limits {
            argument_length: 3,
            ..Limits::default()
        };
        assert!(tokenize("a éàü", &short).is_ok());
        assert_eq!(
            tokenize("a bcde", &short).unwrap_err(),
            TokenizeError::ArgumentTooLong { index: 2, limit: 3 }
        );
    }

    proptest! {
        #[test]
        fn quoting_then_tokenising_returns_the_words(given in prop::collection::vec("[^\0]{0,40}", 1..20)) {
            let line = join(&given);
            prop_assert_eq!(words(&line).unwrap(), given);
        }

        #[test]
        fn a_quoted_word_has_no_bare_operator(given in prop::collection::vec("[a;&|<>'\"\\\\ \n#=é]{0,8}", 1..8)) {
            let line = join(&given);
            for (token, given) in tokens(&line, &Limits::default()).unwrap().iter().zip(&given) {
                prop_assert_eq!(&token.text, given);
                prop_assert_eq!(token.bare_operator, None);
                prop_assert!(!token.is_on_new_line);
                prop_assert_eq!(token.is_quoted(), token.written != given);
            }
        }

        #[test]
        fn a_token_reads_as_itself_alone(input in "[a;&|<>'\"\\\\ \n#=é]{0,24}") {
            let Ok(read) = tokens(&input, &Limits::default()) else { return Ok(()) };
            for token in &read {
                let alone = tokens(token.written, &Limits::default()).unwrap();
                prop_assert_eq!(alone.len(), 1);
                prop_assert_eq!(&alone[0].text, &token.text);
                prop_assert_eq!(alone[0].bare_operator, token.bare_operator);
                let from_there: String = input.chars().skip(token.position - 1).collect();
                prop_assert!(from_there.starts_with(token.written));
                if let Some(at) = token.bare_operator {
                    prop_assert!(token.written.as_bytes().get(at).copied().is_some_and(is_operator_byte));
                }
            }
        }

        #[test]
        fn any_text_is_answered(input in any::<String>()) {
            if let Ok(read) = words(&input) {
                prop_assert!(!read.is_empty());
                let line = join(&read);
                prop_assert_eq!(words(&line).unwrap(), read);
            }
        }
    }
}
