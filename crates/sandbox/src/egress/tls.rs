//! The server name in a TLS ClientHello (RFC 8446 §4.1.2, RFC 6066 §3), read while it arrives.
//!
//! Nothing is decrypted: the hello is in the clear. It may come in several records, and in any number
//! of reads; each call looks at everything that came so far. Never panics, whatever the bytes.

/// How long a hello may be, records included.
pub(super) const MAX_HELLO_BYTES: usize = 16 * 1024;

/// The content type of a handshake record.
pub(super) const HANDSHAKE_RECORD: u8 = 22;

/// The message type of a ClientHello.
const CLIENT_HELLO: u8 = 1;

/// What the first bytes of a connection are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TlsHello {
    /// Not TLS.
    NotTls,
    /// TLS so far, but not all of the hello.
    NeedMore,
    /// A hello for this name, as written.
    Name(String),
    /// A hello that names no server.
    NoName,
    /// TLS that no honest client sends.
    Malformed,
}

/// Looks at the bytes that came so far.
pub(super) fn hello(bytes: &[u8]) -> TlsHello {
    match bytes {
        [] | [HANDSHAKE_RECORD] => return TlsHello::NeedMore,
        [HANDSHAKE_RECORD, 3, ..] => {}
        _ => return TlsHello::NotTls,
    }
    let Some(message) = unwrap_records(bytes) else {
        return TlsHello::Malformed;
    };
    let mut reader = ByteReader(&message);
    let (Some(kind), length) = (reader.u8(), reader.u24()) else {
        return more(bytes);
    };
    if kind != CLIENT_HELLO || length.is_some_and(|length| length > MAX_HELLO_BYTES) {
        return TlsHello::Malformed;
    }
    let Some(body) = length.and_then(|length| reader.take(length)) else {
        return more(bytes);
    };
    match server_name(body) {
        Ok(Some(name)) => TlsHello::Name(name),
        Ok(None) => TlsHello::NoName,
        Err(BrokenRecord) => TlsHello::Malformed,
    }
}

fn more(bytes: &[u8]) -> TlsHello {
    if bytes.len() < MAX_HELLO_BYTES {
        TlsHello::NeedMore
    } else {
        TlsHello::Malformed
    }
}

/// Returns what is inside the handshake records, the last of which may be cut; `None` when they are none.
fn unwrap_records(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut reader = ByteReader(bytes);
    let mut message = Vec::with_capacity(bytes.len());
    while let Some(kind) = reader.u8() {
        let major = reader.u8();
        // What follows a whole hello is none of our business, so a stranger there only ends the search.
        if kind != HANDSHAKE_RECORD || major.is_some_and(|major| major != 3) {
            return is_whole(&message).then_some(message);
        }
        let (Some(_minor), Some(length)) = (reader.u8(), reader.u16()) else {
            break;
        };
        if length == 0 || length > 1 << 14 {
            return is_whole(&message).then_some(message);
        }
        let part = length.min(reader.0.len());
        message.extend_from_slice(reader.take(part)?);
    }
    Some(message)
}

fn is_whole(message: &[u8]) -> bool {
    let mut reader = ByteReader(message);
    reader.u8().is_some() && reader.u24().is_some_and(|length| reader.take(length).is_some())
}

/// A structure that ends too early, too late, or says something twice.
struct BrokenRecord;

fn server_name(body: &[u8]) -> Result<Option<String>, BrokenRecord> {
    let mut reader = ByteReader(body);
    let version_and_random = reader.take(2 + 32);
    let session = reader.short_vector();
    let ciphers = reader.vector();
    let compressions = reader.short_vector();
    if [version_and_random, session, ciphers, compressions].contains(&None) {
        return Err(BrokenRecord);
    }
    if reader.0.is_empty() {
        return Ok(None); // TLS 1.2 and earlier may leave all extensions out.
    }
    let mut extensions = ByteReader(reader.vector().ok_or(BrokenRecord)?);
    let mut found = None;
    while !extensions.0.is_empty() {
        let kind = extensions.u16().ok_or(BrokenRecord)?;
        let content = extensions.vector().ok_or(BrokenRecord)?;
        if kind == 0 && found.replace(name_list(content)?).is_some() {
            return Err(BrokenRecord);
        }
    }
    if reader.0.is_empty() {
        Ok(found)
    } else {
        Err(BrokenRecord)
    }
}

/// Reads the one host name of a list. Other kinds of names were never defined.
fn name_list(content: &[u8]) -> Result<String, BrokenRecord> {
    let mut outer = ByteReader(content);
    let mut list = ByteReader(outer.vector().ok_or(BrokenRecord)?);
    let kind = list.u8();
    let name = list.vector().ok_or(BrokenRecord)?;
    if kind != Some(0) || !list.0.is_empty() || !outer.0.is_empty() || name.is_empty() || !name.is_ascii() {
        return Err(BrokenRecord);
    }
    String::from_utf8(name.to_vec()).map_err(|_| BrokenRecord)
}

/// Bytes from the front.
struct ByteReader<'a>(&'a [u8]);

impl<'a> ByteReader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn u8(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    fn u16(&mut self) -> Option<usize> {
        Some(usize::from(self.u8()?) << 8 | usize::from(self.u8()?))
    }

    fn u24(&mut self) -> Option<usize> {
        Some(usize::from(self.u8()?) << 16 | self.u16()?)
    }

    fn short_vector(&mut self) -> Option<&'a [u8]> {
        let length = self.u8()?;
        self.take(length.into())
    }

    fn vector(&mut self) -> Option<&'a [u8]> {
        let length = self.u16()?;
        self.take(length)
    }
}

