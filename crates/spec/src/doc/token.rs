//! The smallest parts of JSON: strings, numbers and words, to the letter of RFC 8259.
//!
//! Each function gets the text and where the part begins, and returns the value and where it ends, or what is wrong
//! and where. None recurses and none looks further than the part is long.

use std::ops::Range;

use serde_json::Number;

/// What is wrong, and the bytes it is about.
pub(super) struct Wrong {
    pub(super) at: Range<usize>,
    pub(super) what: &'static str,
    pub(super) hint: &'static str,
}

impl Wrong {
    fn new(at: Range<usize>, what: &'static str, hint: &'static str) -> Self {
        Self { at, what, hint }
    }
}

/// Reads the string whose opening quote stands at `start`.
pub(super) fn string(text: &str, start: usize) -> Result<(String, usize), Wrong> {
    let bytes = text.as_bytes();
    let mut out = String::new();
    let mut from = start + 1;
    let mut at = from;
    loop {
        match bytes.get(at) {
            Some(b'"') => {
                out.push_str(text.get(from..at).unwrap_or_default());
                return Ok((out, at + 1));
            }
            Some(b'\\') => {
                out.push_str(text.get(from..at).unwrap_or_default());
                let (c, next) = escape(bytes, at)?;
                out.push(c);
                at = next;
                from = next;
            }
            Some(0..0x20) => {
                let hint = "write it as an escape, such as \\n";
                return Err(Wrong::new(
                    at..at + 1,
                    "a control character stands inside a string",
                    hint,
                ));
            }
            Some(_) => at += 1,
            None => {
                return Err(Wrong::new(
                    start..at,
                    "a string is not closed",
                    "add the closing '\"'",
                ));
            }
        }
    }
}

/// Reads the escape whose backslash stands at `start`.
fn escape(bytes: &[u8], start: usize) -> Result<(char, usize), Wrong> {
    let simple = |c: char| Ok((c, start + 2));
    match bytes.get(start + 1) {
        Some(b'"') => simple('"'),
        Some(b'\\') => simple('\\'),
        Some(b'/') => simple('/'),
        Some(b'b') => simple('\u{8}'),
        Some(b'f') => simple('\u{c}'),
        Some(b'n') => simple('\n'),
        Some(b'r') => simple('\r'),
        Some(b't') => simple('\t'),
        Some(b'u') => unicode(bytes, start),
        Some(_) => {
            let hint = "a backslash is written \\\\";
            Err(Wrong::new(
                start..start + 1,
                "a backslash begins no escape of JSON",
                hint,
            ))
        }
        None => Err(Wrong::new(
            start..start + 1,
            "a string is not closed",
            "add the closing '\"'",
        )),
    }
}

/// Reads `\uXXXX` at `start`, and the second half of a pair when it is the first.
fn unicode(bytes: &[u8], start: usize) -> Result<(char, usize), Wrong> {
    let end = start + 6;
    let Some(first) = hex(bytes, start) else {
        let hint = "four hexadecimal digits follow \\u";
        return Err(Wrong::new(start..start + 2, "an escape lacks digits", hint));
    };
    if let Some(c) = char::from_u32(first) {
        return Ok((c, end));
    }
    let second = hex(bytes, end).filter(|second| (0xdc00..0xe000).contains(second));
    let pair = second.filter(|_| first < 0xdc00);
    let c = pair.and_then(|second| char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00)));
    match c {
        Some(c) => Ok((c, end + 6)),
        None => {
            let hint = "write the character itself, or both halves of the pair";
            Err(Wrong::new(
                start..end,
                "an escape is half of a surrogate pair",
                hint,
            ))
        }
    }
}

/// Returns the number of `\uXXXX` at `start`.
fn hex(bytes: &[u8], start: usize) -> Option<u32> {
    let digits = bytes.get(start..start + 6)?.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0, |number, digit| {
        let digit = char::from(*digit).to_digit(16)?;
        Some(number << 4 | digit)
    })
}

/// Reads the number that begins at `start`.
pub(super) fn number(text: &str, start: usize) -> Result<(Number, usize), Wrong> {
    let bytes = text.as_bytes();
    let end = number_end(bytes, start)?;
    // The grammar is checked; serde_json only turns digits into a number, and refuses what a double cannot hold.
    match text.get(start..end).map(serde_json::from_str) {
        Some(Ok(number)) => Ok((number, end)),
        Some(Err(_)) | None => {
            let hint = "write it as a string, or smaller";
            Err(Wrong::new(start..end, "a number is too large for a double", hint))
        }
    }
}

fn number_end(bytes: &[u8], start: usize) -> Result<usize, Wrong> {
    let digits = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let some_digits = |from: usize| match digits(from) {
        end if end == from => {
            let what = "a number lacks digits";
            Err(Wrong::new(start..from, what, "write it as 1, -2, 0.5 or 1e3"))
        }
        end => Ok(end),
    };
    let first = start + usize::from(bytes.get(start) == Some(&b'-'));
    let mut end = some_digits(first)?;
    if bytes.get(first) == Some(&b'0') && end > first + 1 {
        let hint = "leave the zeros out, or make it a string";
        return Err(Wrong::new(
            start..end,
            "a number begins with a superfluous zero",
            hint,
        ));
    }
    if bytes.get(end) == Some(&b'.') {
        end = some_digits(end + 1)?;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let signed = matches!(bytes.get(end + 1), Some(b'+' | b'-'));
        end = some_digits(end + 1 + usize::from(signed))?;
    }
    Ok(end)
}
