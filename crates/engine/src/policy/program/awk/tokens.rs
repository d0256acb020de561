//! The words and signs of an awk program.
//!
//! A slash begins a regular expression or divides, and which of them decides where strings begin. It divides behind a
//! value; where that cannot be told without the whole grammar, there are no tokens.

use super::super::cursor::Cursor;

/// A piece of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// A name or a word of the language.
    Word(&'t str),
    /// A string, without its quotes and with its escapes.
    Text(&'t str),
    /// A regular expression.
    Regex,
    /// A number.
    Number,
    /// A sign or several.
    Sign(&'static str),
    /// The end of a line.
    Line,
}

/// The signs, longer ones first.
const SIGNS: &[&str] = &[
    "**=", "&&", "||", "|&", ">>", "==", "<=", ">=", "!=", "!~", "++", "--", "+=", "-=", "*=", "%=", "^=",
    "**", "{", "}", "(", ")", "[", "]", ";", ",", "+", "-", "*", "%", "^", "!", ">", "<", "|", "?", ":", "~",
    "$", "=", "@",
];

/// What a slash would be here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slash {
    Begins,
    Divides,
    Unclear,
}

/// Returns the tokens, or nothing where the text cannot be read for sure.
pub(super) fn tokens(text: &str) -> Option<Vec<Token<'_>>> {
    let mut cursor = Cursor::new(text);
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut slash = SlashRule::default();
    loop {
        cursor.take_while(|c| matches!(c, ' ' | '\t' | '\r'));
        let Some(next) = cursor.peek() else {
            return Some(tokens);
        };
        let token = match next {
            '\\' => {
                cursor.take();
                cursor.eat('\r');
                if !cursor.eat('\n') {
                    return None;
                }
                continue;
            }
            '#' => {
                let comment = cursor.take_while(|c| c != '\n');
                // Some go on with a comment behind a backslash.
                if comment.trim_end().ends_with('\\') {
                    return None;
                }
                continue;
            }
            '\n' => {
                cursor.take();
                Token::Line
            }
            '"' => string(&mut cursor)?,
            '/' => match slash.now() {
                Slash::Begins => regex(&mut cursor)?,
                Slash::Divides => {
                    cursor.take();
                    if cursor.eat('=') {
                        Token::Sign("/=")
                    } else {
                        Token::Sign("/")
                    }
                }
                Slash::Unclear => return None,
            },
            // A word right behind it is a value of its own: `1system("id")`.
            c if c.is_ascii_digit() || c == '.' => {
                cursor.take_number()?;
                Token::Number
            }
            c if c.is_ascii_alphabetic() || c == '_' => {
                Token::Word(cursor.take_while(|c| c.is_ascii_alphanumeric() || c == '_'))
            }
            _ => Token::Sign(SIGNS.iter().copied().find(|sign| cursor.eat_text(sign))?),
        };
        slash.step(token);
        tokens.push(token);
    }
}

/// Remembers what a slash would be.
#[derive(Debug, Default)]
struct SlashRule {
    last: Option<Slash>,
    /// For each open parenthesis, whether it belongs to `if`, `while`, `for` or `switch`.
    open: Vec<bool>,
    /// Whether the last word was one of these.
    control: bool,
}

impl SlashRule {
    fn now(&self) -> Slash {
        self.last.unwrap_or(Slash::Begins)
    }

    fn step(&mut self, token: Token<'_>) {
        let control = self.control;
        self.control = false;
        self.last = Some(match token {
            Token::Text(_) | Token::Number | Token::Regex | Token::Sign("]") => Slash::Divides,
            Token::Sign("(") => {
                self.open.push(control);
                Slash::Begins
            }
            // Behind the condition of `if` a statement begins, behind any other parenthesis a value has ended.
            Token::Sign(")") => match self.open.pop() {
                Some(true) => Slash::Begins,
                Some(false) => Slash::Divides,
                None => Slash::Unclear,
            },
            Token::Sign("++" | "--" | "$" | "@") => Slash::Unclear,
            Token::Sign(_) | Token::Line => Slash::Begins,
            Token::Word("if" | "while" | "for" | "switch") => {
                self.control = true;
                Slash::Unclear
            }
            Token::Word("print" | "printf" | "return" | "else" | "do" | "case") => Slash::Begins,
            Token::Word(
                "getline" | "length" | "in" | "exit" | "delete" | "next" | "nextfile" | "break" | "continue"
                | "BEGIN" | "END" | "BEGINFILE" | "ENDFILE" | "function" | "func" | "default",
            ) => Slash::Unclear,
            Token::Word(_) => Slash::Divides,
        });
    }
}

fn string<'t>(cursor: &mut Cursor<'t>) -> Option<Token<'t>> {
    cursor.take();
    let all = cursor.rest();
    loop {
        let before = cursor.rest();
        match cursor.take()? {
            '"' => return all.get(..all.len() - before.len()).map(Token::Text),
            '\\' => {
                cursor.take()?;
            }
            '\n' => return None,
            _ => {}
        }
    }
}

/// Inside of `[…]` a slash ends the expression to some and not to others.
fn regex<'t>(cursor: &mut Cursor<'t>) -> Option<Token<'t>> {
    cursor.take();
    loop {
        match cursor.take()? {
            '/' => return Some(Token::Regex),
            '\\' => {
                cursor.take().filter(|c| *c != '\n')?;
            }
            '\n' => return None,
            '[' => bracket(cursor)?,
            _ => {}
        }
    }
}

fn bracket(cursor: &mut Cursor<'_>) -> Option<()> {
    cursor.eat('^');
    cursor.eat(']');
    loop {
        match cursor.take()? {
            ']' => return Some(()),
            '/' | '\n' => return None,
            '\\' => {
                cursor.take().filter(|c| !matches!(c, '\n' | ']'))?;
            }
            '[' if matches!(cursor.peek(), Some('.' | ':' | '=')) => {
                let kind = cursor.take()?;
                cursor.take_while(|c| c.is_ascii_alphanumeric());
                if !(cursor.eat(kind) && cursor.eat(']')) {
                    return None;
                }
            }
            _ => {}
        }
    }
}
