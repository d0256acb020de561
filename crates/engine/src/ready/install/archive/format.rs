//! What a downloaded file is, by its first bytes. Names and media types are not asked.

/// How many bytes are looked at.
pub(super) const HEAD: usize = 512;

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// Compressed, with a tar archive or a single file inside.
    Gzip,
    /// The same.
    Xz,
    /// The same.
    Zstd,
    /// A tar archive.
    Tar,
    /// A zip archive.
    Zip,
    /// Anything else: the program itself.
    Bare,
}

impl Format {
    /// Looks at the first bytes of a file.
    pub(super) fn of(head: &[u8]) -> Self {
        let starts: [(&[u8], Self); 5] = [
            (b"\x1f\x8b", Self::Gzip),
            (b"\xfd7zXZ\0", Self::Xz),
            (b"\x28\xb5\x2f\xfd", Self::Zstd),
            (b"PK\x03\x04", Self::Zip),
            (b"PK\x05\x06", Self::Zip),
        ];
        match starts.iter().find(|(magic, _)| head.starts_with(magic)) {
            Some((_, format)) => *format,
            None if is_tar(head) => Self::Tar,
            None => Self::Bare,
        }
    }
}

/// Whether a block is the head of a tar entry: its sum is right. Old archives have no magic word.
pub(super) fn is_tar(head: &[u8]) -> bool {
    let Some(block) = head.get(..HEAD) else {
        return false;
    };
    let sum = |index: usize, byte: u8| match (148..156).contains(&index) {
        true => u32::from(b' '),
        false => u32::from(byte),
    };
    let total: u32 = block
        .iter()
        .enumerate()
        .map(|(index, byte)| sum(index, *byte))
        .sum();
    let written = block.get(148..156).unwrap_or_default();
    let digits: String = written
        .iter()
        .map(|byte| char::from(*byte))
        .filter(char::is_ascii_digit)
        .collect();
    block.iter().any(|byte| *byte != 0) && u32::from_str_radix(&digits, 8) == Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_tell_what_a_file_is() {
        let check = |head: &[u8], want: Format| assert_eq!(Format::of(head), want, "{head:?}");
        check(b"\x1f\x8b\x08", Format::Gzip);
        check(b"\xfd7zXZ\0\0", Format::Xz);
        check(b"\x28\xb5\x2f\xfd", Format::Zstd);
        check(b"PK\x03\x04", Format::Zip);
        check(b"\x7fELF", Format::Bare);
        check(b"#!/bin/sh\n", Format::Bare);
        check(b"", Format::Bare);
        check(&[0; HEAD], Format::Bare);
        let mut head = tar::Header::new_ustar();
        head.set_path("gh").unwrap();
        head.set_size(0);
        head.set_cksum();
        check(head.as_bytes(), Format::Tar);
        let mut wrong = *head.as_bytes();
        wrong[0] ^= 1;
        check(&wrong, Format::Bare);
    }
}
