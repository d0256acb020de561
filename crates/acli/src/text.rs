//! Text that argrail says in its own voice: fixed templates around quoted, escaped, bounded values.
//!
//! A model reads `message` and `hint` as instructions, so foreign text must never look like ours. The
//! template is `&'static str`, which only a program's author can write; every value that arrives at
//! run time is quoted, made visible and cut. Nothing else can build a [`Text`].

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use crate::mask::Mask;

/// How many characters of a foreign value are shown before it is cut.
pub(crate) const QUOTED_LIMIT: usize = 240;

/// How many characters of a foreign value are kept until it is shown: more than are shown, so that a mask finds what is
/// only begun there.
const MASKED_LIMIT: usize = 16 * 1024;

/// A sentence of ours with foreign values safely inside.
///
/// ```
/// use argrail_acli::Text;
/// let text = Text::new("Command {} not found").value("a\nb");
/// assert_eq!(text.to_string(), r"Command 'a\nb' not found");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    done: Vec<Piece>,
    rest: &'static str,
}

/// A part of a text. A foreign value is kept as it came until the text is read, so that a mask sees all of it: what was
/// escaped or cut before could hide one half of a secret from the mask and show the other.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Own(String),
    Value(String),
}

impl Piece {
    fn foreign(value: &str) -> Self {
        Self::Value(cut(value, MASKED_LIMIT))
    }
}

impl Text {
    /// Starts from a template in which each `{}` takes one value, in order.
    pub fn new(template: &'static str) -> Self {
        Self {
            done: Vec::new(),
            rest: template,
        }
    }

    /// Fills the next `{}` with a foreign value, quoted and bounded.
    #[must_use]
    pub fn value(self, value: impl AsRef<str>) -> Self {
        self.fill([Piece::foreign(value.as_ref())])
    }

    /// Fills the next `{}` with a number, as it is.
    #[must_use]
    pub fn number(self, value: impl Into<serde_json::Number>) -> Self {
        self.own(value.into())
    }

    /// Fills the next `{}` with words of ours that were fixed at compile time.
    #[must_use]
    pub fn word(self, value: &'static str) -> Self {
        self.own(value)
    }

    /// Fills the next `{}` with something that holds no foreign text, such as an error of ours made of numbers.
    #[must_use]
    pub(crate) fn own(self, value: impl fmt::Display) -> Self {
        self.fill([Piece::Own(value.to_string())])
    }

    /// Fills the next `{}` with a list of foreign values, each quoted, at most `most` of them.
    #[must_use]
    pub fn list<'a>(self, values: impl IntoIterator<Item = &'a str>, most: usize) -> Self {
        let mut pieces = Vec::new();
        let mut values = values.into_iter();
        for (index, value) in values.by_ref().take(most).enumerate() {
            if index > 0 {
                pieces.push(Piece::Own(", ".to_owned()));
            }
            pieces.push(Piece::foreign(value));
        }
        let left = values.count();
        if left > 0 {
            pieces.push(Piece::Own(format!(" and {left} more")));
        }
        self.fill(pieces)
    }

    /// Appends another text of ours, after a separator.
    #[must_use]
    pub fn then(self, separator: &'static str, next: Text) -> Self {
        let mut done = self.done;
        done.push(Piece::Own(format!("{}{separator}", self.rest)));
        done.extend(next.done);
        Self {
            done,
            rest: next.rest,
        }
    }

    /// Returns the text without what must not be repeated. What is put in its place is the mask's own word.
    pub(crate) fn masked(mut self, mask: &dyn Mask) -> Self {
        for piece in &mut self.done {
            if let Piece::Value(value) = piece
                && let Cow::Owned(masked) = mask.mask(value)
            {
                *value = masked;
            }
        }
        self
    }

    fn fill(mut self, pieces: impl IntoIterator<Item = Piece>) -> Self {
        let (before, after) = match self.rest.split_once("{}") {
            Some((before, after)) => (before.to_owned(), after),
            // A template with too few places still loses nothing.
            None => (format!("{} ", self.rest), ""),
        };
        self.done.push(Piece::Own(before));
        self.done.extend(pieces);
        self.rest = after;
        self
    }
}

