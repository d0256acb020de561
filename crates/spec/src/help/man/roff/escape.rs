//! The escapes of roff: `\fB`, `\-`, `\(bu`, `\*[name]` and the rest.
//!
//! What only moves ink on paper is dropped. Linear in the text: no escape is looked at twice, and strings that stand
//! for other strings share one budget.

use std::collections::HashMap;
use std::str::Chars;

use super::glyph;
use super::inline::{Font, Inline};

/// How deep strings may stand inside strings.
const DEPTH: usize = 3;
/// How many characters all strings of a page may grow to.
const BUDGET: usize = 1 << 20;
/// How many strings a page may define.
const STRINGS: usize = 1_000;

/// The strings that a page defined with `.ds`.
#[derive(Debug)]
pub(super) struct Strings {
    values: HashMap<String, String>,
    budget: usize,
}

impl Default for Strings {
    fn default() -> Self {
        let known = [
            ("R", "\u{ae}"),
            ("Tm", "\u{2122}"),
            ("lq", "\""),
            ("rq", "\""),
            ("Aq", "'"),
        ];
        let values = known.map(|(name, value)| (name.to_owned(), value.to_owned()));
        Self {
            values: values.into_iter().collect(),
            budget: BUDGET,
        }
    }
}

impl Strings {
    /// Keeps the string of a `.ds` request.
    pub(super) fn define(&mut self, rest: &str) {
        let (name, value) = rest.split_once([' ', '\t']).unwrap_or((rest, ""));
        let value = value.trim_start_matches([' ', '\t']);
        let value = value.strip_prefix('"').unwrap_or(value);
        if self.values.len() < STRINGS {
            self.values.insert(name.to_owned(), value.to_owned());
        }
    }

    fn take(&mut self, name: &str) -> Option<String> {
        let value = self.values.get(name)?;
        self.budget = self.budget.checked_sub(value.len())?;
        Some(value.clone())
    }
}

/// Writes `text` without its escapes.
pub(super) fn decode(text: &str, strings: &mut Strings, out: &mut Inline) {
    decode_at(text, strings, out, 0);
}

fn decode_at(text: &str, strings: &mut Strings, out: &mut Inline, depth: usize) {
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
        } else if escape(&mut rest, strings, out, depth) == After::Comment {
            return;
        }
    }
}

/// What comes after an escape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum After {
    Text,
    Comment,
}

fn escape(rest: &mut Chars<'_>, strings: &mut Strings, out: &mut Inline, depth: usize) -> After {
    let Some(c) = rest.next() else {
        return After::Text;
    };
    match c {
        '"' | '#' => return After::Comment,
        'f' => font(&name(rest), out),
        '*' => {
            let name = name(rest);
            if depth < DEPTH
                && let Some(value) = strings.take(&name)
            {
                decode_at(&value, strings, out, depth + 1);
            }
        }
        '(' | '[' => {
            let name = if c == '(' { two(rest) } else { bracketed(rest) };
            glyph::push(&name, out);
        }
        'C' => glyph::push(&delimited(rest), out),
        'N' => {
            let code = delimited(rest).parse::<u8>().ok().filter(u8::is_ascii_graphic);
            out.push_str(
                code.map(char::from)
                    .map(String::from)
                    .unwrap_or_default()
                    .as_str(),
            );
        }
        'n' => drop(register(rest)),
        'g' | 'm' | 'M' | 'F' | 'Y' | 'V' | 'k' => drop(name(rest)),
        's' => size(rest),
        'h' | 'v' | 'w' | 'l' | 'L' | 'D' | 'b' | 'o' | 'Z' | 'X' | 'A' | 'B' | 'H' | 'S' | 'x' | 'R' => {
            drop(delimited(rest));
        }
        '-' => out.push('-'),
        'e' | 'E' | '\\' => out.push('\\'),
        ' ' | '~' | '0' | 't' => out.push(' '),
        '\'' | '`' | '.' | '_' => out.push(c),
        '&' | ')' | '%' | ':' | '|' | '^' | '/' | ',' | '{' | '}' | 'c' | 'd' | 'u' | 'r' | 'p' | 'a'
        | 'z' | '!' | '?' | '$' => {}
        other => out.push(other),
    }
    After::Text
}

