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

/// A string, with its quotes.
#[derive(Debug, Clone, Copy)]
struct Text {
    span: Span,
    letters: Letters,
}

/// What a string is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Letters {
    /// ASCII without escapes: its bytes are in the order of its characters.
    Plain,
    /// Anything.
    Other,
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
        let mut before: Option<Text> = None;
        loop {
            let name = self.string()?;
            if before.is_some_and(|before| !self.ascends(before, name)) {
                return self.wrong("its keys are not in order");
            }
            before = Some(name);
            self.take(b':')?;
            each(self, name.span)?;
            if !self.takes(b',') {
                return self.take(b'}');
            }
        }
    }

    /// Walks over a value.
    pub(super) fn value(&mut self, depth: usize) -> Result<Span, LineError> {
        let start = self.at;
        match self.peek() {
            Some(b'"') => return self.string().map(|text| text.span),
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

    /// Walks over a string.
    fn string(&mut self) -> Result<Text, LineError> {
        let start = self.at;
        let mut letters = Letters::Plain;
        self.take(b'"')?;
        loop {
            let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
            let (length, found) = plain(rest);
            letters = letters.max(found);
            self.at += length;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    let span = Span { start, end: self.at };
                    return Ok(Text { span, letters });
                }
                Some(b'\\') => {
                    letters = Letters::Other;
                    self.escape()?;
                }
                Some(_) => return self.wrong("a control character is not escaped"),
                None => return self.wrong("a string does not end"),
            }
        }
    }

    /// Whether one name stands before another.
    fn ascends(&self, before: Text, after: Text) -> bool {
        let (first, second) = (self.text_of(before.span), self.text_of(after.span));
        if (before.letters, after.letters) == (Letters::Plain, Letters::Plain) {
            let inner = |text: &'t str| text.as_bytes().get(1..text.len() - 1);
            return inner(first) < inner(second);
        }
        let decoded = |text: &str| serde_json::from_str::<String>(text).unwrap_or_default();
        order(&decoded(first), &decoded(second)).is_lt()
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
        const WRONG: &str = "a number is not whole, too large, or spelt otherwise";
        let negative = self.takes(b'-');
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let (mut number, mut length) = (0_u64, 0);
        for byte in rest.iter().take_while(|byte| byte.is_ascii_digit()) {
            number = number * 10 + u64::from(byte - b'0');
            length += 1;
            if number > SAFE {
                return self.wrong(WRONG);
            }
        }
        let led_by_zero = rest.first() == Some(&b'0') && (length > 1 || negative);
        if length == 0 || led_by_zero || matches!(rest.get(length), Some(b'.' | b'e' | b'E')) {
            return self.wrong(WRONG);
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

/// How many bytes stand before the next quote, backslash or control character, and what letters they are.
///
/// Eight bytes at a time: most of the record is the inside of strings.
fn plain(bytes: &[u8]) -> (usize, Letters) {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = ONES << 7;
    // Sets the high bit of each byte below `limit`; above the first of them, others may be set, too.
    let below = |word: u64, limit: u64| word.wrapping_sub(ONES * limit) & !word & HIGH;
    let (eights, rest) = bytes.as_chunks::<8>();
    let mut seen = 0;
    for (index, eight) in eights.iter().enumerate() {
        let word = u64::from_le_bytes(*eight);
        let quote = below(word ^ (ONES * u64::from(b'"')), 1);
        let backslash = below(word ^ (ONES * u64::from(b'\\')), 1);
        let special = below(word, 0x20) | quote | backslash;
        if special == 0 {
            seen |= word;
            continue;
        }
        let bits = special.trailing_zeros() & !7;
        let before = word & ((1 << bits) - 1);
        return (index * 8 + bits as usize / 8, Letters::of(seen | before));
    }
    let special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..0x20);
    let length = rest.iter().position(special).unwrap_or(rest.len());
    let high = rest.iter().take(length).fold(0, |all, byte| all | byte);
    (eights.len() * 8 + length, Letters::of(seen | u64::from(high)))
}

impl Letters {
    /// By the high bits of all bytes together.
    fn of(bytes: u64) -> Self {
        match bytes & 0x8080_8080_8080_8080 {
            0 => Self::Plain,
            _ => Self::Other,
        }
    }
}
