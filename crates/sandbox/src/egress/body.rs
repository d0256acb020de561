//! Where the body of a request ends (RFC 9112 §6), read while it arrives.
//!
//! Behind the body stands the next request, and two readers that disagree about its place read two different requests.
//! So there is one way to say it and no other: one length in plain digits, or chunks without extensions, and never both.
//! What servers forgive in different ways is refused. Never panics, whatever the bytes.

/// How many bytes of fields may follow the last chunk.
const MAX_TRAILER_BYTES: usize = 16 * 1024;

/// How many digits the size of a chunk may have: those of 64 bits.
const MAX_SIZE_DIGITS: u8 = 16;

/// What is left of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum BodyProgress {
    /// So many bytes.
    Length(u64),
    /// Chunks, of which the last is empty.
    Chunks(ChunkState),
}

/// A body whose end cannot be told, or which breaks its own rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum BodyFault {
    #[error("more than one Content-Length or Transfer-Encoding")]
    Twice,
    #[error("a Content-Length that is no plain number")]
    Length,
    #[error("a Transfer-Encoding other than chunked")]
    Encoding,
    #[error("a chunk that is not as RFC 9112 has it")]
    Chunk,
    #[error("fields behind the last chunk that are not as RFC 9112 has them")]
    Trailer,
}

/// How far chunks have come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ChunkState {
    /// In the digits of a size.
    Size { size: u64, digits: u8 },
    /// Behind them, before a line feed.
    SizeEnd(u64),
    /// In a chunk, of which so much is left.
    Data(u64),
    /// Behind it: `\r\n`, of which so many bytes are left.
    DataEnd(u8),
    /// Behind the last one, at the beginning of a line; so many bytes of fields came already.
    Line(usize),
    /// In a line.
    Field(usize),
    /// At its end, before a line feed.
    FieldEnd(usize),
    /// In the empty line, before its line feed.
    LastEnd,
    /// The last chunk and its trailer came.
    Over,
}

impl BodyProgress {
    /// Reads how a request of HTTP/1.`minor` says where its body ends.
    pub(super) fn of(headers: &[httparse::Header<'_>], minor: u8) -> Result<Self, BodyFault> {
        let named = |name: &str| {
            let own = headers
                .iter()
                .filter(|header| header.name.eq_ignore_ascii_case(name));
            own.map(|header| header.value).collect::<Vec<&[u8]>>()
        };
        match (
            named("content-length").as_slice(),
            named("transfer-encoding").as_slice(),
        ) {
            ([], []) => Ok(Self::Length(0)),
            ([length], []) => plain_number(length).map(Self::Length).ok_or(BodyFault::Length),
            // HTTP/1.0 has no chunks, and a server of it would take them for the next request.
            ([], [encoding]) if encoding.eq_ignore_ascii_case(b"chunked") && minor == 1 => {
                Ok(Self::Chunks(ChunkState::Size { size: 0, digits: 0 }))
            }
            ([], [_]) => Err(BodyFault::Encoding),
            _ => Err(BodyFault::Twice),
        }
    }

    /// Returns whether all of it came.
    pub(super) fn is_over(&self) -> bool {
        matches!(self, Self::Length(0) | Self::Chunks(ChunkState::Over))
    }

    /// Takes bytes that came, and returns how many of them belong to the body.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Result<usize, BodyFault> {
        match self {
            Self::Length(left) => Ok(take_some(left, bytes)),
            Self::Chunks(chunks) => {
                let mut taken = 0;
                while let Some(rest) = bytes.get(taken..).filter(|rest| !rest.is_empty()) {
                    let count = chunks.take(rest)?;
                    if count == 0 {
                        break;
                    }
                    taken += count;
                }
                Ok(taken)
            }
        }
    }
}