impl From<&'static str> for Text {
    fn from(template: &'static str) -> Self {
        Self::new(template)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for piece in &self.done {
            match piece {
                Piece::Own(text) => f.write_str(text)?,
                Piece::Value(value) => {
                    let mut quoted = String::with_capacity(value.len().min(QUOTED_LIMIT) + 2);
                    push_quoted(&mut quoted, value, QUOTED_LIMIT);
                    f.write_str(&quoted)?;
                }
            }
        }
        f.write_str(self.rest)
    }
}

/// Returns `text` with control, bidi and zero-width characters written as escapes, at most `most` characters.
pub(crate) fn visible(text: &str, most: usize) -> String {
    let mut out = String::with_capacity(text.len().min(most));
    push_visible(&mut out, text, most, None);
    out
}

/// Returns the first `most` characters of `text`, and says when there were more.
pub(crate) fn cut(text: &str, most: usize) -> String {
    // Bytes are never fewer than characters, so what is short is not counted at all.
    if text.len() <= most {
        return text.to_owned();
    }
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Returns foreign prose as one line: blanks folded, everything invisible made visible, at most `most` characters.
pub(crate) fn line(text: &str, most: usize) -> String {
    let mut folded = String::new();
    // One word more than fits is enough to know that it was cut.
    for word in text.split_whitespace().take(most + 1) {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
        if folded.len() > most.saturating_mul(4) {
            break;
        }
    }
    visible(&folded, most)
}

fn push_quoted(out: &mut String, text: &str, most: usize) {
    out.push('\'');
    push_visible(out, text, most, Some('\''));
    out.push('\'');
}

fn push_visible(out: &mut String, text: &str, most: usize, quote: Option<char>) {
    for (count, c) in text.chars().enumerate() {
        if count == most {
            out.push('…');
            return;
        }
        match c {
            c if Some(c) == quote => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_invisible(c) => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
}

/// Whether a character can hide, reorder or end what a person or a model sees.
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &str) -> String {
        Text::new("{}").value(text).to_string()
    }

    #[test]
    fn foreign_values_are_quoted_visible_and_bounded() {
        let check = |given: &str, want: &str| assert_eq!(quoted(given), want);
        check("plain", "'plain'");
        check("it's", r"'it\'s'");
        check("a\nb\tc\r", r"'a\nb\tc\r'");
        check("\u{1b}[31m", r"'\u{1b}[31m'");
        check("evil\u{202e}txt", r"'evil\u{202e}txt'");
        check("zero\u{200b}width\u{e0041}", r"'zero\u{200b}width\u{e0041}'");
        assert_eq!(quoted(&"x".repeat(500)).chars().count(), QUOTED_LIMIT + 3);
    }

    struct Hides(&'static str);

    impl Mask for Hides {
        fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
            match text.contains(self.0) {
                true => text.replace(self.0, "[x]").into(),
                false => text.into(),
            }
        }
    }

    #[test]
    fn a_mask_sees_values_before_they_are_escaped_and_cut() {
        let secret = "it's\na\tsecret";
        let text = || {
            Text::new("{} and {}")
                .value(secret)
                .value("x".repeat(235) + secret)
        };
        let shown = text().masked(&Hides(secret)).to_string();
        assert_eq!(shown, format!("'[x]' and '{}[x]'", "x".repeat(235)));
        // Our own words are not looked at.
        assert_eq!(text().masked(&Hides("and")), text());
        let list = Text::new("{}")
            .list(["a", secret], 2)
            .then(": ", Text::new("{}").value(secret));
        assert_eq!(list.masked(&Hides(secret)).to_string(), "'a', '[x]': '[x]'");
    }

    #[test]
    fn a_template_takes_its_values_in_order() {
        let text = Text::new("{} of {} in {}").number(3).value("a").word("time");
        assert_eq!(text.to_string(), "3 of 'a' in time");
        let text = Text::new("one of {}").list(["a", "b", "c"], 2);
        assert_eq!(text.to_string(), "one of 'a', 'b' and 1 more");
        let text = Text::new("first {}")
            .value("{}")
            .then("; ", Text::new("second {}").value("b"));
        assert_eq!(text.to_string(), "first '{}'; second 'b'");
    }
}
