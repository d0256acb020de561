//! The words and signs of a query.
//!
//! What servers read differently (a backslash in a string, a comment that one of them executes, quotes of dollars, a
//! word right behind a number) has no tokens.

use super::super::cursor::Cursor;

/// A piece of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// A word without quotes.
    Word(&'t str),
    /// A name in quotes.
    Name,
    /// A string.
    Text,
    /// A number.
    Number,
    /// Any other sign.
    Sign(char),
}

/// Returns the tokens, or nothing where the text cannot be read for sure.
pub(super) fn tokens(text: &str) -> Option<Vec<Token<'_>>> {
    let mut cursor = Cursor::new(text);
    let mut tokens = Vec::new();
    loop {
        cursor.take_while(|c| c.is_ascii_whitespace());
        let Some(next) = cursor.peek() else {
            return Some(tokens);
        };
        if cursor.eat_text("--") {
            // To some a return ends the comment, and what follows it is executed.
            let comment = cursor.take_while(|c| c != '\n');
            if comment.contains('\r') {
                return None;
            }
            continue;
        }
        if cursor.eat_text("/*") {
            comment(&mut cursor)?;
            continue;
        }
        tokens.push(match next {
            '\'' => quoted(&mut cursor, '\'', Token::Text)?,
            '"' => quoted(&mut cursor, '"', Token::Name)?,
            c if c.is_ascii_digit() => number(&mut cursor)?,
            c if c.is_alphabetic() || c == '_' => word(&mut cursor)?,
            '\\' | '$' | '`' | '#' | '@' | '{' | '}' => return None,
            c if c.is_ascii() => {
                cursor.take();
                Token::Sign(c)
            }
            _ => return None,
        });
    }
}

fn number<'t>(cursor: &mut Cursor<'t>) -> Option<Token<'t>> {
    cursor.take_number().map(|()| Token::Number)
}

/// A word; one that changes how the string behind it is read is not read.
fn word<'t>(cursor: &mut Cursor<'t>) -> Option<Token<'t>> {
    let word = cursor.take_while(|c| c.is_alphanumeric() || c == '_');
    let quotes = matches!(cursor.peek(), Some('\'' | '"' | '$' | '&'));
    (!quotes && word.is_ascii()).then_some(Token::Word(word))
}

fn quoted<'t>(cursor: &mut Cursor<'t>, quote: char, token: Token<'t>) -> Option<Token<'t>> {
    cursor.take();
    loop {
        match cursor.take()? {
            '\\' => return None,
            c if c == quote && !cursor.eat(quote) => return Some(token),
            _ => {}
        }
    }
}

/// A comment. One inside of another ends in different places for different servers.
fn comment(cursor: &mut Cursor<'_>) -> Option<()> {
    if matches!(cursor.peek(), Some('!' | '+')) {
        return None;
    }
    while !cursor.eat_text("*/") {
        if cursor.at("/*") {
            return None;
        }
        cursor.take()?;
    }
    Some(())
}
