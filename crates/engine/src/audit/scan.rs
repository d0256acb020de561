//! A walk over canonical JSON without building anything: what is not canonical ends it.

use super::canonical::{SAFE, order};
use super::line::LineError;

/// How deep values may stand in each other.
const DEEPEST: usize = 64;

/// A part of the text, by bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Where the walk is.
#[derive(Debug)]
pub(super) struct Scan<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Scan<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// Returns a part of the text.
    pub(super) fn text_of(&self, span: Span) -> &'t str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    /// Walks over the members of an object. Whoever is handed the name (with its quotes) walks over the value.
    pub(super) fn each_member(
        &mut self,
        depth: usize,
        mut each: impl FnMut(&mut Self, Span) -> Result<(), LineError>,
    ) -> Result<(), LineError> {
        if depth > DEEPEST {
            return self.wrong("it is too deep");
        }
        self.take(b'{')?;
        if self.takes(b'}') {
            return Ok(());
        }
        let mut before = "";
        loop {
            let name = self.string()?;
            let text = self.text_of(name);
            if !before.is_empty() && !ascends(before, text) {
                return self.wrong("its keys are not in order");
            }
            before = text;
            self.take(b':')?;
            each(self, name)?;
            if !self.takes(b',') {
                return self.take(b'}');
            }
        }
    }

    /// Walks over a value.
    pub(super) fn value(&mut self, depth: usize) -> Result<Span, LineError> {
        let start = self.at;
        match self.peek() {
            Some(b'"') => return self.string(),
            Some(b'{') => self.each_member(depth, |scan, _| scan.value(depth + 1).map(drop))?,
            Some(b'[') => self.array(depth)?,
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.word("true")?,
            Some(b'f') => self.word("false")?,
            Some(b'n') => self.word("null")?,
            Some(_) | None => return self.wrong("a value was expected"),
        }
        Ok(Span { start, end: self.at })
    }

    /// Sees that nothing follows.
    pub(super) fn end(&self) -> Result<(), LineError> {
        match self.peek() {
            None => Ok(()),
            Some(_) => self.wrong("something follows the record"),
        }
    }

    fn array(&mut self, depth: usize) -> Result<(), LineError> {
        if depth > DEEPEST {
            return self.wrong("it is too deep");
        }
        self.take(b'[')?;
        if self.takes(b']') {
            return Ok(());
        }
        loop {
            self.value(depth + 1)?;
            if !self.takes(b',') {
                return self.take(b']');
            }
        }
    }

    /// Walks over a string; returns it with its quotes.
    fn string(&mut self) -> Result<Span, LineError> {
        let start = self.at;
        self.take(b'"')?;
        loop {
            let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
            let plain = rest
                .iter()
                .position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20));
            self.at += plain.unwrap_or(rest.len());
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Span { start, end: self.at });
                }
                Some(b'\\') => self.escape()?,
                Some(_) => return self.wrong("a control character is not escaped"),
                None => return self.wrong("a string does not end"),
            }
        }
    }

    /// An escape that has to be one: two letters where there are two, `\u00xx` for the other control characters.
    fn escape(&mut self) -> Result<(), LineError> {
        let rest = self.text.as_bytes().get(self.at + 1..).unwrap_or_default();
        let digits = |high: u8, low: u8| {
            let control = matches!((high, low), (b'0' | b'1', b'0'..=b'9' | b'a'..=b'f'));
            control && !matches!((high, low), (b'0', b'8' | b'9' | b'a' | b'c' | b'd'))
        };
        let length = match rest {
            [b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't', ..] => 2,
            [b'u', b'0', b'0', high, low, ..] if digits(*high, *low) => 6,
            _ => return self.wrong("an escape is not needed, or is spelt otherwise"),
        };
        self.at += length;
        Ok(())
    }

    fn number(&mut self) -> Result<(), LineError> {
        let negative = self.takes(b'-');
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let digits = self.text_of(Span {
            start: self.at,
            end: self.at + length,
        });
        let plain = !digits.starts_with('0') || (digits == "0" && !negative);
        let within = digits.parse::<u64>().is_ok_and(|number| number <= SAFE);
        if !plain || !within || matches!(rest.get(length), Some(b'.' | b'e' | b'E')) {
            return self.wrong("a number is not whole, too large, or spelt otherwise");
        }
        self.at += length;
        Ok(())
    }

    fn word(&mut self, word: &'static str) -> Result<(), LineError> {
        if !self
            .text
            .get(self.at..)
            .is_some_and(|rest| rest.starts_with(word))
        {
            return self.wrong("a value was expected");
        }
        self.at += word.len();
        Ok(())
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn takes(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn take(&mut self, byte: u8) -> Result<(), LineError> {
        if self.takes(byte) {
            return Ok(());
        }
        self.wrong("a bracket, comma or colon was expected")
    }

    fn wrong<T>(&self, what: &'static str) -> Result<T, LineError> {
        Err(LineError::Form { at: self.at, what })
    }
}

/// Whether one name (with its quotes) stands before another.
fn ascends(before: &str, after: &str) -> bool {
    let plain = |text: &str| text.is_ascii() && !text.contains('\\');
    if plain(before) && plain(after) {
        return before.trim_matches('"') < after.trim_matches('"');
    }
    let decoded = |text: &str| serde_json::from_str::<String>(text).unwrap_or_default();
    order(&decoded(before), &decoded(after)).is_lt()
}