fn font(name: &str, out: &mut Inline) {
    match name {
        "B" | "3" | "CB" | "BI" | "4" => out.font(Font::Bold),
        "I" | "2" | "CI" => out.font(Font::Italic),
        "P" | "" => out.previous_font(),
        _ => out.font(Font::Roman),
    }
}

/// The name behind `\f`, `\*`, `\n`: `x`, `(xx`, `[xxx]`.
fn name(rest: &mut Chars<'_>) -> String {
    match rest.next() {
        Some('(') => two(rest),
        Some('[') => bracketed(rest),
        Some(c) => c.to_string(),
        None => String::new(),
    }
}

/// The name of a register, which may count up or down first: `\n+x`.
fn register(rest: &mut Chars<'_>) -> String {
    let mut ahead = rest.clone();
    if matches!(ahead.next(), Some('+' | '-')) {
        *rest = ahead;
    }
    name(rest)
}

fn two(rest: &mut Chars<'_>) -> String {
    rest.take(2).collect()
}

fn bracketed(rest: &mut Chars<'_>) -> String {
    rest.take_while(|c| *c != ']').collect()
}

fn delimited(rest: &mut Chars<'_>) -> String {
    match rest.next() {
        Some(open) => rest.take_while(|c| *c != open).collect(),
        None => String::new(),
    }
}

/// `\s0`, `\s-1`, `\s+12`, `\s(10`, `\s[-2]`, `\s'1'`.
fn size(rest: &mut Chars<'_>) {
    let mut ahead = rest.clone();
    let mut first = ahead.next();
    if matches!(first, Some('+' | '-')) {
        *rest = ahead.clone();
        first = ahead.next();
    }
    match first {
        Some('(') => {
            *rest = ahead;
            drop(two(rest));
        }
        Some('[') => {
            *rest = ahead;
            drop(bracketed(rest));
        }
        Some('\'') => drop(delimited(rest)),
        Some('1'..='3') => {
            *rest = ahead.clone();
            if ahead.next().is_some_and(|c| c.is_ascii_digit()) {
                *rest = ahead;
            }
        }
        Some('0'..='9') => *rest = ahead,
        Some(_) | None => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut strings = Strings::default();
        strings.define("me \"the \\fItool\\fR");
        strings.define("one \\*(tw");
        strings.define("tw \\*[one]\\*(tw");
        let mut out = Inline::default();
        decode(text, &mut strings, &mut out);
        assert_eq!(out.take(), expected, "{text}");
    }

    #[test]
    fn escapes_leave_what_is_read() {
        check(r"\fB\-\-all\fR, \f[I]x\fP", "--all, x");
        check(r"a\ b\~c\0d", "a b c d");
        check(r"\(bu \[em] \[u2014]", "\u{2022} \u{2014} \u{2014}");
        check(r"\s-1small\s0 \s+10big\s[-2]x", "small bigx");
        check(r"\h'4n'x\v'-1'y\w'\fBab'z", "xyz");
        check(r"\*(me and \*[me]", "the tool and the tool");
        check(r#"code \" comment"#, "code ");
        check(r"\e\\\&\%\|\^", r"\\");
        check(r"\n(.gx\n[.g]y\nxz", "xyz");
        check(r"\N'45'x\C'bu'", "-x\u{2022}");
        check("open\\h'never", "open");
        check("end\\", "end");
    }

    #[test]
    fn strings_that_hold_themselves_come_to_an_end() {
        check(r"a\*[one]b", "ab");
    }

    #[test]
    fn strings_grow_no_further_than_their_budget() {
        let mut strings = Strings::default();
        strings.define(&format!("x {}", "y".repeat(100_000)));
        let mut out = Inline::default();
        decode(&r"\*x".repeat(100_000), &mut strings, &mut out);
        assert!(out.len() <= BUDGET, "{}", out.len());
    }
}
