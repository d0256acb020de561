//! Short names for questions and grants: to be read aloud and typed, so no character looks like another.

use super::error::StoreError;
use crate::policy::GrantId;
use crate::policy::RequestId;

/// Lower-case letters and digits without `0` and `o`, `1`, `l` and `i`.
const ALPHABET: &[u8; 31] = b"23456789abcdefghjkmnpqrstuvwxyz";

/// Random bytes from here on are thrown away, so that each character is as likely as any other.
const FAIR: u8 = 248;

impl RequestId {
    /// How many characters it has.
    pub const LENGTH: usize = 6;

    /// Returns a random one. Whether it is taken is known to the store alone.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub fn random() -> Result<Self, StoreError> {
        characters(Self::LENGTH).map(Self)
    }
}

/// Returns a random name for a grant: `g-` and five characters. One that is taken is refused by
/// [`Store::add_grant`](super::Store::add_grant).
///
/// # Errors
/// When the system has no random numbers.
pub fn random_grant_id() -> Result<GrantId, StoreError> {
    characters(5).map(|characters| GrantId(format!("g-{characters}")))
}

fn characters(count: usize) -> Result<String, StoreError> {
    let mut text = String::with_capacity(count);
    let mut bytes = [0_u8; 16];
    while text.len() < count {
        getrandom::fill(&mut bytes).map_err(|error| StoreError::NoRandom {
            problem: error.to_string(),
        })?;
        let fair = bytes.iter().filter(|byte| **byte < FAIR);
        let letters = fair.filter_map(|byte| ALPHABET.get(usize::from(*byte) % ALPHABET.len()));
        text.extend(letters.take(count - text.len()).map(|letter| char::from(*letter)));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_short_and_no_character_looks_like_another() {
        assert_eq!(usize::from(FAIR) % ALPHABET.len(), 0);
        let mut seen = BTreeSet::new();
        for _ in 0..200 {
            let id = RequestId::random().unwrap().0;
            assert_eq!(id.len(), RequestId::LENGTH);
            let grant = random_grant_id().unwrap().0;
            let rest = grant.strip_prefix("g-").unwrap();
            assert_eq!(rest.len(), 5);
            for character in id.chars().chain(rest.chars()) {
                assert!(character.is_ascii_lowercase() || character.is_ascii_digit());
                assert!(!"0o1li".contains(character), "{id} {grant}");
                seen.insert(character);
            }
        }
        assert_eq!(seen.len(), ALPHABET.len(), "2200 characters show each of them");
    }
}