#[cfg(test)]
pub(super) mod samples {
    /// Builds the hello of a plain client, in records of at most `record` bytes.
    pub(in super::super) fn client_hello(name: Option<&str>, record: usize) -> Vec<u8> {
        fn vector(content: &[u8]) -> Vec<u8> {
            let mut bytes = u16::try_from(content.len()).unwrap().to_be_bytes().to_vec();
            bytes.extend_from_slice(content);
            bytes
        }
        let mut extensions = vec![0, 23, 0, 0]; // extended master secret, which is empty
        if let Some(name) = name {
            let entry = [&[0][..], &vector(name.as_bytes())].concat();
            extensions.extend([0, 0]);
            extensions.extend(vector(&vector(&entry)));
        }
        let mut body = vec![3, 3];
        body.extend([7; 32]);
        body.extend([0, 0, 2, 0x13, 0x01, 1, 0]);
        body.extend(vector(&extensions));
        let length = u32::try_from(body.len()).unwrap().to_be_bytes();
        let message = [&[1], &length[1..], &body].concat();
        let records = message
            .chunks(record)
            .map(|part| [&[22, 3, 1][..], &vector(part)].concat());
        records.collect::<Vec<_>>().concat()
    }
}

#[cfg(test)]
mod tests {
    use super::samples::client_hello;
    use super::*;
    use proptest::prelude::*;

    /// What Python's `ssl` (OpenSSL 3) sends to `api.example.com`.
    const CAPTURED: &str = "\
        1603010200010001fc03036f41c0a0efe4da03090e3fb35f7152f7938d9a7e657d08e26f76229c276379632072953917 \
        b91eb9b0cfe3b7615703c9c83777afe325aa0b9c8c9da6bde2458bb30024130213031301c02cc030c02bc02fcca9cca8 \
        c024c028c023c027009f009e006b006700ff0100018f00000014001200000f6170692e6578616d706c652e636f6d000b \
        000403000102000a00160014001d0017001e0019001801000101010201030104002300000016000000170000000d002a \
        0028040305030603080708080809080a080b080408050806040105010601030303010302040205020602002b00050403 \
        040303002d00020101003300260024001d002086d4ea576cd741617bb3400e27587e93f6ed4018e4d7ae6c2d61e2ad0f \
        562778001500de0000000000000000000000000000000000000000000000000000000000000000000000000000000000 \
        000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000 \
        000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000 \
        000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000 \
        00000000000000000000000000000000000000000000000000000000000000000000000000";

    fn captured() -> Vec<u8> {
        let digits = CAPTURED.as_bytes().iter().filter(|c| !c.is_ascii_whitespace());
        let digits: String = digits.map(|c| char::from(*c)).collect();
        let byte = |at: usize| u8::from_str_radix(digits.get(at..at + 2).unwrap(), 16).unwrap();
        (0..digits.len()).step_by(2).map(byte).collect()
    }

    fn check_prefixes(bytes: &[u8], expected: &TlsHello) {
        assert_eq!(hello(bytes), *expected);
        for end in 0..bytes.len() {
            let seen = hello(&bytes[..end]);
            assert!(
                seen == TlsHello::NeedMore || seen == *expected,
                "after {end} bytes: {seen:?}"
            );
        }
        let followed = [bytes, b"\x17\x03\x03 and what comes next"].concat();
        assert_eq!(hello(&followed), *expected);
    }

    #[test]
    fn a_hello_is_read_from_any_number_of_reads_and_records() {
        check_prefixes(&captured(), &TlsHello::Name("api.example.com".into()));
        for record in [1, 3, 64, 16_000] {
            check_prefixes(
                &client_hello(Some("A.test"), record),
                &TlsHello::Name("A.test".into()),
            );
            check_prefixes(&client_hello(None, record), &TlsHello::NoName);
        }
    }

    #[test]
    fn what_is_not_a_hello_is_told_apart() {
        for other in [
            &b"SSH-2.0-x"[..],
            b"GET / HTTP/1.1",
            b"\x16\x02\x01",
            b"\x80\x2e\x01",
            b"\x17\x03\x03",
        ] {
            assert_eq!(hello(other), TlsHello::NotTls, "{other:?}");
        }
        assert_eq!(hello(b""), TlsHello::NeedMore);
        for broken in [
            &b"\x16\x03\x01\x00\x00"[..],            // an empty record
            b"\x16\x03\x01\xff\xff",                 // a record that is too long
            b"\x16\x03\x01\x00\x04\x02\x00\x00\x00", // a server's hello
            b"\x16\x03\x01\x00\x04\x01\x01\x00\x00", // longer than we read
            b"\x16\x03\x01\x00\x04\x01\x00\x00\x00", // nothing in it
            b"\x16\x03\x01\x00\x01\x01\x15\x03",     // an alert in the middle
        ] {
            assert_eq!(hello(broken), TlsHello::Malformed, "{broken:?}");
        }
        let endless = client_hello(Some("a.test"), 1).repeat(100);
        let cut: Vec<u8> = endless
            .iter()
            .copied()
            .take(6)
            .chain([22, 3, 1, 0, 1, 0])
            .collect();
        assert_eq!(hello(&cut), TlsHello::NeedMore);
        assert_eq!(hello(&client_hello(Some("\u{e9}.test"), 64)), TlsHello::Malformed);
        assert_eq!(hello(&client_hello(Some(""), 64)), TlsHello::Malformed);
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
            hello(&bytes);
            hello(&[&[22, 3, 1][..], &bytes].concat());
        }

        #[test]
        fn a_hello_with_changed_bytes_does_not_panic(at in 0usize..517, to in any::<u8>()) {
            let mut bytes = captured();
            if let Some(byte) = bytes.get_mut(at) {
                *byte = to;
            }
            hello(&bytes);
        }
    }
}
