//! A few characters that a person types to say yes to something dangerous: no habit types them.

/// Letters and digits that look like no other.
const ALPHABET: &[u8; 31] = b"23456789abcdefghjkmnpqrstuvwxyz";

/// How many are typed.
const LENGTH: usize = 4;

/// Returns a new code; nothing where the system has no random numbers.
pub(crate) fn random() -> Option<String> {
    let mut bytes = [0_u8; LENGTH];
    getrandom::fill(&mut bytes).ok()?;
    let letters = bytes
        .iter()
        .filter_map(|byte| ALPHABET.get(usize::from(*byte) % ALPHABET.len()));
    Some(letters.map(|letter| char::from(*letter)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_short_and_differ() {
        let codes: std::collections::BTreeSet<String> = (0..50).filter_map(|_| random()).collect();
        assert!(codes.len() > 40);
        assert!(codes.iter().all(|code| code.len() == LENGTH));
    }
}
