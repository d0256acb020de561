//! Packed pages: the envelope of gzip (RFC 1952) around one deflated text, unpacked up to a limit.
//!
//! The checksum at the end is not looked at: a page that is damaged is read as what it says, like any other text.

use miniz_oxide::inflate::decompress_to_vec_with_limit;

const MAGIC: &[u8] = &[0x1f, 0x8b, 8];
/// What the fixed part of the head is long.
const FIXED: usize = 10;
const CHECKED: u8 = 1 << 1;
const EXTRA: u8 = 1 << 2;
const NAMED: u8 = 1 << 3;
const COMMENTED: u8 = 1 << 4;

/// Unpacks `bytes` if they are packed; nothing if they cannot be unpacked, or into more than `most` bytes.
pub(super) fn unpacked(bytes: Vec<u8>, most: usize) -> Option<Vec<u8>> {
    if !bytes.starts_with(MAGIC) {
        return (bytes.len() <= most).then_some(bytes);
    }
    decompress_to_vec_with_limit(body(&bytes)?, most).ok()
}

/// What stands behind the head.
fn body(bytes: &[u8]) -> Option<&[u8]> {
    let flags = *bytes.get(3)?;
    let mut rest = bytes.get(FIXED..)?;
    if flags & EXTRA != 0 {
        let length = u16::from_le_bytes([*rest.first()?, *rest.get(1)?]);
        rest = rest.get(2 + usize::from(length)..)?;
    }
    for flag in [NAMED, COMMENTED] {
        if flags & flag != 0 {
            let end = memchr::memchr(0, rest)?;
            rest = rest.get(end + 1..)?;
        }
    }
    if flags & CHECKED != 0 {
        rest = rest.get(2..)?;
    }
    Some(rest)
}

#[cfg(test)]
pub(super) mod testing {
    use miniz_oxide::deflate::compress_to_vec;

    /// Packs a text as `gzip` does, with its name in the head.
    pub(in super::super) fn packed(text: &[u8]) -> Vec<u8> {
        let head = [0x1f, 0x8b, 8, super::NAMED, 0, 0, 0, 0, 0, 3];
        let mut bytes = [&head[..], b"page.1\0"].concat();
        bytes.extend(compress_to_vec(text, 6));
        bytes.extend([0; 8]);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::testing::packed;
    use super::*;

    #[test]
    fn a_packed_text_is_unpacked_up_to_the_limit() {
        let text = b".TH TOOL 1\n".repeat(100);
        assert_eq!(unpacked(packed(&text), 2_000).as_deref(), Some(&text[..]));
        assert_eq!(unpacked(packed(&text), 1_000), None);
        assert_eq!(unpacked(text.clone(), 2_000).as_deref(), Some(&text[..]));
        assert_eq!(unpacked(text, 1_000), None);
        // A few bytes that would become a gigabyte.
        let bomb = packed(&vec![b'x'; 8 << 20]);
        assert!(bomb.len() < 1 << 16);
        assert_eq!(unpacked(bomb, 1 << 20), None);
        let every = [
            0x1f,
            0x8b,
            8,
            EXTRA | NAMED | COMMENTED | CHECKED,
            0,
            0,
            0,
            0,
            0,
            3,
        ];
        let fields = [2, 0, 9, 9, b'n', 0, b'c', 0, 7, 7];
        let mut bytes = [&every[..], &fields[..]].concat();
        bytes.extend(miniz_oxide::deflate::compress_to_vec(b"page", 6));
        assert_eq!(unpacked(bytes, 10).as_deref(), Some(&b"page"[..]));
    }

    proptest! {
        #[test]
        fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..64), flags in any::<u8>()) {
            let head = [0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 3];
            let found = unpacked([&head[..], &bytes].concat(), 1_000);
            prop_assert!(found.is_none_or(|text| text.len() <= 1_000));
        }
    }
}