impl ChunkState {
    /// Takes one byte, or as much of a chunk as there is; nothing when it is over.
    fn take(&mut self, bytes: &[u8]) -> Result<usize, BodyFault> {
        if let Self::Data(left) = self {
            let count = take_some(left, bytes);
            if *left == 0 {
                *self = Self::DataEnd(2);
            }
            return Ok(count);
        }
        let Some(byte) = bytes.first().copied() else {
            return Ok(0);
        };
        let next = match (&*self, byte) {
            (Self::Over, _) => return Ok(0),
            (Self::Size { size, digits }, byte) => size_digit(*size, *digits, byte)?,
            (Self::SizeEnd(0), b'\n') => Self::Line(0),
            (Self::SizeEnd(size), b'\n') => Self::Data(*size),
            (Self::DataEnd(2), b'\r') => Self::DataEnd(1),
            (Self::DataEnd(1), b'\n') => Self::Size { size: 0, digits: 0 },
            (Self::SizeEnd(_) | Self::DataEnd(_), _) => return Err(BodyFault::Chunk),
            (Self::Line(_), b'\r') => Self::LastEnd,
            (Self::LastEnd, b'\n') => Self::Over,
            // A line that begins with a blank goes on with the one before, for some.
            (Self::Line(count), byte) if is_token(byte) => Self::Field(count + 1),
            (Self::Field(count), b'\r') => Self::FieldEnd(count + 1),
            (Self::FieldEnd(count), b'\n') => Self::Line(count + 1),
            (Self::Field(count), byte) if !matches!(byte, b'\n' | 0) && *count < MAX_TRAILER_BYTES => {
                Self::Field(count + 1)
            }
            (Self::Line(_) | Self::Field(_) | Self::FieldEnd(_) | Self::LastEnd, _) => {
                return Err(BodyFault::Trailer);
            }
            // Taken care of above.
            (Self::Data(_), _) => return Err(BodyFault::Chunk),
        };
        *self = next;
        Ok(1)
    }
}

/// Takes at most what is left, and returns how much that was.
fn take_some(left: &mut u64, bytes: &[u8]) -> usize {
    let count = usize::try_from(*left).unwrap_or(usize::MAX).min(bytes.len());
    *left -= count as u64;
    count
}

fn size_digit(size: u64, digits: u8, byte: u8) -> Result<ChunkState, BodyFault> {
    if byte == b'\r' && digits > 0 {
        return Ok(ChunkState::SizeEnd(size));
    }
    let digit = char::from(byte).to_digit(16).ok_or(BodyFault::Chunk)?;
    if digits == MAX_SIZE_DIGITS {
        return Err(BodyFault::Chunk);
    }
    Ok(ChunkState::Size {
        size: size << 4 | u64::from(digit),
        digits: digits + 1,
    })
}

/// Reads digits and nothing else: no sign, no blank, no list of equal numbers.
fn plain_number(value: &[u8]) -> Option<u64> {
    let plain = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
    str::from_utf8(value).ok().filter(|_| plain)?.parse().ok()
}

