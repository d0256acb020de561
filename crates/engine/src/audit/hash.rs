//! The hash of a record, and the keyed hash of an argv.

use sha2::{Digest, Sha256};

/// A SHA-256 hash.
pub(super) type Hash = [u8; 32];

/// The block of SHA-256, for which a key is filled up.
const BLOCK: usize = 64;

/// Returns the hash of the parts, one after the other.
pub(super) fn hash(parts: &[&[u8]]) -> Hash {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

/// Returns the HMAC-SHA256 (RFC 2104) of fields, each with its length before it, so that no two lists are the same.
pub(super) fn keyed(key: &Hash, fields: impl Iterator<Item = impl AsRef<[u8]>>) -> Hash {
    let padded = |with: u8| {
        let mut block = [with; BLOCK];
        for (byte, key) in block.iter_mut().zip(key) {
            *byte ^= key;
        }
        block
    };
    let mut inner = Sha256::new();
    inner.update(padded(0x36));
    for field in fields {
        let field = field.as_ref();
        inner.update(u64::try_from(field.len()).unwrap_or(u64::MAX).to_be_bytes());
        inner.update(field);
    }
    hash(&[&padded(0x5c), &inner.finalize()])
}

/// Returns 64 hexadecimal digits.
pub(super) fn hex(hash: &Hash) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(2 * hash.len());
    for byte in hash {
        let (high, low) = (usize::from(byte >> 4), usize::from(byte & 15));
        text.push(char::from(DIGITS[high]));
        text.push(char::from(DIGITS[low]));
    }
    text
}

/// What each byte is worth as a digit; 255 for what is none.
const VALUES: [u8; 256] = {
    let mut values = [255; 256];
    let mut digit = 0;
    while digit < 16 {
        let byte = if digit < 10 {
            b'0' + digit
        } else {
            b'a' + digit - 10
        };
        values[byte as usize] = digit;
        digit += 1;
    }
    values
};

/// Reads 64 lower-case hexadecimal digits.
pub(super) fn unhex(text: &[u8]) -> Option<Hash> {
    let (pairs, []) = text.as_chunks::<2>() else {
        return None;
    };
    let pairs: &[[u8; 2]; 32] = pairs.try_into().ok()?;
    let mut wrong = 0;
    let hash = pairs.map(|[high, low]| {
        let (high, low) = (VALUES[usize::from(high)], VALUES[usize::from(low)]);
        wrong |= high | low;
        high << 4 | (low & 15)
    });
    (wrong < 16).then_some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_digits_read_back_and_others_do_not() {
        let abc = hash(&[b"a", b"bc"]);
        let digits = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hex(&abc), digits);
        assert_eq!(unhex(digits.as_bytes()), Some(abc));
        for bad in ["", "ba", &digits.to_uppercase(), &digits.replace('b', "g")] {
            assert_eq!(unhex(bad.as_bytes()), None, "{bad}");
        }
    }

    #[test]
    fn the_keyed_hash_is_hmac_and_knows_where_a_field_ends() {
        let of = |key: u8, fields: &[&str]| keyed(&[key; 32], fields.iter());
        assert_eq!(of(1, &["ab", "c"]), of(1, &["ab", "c"]));
        assert_ne!(of(1, &["ab", "c"]), of(1, &["a", "bc"]));
        assert_ne!(of(1, &["abc"]), of(2, &["abc"]));
        // Without fields it is HMAC of nothing: here with a key of zeros, which is HMAC with an empty key.
        assert_eq!(
            hex(&of(0, &[])),
            "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
        );
    }
}
