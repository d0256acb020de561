//! Words of a shell script: quotes, comments and operators, and nothing else of any shell.
//!
//! Nothing is expanded and nothing is run: `$x` stays `$x`, and whoever reads on leaves such words alone. One pass.

/// How much of one script is read.
pub(super) const LONGEST: usize = 4 << 20;
/// How many tokens of one script are read.
const TOKENS: usize = 1_000_000;

/// Which rules of quoting hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quoting {
    /// bash and zsh: nothing is special between single quotes.
    Posix,
    /// fish: `\'` and `\\` are special between single quotes, and `\t` outside of quotes is a tab.
    Fish,
}

/// A part of a word, and whether quotes protected it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// Without quotes: braces count.
    Bare(String),
    /// Between quotes.
    Quoted(String),
}

impl Piece {
    /// Returns its text.
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Bare(text) | Self::Quoted(text) => text,
        }
    }
}

/// A word or an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A word: its pieces and its line.
    Word(Vec<Piece>, usize),
    /// The end of a line.
    Newline,
    /// One of `; & | ( ) < >`.
    Operator(char),
}

impl Token {
    /// Returns the text of a word.
    pub(super) fn word(&self) -> Option<String> {
        match self {
            Self::Word(pieces, _) => Some(joined(pieces)),
            Self::Newline | Self::Operator(_) => None,
        }
    }

    /// Returns whether it is that operator.
    pub(super) fn is(&self, operator: char) -> bool {
        matches!(self, Self::Operator(found) if *found == operator)
    }
}

/// Returns the text of pieces.
pub(super) fn joined(pieces: &[Piece]) -> String {
    pieces.iter().map(Piece::text).collect()
}

/// Returns the words and operators of a script.
pub(super) fn tokens(script: &str, quoting: Quoting) -> Vec<Token> {
    let script = script
        .get(..script.floor_char_boundary(LONGEST))
        .unwrap_or_default();
    let mut lexer = Lexer {
        rest: script.chars().peekable(),
        line: 1,
        quoting,
    };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next_token() {
        if tokens.len() >= TOKENS {
            break;
        }
        tokens.push(token);
    }
    tokens
}

struct Lexer<'s> {
    rest: std::iter::Peekable<std::str::Chars<'s>>,
    line: usize,
    quoting: Quoting,
}

impl Lexer<'_> {
    fn next_token(&mut self) -> Option<Token> {
        loop {
            let c = *self.rest.peek()?;
            match c {
                '\n' => {
                    self.advance();
                    return Some(Token::Newline);
                }
                '#' => while self.rest.next_if(|c| *c != '\n').is_some() {},
                ';' | '&' | '|' | '(' | ')' | '<' | '>' => {
                    self.advance();
                    return Some(Token::Operator(c));
                }
                c if c.is_whitespace() => drop(self.advance()),
                '\\' => {
                    let mut ahead = self.rest.clone();
                    ahead.next();
                    if ahead.next_if_eq(&'\r').is_some() || ahead.peek() == Some(&'\n') {
                        while self.advance().is_some_and(|c| c != '\n') {}
                    } else {
                        return Some(self.word());
                    }
                }
                _ => return Some(self.word()),
            }
        }
    }

    fn advance(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        if c == '\n' {
            self.line = self.line.saturating_add(1);
        }
        Some(c)
    }

    fn word(&mut self) -> Token {
        let line = self.line;
        let mut pieces = Vec::new();
        let mut bare = String::new();
        while let Some(c) = self.rest.peek().copied() {
            match c {
                '\'' | '"' => {
                    if !bare.is_empty() {
                        pieces.push(Piece::Bare(std::mem::take(&mut bare)));
                    }
                    self.advance();
                    let quoted = if c == '\'' { self.single() } else { self.double() };
                    pieces.push(Piece::Quoted(quoted));
                }
                '\\' => {
                    self.advance();
                    self.escaped(&mut bare);
                }
                // In `$(…)` the inside is words of its own; `${…}` and `$[…]` are one word.
                '$' => {
                    self.advance();
                    bare.push('$');
                    if self.rest.peek() == Some(&'{') {
                        self.braced(&mut bare);
                    }
                }
                ';' | '&' | '|' | '(' | ')' | '<' | '>' => break,
                c if c.is_whitespace() => break,
                c => {
                    bare.push(c);
                    self.advance();
                }
            }
        }
        if !bare.is_empty() {
            pieces.push(Piece::Bare(bare));
        }
        Token::Word(pieces, line)
    }

    fn escaped(&mut self, out: &mut String) {
        match (self.advance(), self.quoting) {
            (Some('\n') | None, _) => {}
            (Some('t'), Quoting::Fish) => out.push('\t'),
            (Some('n'), Quoting::Fish) => out.push('\n'),
            (Some(c), _) => out.push(c),
        }
    }

    fn single(&mut self) -> String {
        let mut text = String::new();
        while let Some(c) = self.advance() {
            match c {
                '\'' => break,
                '\\' if self.quoting == Quoting::Fish => match self.rest.peek() {
                    Some('\'' | '\\') => text.extend(self.advance()),
                    Some(_) | None => text.push(c),
                },
                c => text.push(c),
            }
        }
        text
    }

    fn double(&mut self) -> String {
        let mut text = String::new();
        let mut depth = 0_usize;
        while let Some(c) = self.advance() {
            match c {
                '"' if depth == 0 => break,
                '\\' => match self.rest.peek() {
                    Some('"' | '\\' | '$' | '`') => text.extend(self.advance()),
                    Some('\n') => drop(self.advance()),
                    Some(_) | None => text.push(c),
                },
                '(' if text.ends_with('$') || depth > 0 => {
                    depth = depth.saturating_add(1);
                    text.push(c);
                }
                ')' if depth > 0 => {
                    depth = depth.saturating_sub(1);
                    text.push(c);
                }
                c => text.push(c),
            }
        }
        text
    }

    fn braced(&mut self, out: &mut String) {
        let mut depth = 0_usize;
        while let Some(c) = self.rest.peek().copied() {
            if c == '\n' {
                return;
            }
            out.push(c);
            self.advance();
            match c {
                '{' => depth = depth.saturating_add(1),
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(script: &str, quoting: Quoting, expected: &[&str]) {
        let found: Vec<String> = tokens(script, quoting)
            .iter()
            .map(|token| match token {
                Token::Word(pieces, _) => joined(pieces),
                Token::Newline => "\n".to_owned(),
                Token::Operator(operator) => operator.to_string(),
            })
            .collect();
        assert_eq!(found, expected, "{script}");
    }

    #[test]
    fn a_script_is_words_and_operators() {
        check(
            "a 'b c' \"d e\" # f\ng",
            Quoting::Posix,
            &["a", "b c", "d e", "\n", "g"],
        );
        check(
            "x=( $(compgen -W \"a b\") )",
            Quoting::Posix,
            &["x=", "(", "$", "(", "compgen", "-W", "a b", ")", ")"],
        );
        check("a \\\n  b", Quoting::Posix, &["a", "b"]);
        check(r"'a\'b", Quoting::Posix, &[r"a\b"]);
        check(r"'a\'b' c\td", Quoting::Fish, &["a'b", "c\td"]);
        check("a) b;; esac", Quoting::Posix, &["a", ")", "b", ";", ";", "esac"]);
        check(r#""$(x "y z")" w"#, Quoting::Posix, &[r#"$(x "y z")"#, "w"]);
        check("\"${a[@]}\" ${b%:*:*}", Quoting::Posix, &["${a[@]}", "${b%:*:*}"]);
        check("'open", Quoting::Posix, &["open"]);
    }
}