/// Returns whether a byte may stand in the name of a field or a method.
pub(super) fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn body(head: &str) -> Result<BodyProgress, BodyFault> {
        let text = format!("POST / HTTP/1.1\r\n{head}\r\n");
        let mut headers = [httparse::EMPTY_HEADER; 16];
        let mut request = httparse::Request::new(&mut headers);
        assert!(request.parse(text.as_bytes()).unwrap().is_complete());
        BodyProgress::of(request.headers, request.version.unwrap())
    }

    #[test]
    fn there_is_one_way_to_say_where_it_ends() {
        assert_eq!(body("a: b\r\n"), Ok(BodyProgress::Length(0)));
        assert_eq!(body("Content-Length: 12\r\n"), Ok(BodyProgress::Length(12)));
        assert!(matches!(
            body("transfer-Encoding: Chunked\r\n"),
            Ok(BodyProgress::Chunks(_))
        ));
        for (head, fault) in [
            ("Content-Length: 1\r\nContent-Length: 1\r\n", BodyFault::Twice),
            (
                "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n",
                BodyFault::Twice,
            ),
            (
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
                BodyFault::Twice,
            ),
            ("Content-Length: 1, 1\r\n", BodyFault::Length),
            ("Content-Length: +1\r\n", BodyFault::Length),
            ("Content-Length: -1\r\n", BodyFault::Length),
            ("Content-Length: 0x1\r\n", BodyFault::Length),
            ("Content-Length:\r\n", BodyFault::Length),
            ("Content-Length: 18446744073709551616\r\n", BodyFault::Length),
            ("Transfer-Encoding: gzip\r\n", BodyFault::Encoding),
            ("Transfer-Encoding: gzip, chunked\r\n", BodyFault::Encoding),
            ("Transfer-Encoding: chunked, identity\r\n", BodyFault::Encoding),
            ("Transfer-Encoding: xchunked\r\n", BodyFault::Encoding),
            ("Transfer-Encoding: \"chunked\"\r\n", BodyFault::Encoding),
            ("Transfer-Encoding:\r\n", BodyFault::Encoding),
        ] {
            assert_eq!(body(head), Err(fault), "{head}");
        }
        let chunked = [httparse::Header {
            name: "Transfer-Encoding",
            value: b"chunked",
        }];
        assert_eq!(BodyProgress::of(&chunked, 0), Err(BodyFault::Encoding));
    }

    /// Takes all of it, in pieces, and returns how much was the body's.
    fn taken(mut body: BodyProgress, bytes: &[u8], piece: usize) -> Result<(usize, bool), BodyFault> {
        let mut taken = 0;
        for part in bytes.chunks(piece) {
            let count = body.take(part)?;
            taken += count;
            if count < part.len() {
                break;
            }
        }
        Ok((taken, body.is_over()))
    }

    fn chunks() -> BodyProgress {
        BodyProgress::Chunks(ChunkState::Size { size: 0, digits: 0 })
    }

    #[test]
    fn a_body_ends_where_it_says() {
        for piece in [1, 2, 3, 1000] {
            let check = |body: BodyProgress, bytes: &str, expected: (usize, bool)| {
                assert_eq!(taken(body, bytes.as_bytes(), piece), Ok(expected), "{bytes:?}");
            };
            check(BodyProgress::Length(0), "GET", (0, true));
            check(BodyProgress::Length(3), "abcGET", (3, true));
            check(BodyProgress::Length(9), "abc", (3, false));
            check(chunks(), "0\r\n\r\nGET", (5, true));
            check(chunks(), "3\r\nabc\r\n00\r\n\r\nGET", (14, true));
            check(chunks(), "a\r\n0\r\n\r\n12345\r\n0\r\n\r\nGET", (20, true));
            check(
                chunks(),
                "F\r\n0123456789abcde\r\n0\r\nX: y\r\nZ:\r\n\r\nGET",
                (35, true),
            );
            check(chunks(), "3\r\nab", (5, false));
        }
    }

    #[test]
    fn what_servers_read_in_different_ways_is_refused() {
        for (bytes, fault) in [
            ("\r\n", BodyFault::Chunk),
            ("g\r\n", BodyFault::Chunk),
            ("0x3\r\n", BodyFault::Chunk),
            ("3\nabc", BodyFault::Chunk),
            ("3 \r\nabc", BodyFault::Chunk),
            (" 3\r\nabc", BodyFault::Chunk),
            ("3;a=b\r\nabc", BodyFault::Chunk),
            ("3\r\nabc0\r\n", BodyFault::Chunk),
            ("3\r\nabc\n0\r\n", BodyFault::Chunk),
            ("3\rabc", BodyFault::Chunk),
            ("00000000000000003\r\n", BodyFault::Chunk),
            ("0\r\nX: y\nZ: y\r\n\r\n", BodyFault::Trailer),
            ("0\r\n X: y\r\n\r\n", BodyFault::Trailer),
            ("0\r\n\n", BodyFault::Trailer),
            ("0\r\nX: y\rZ", BodyFault::Trailer),
            ("0\r\nX: \0\r\n\r\n", BodyFault::Trailer),
        ] {
            assert_eq!(taken(chunks(), bytes.as_bytes(), 1), Err(fault), "{bytes:?}");
            assert_eq!(taken(chunks(), bytes.as_bytes(), 1000), Err(fault), "{bytes:?}");
        }
        let endless = format!("0\r\nX: {}", "y".repeat(MAX_TRAILER_BYTES));
        assert_eq!(taken(chunks(), endless.as_bytes(), 7), Err(BodyFault::Trailer));
    }

    proptest! {
        #[test]
        fn pieces_make_no_difference(bytes in "[0-3a\r\n X:]{0,40}", piece in 1..9_usize) {
            prop_assert_eq!(
                taken(chunks(), bytes.as_bytes(), piece),
                taken(chunks(), bytes.as_bytes(), 1000)
            );
        }
    }
}
