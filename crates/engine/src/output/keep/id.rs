//! Names of kept outputs: nobody can tell one from another.

use std::fmt;
use std::io;

/// Digits and letters without those that are read for another.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

const LENGTH: usize = 10;

/// The name of a kept output: ten characters by chance. Also the name of its directory, so it is never anything else.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct OutputId(String);

impl OutputId {
    /// Makes a new one.
    pub(super) fn random() -> io::Result<Self> {
        let mut bytes = [0; LENGTH];
        getrandom::fill(&mut bytes)?;
        let letter = |byte: &u8| char::from(ALPHABET.get(usize::from(byte % 32)).copied().unwrap_or(b'0'));
        Ok(Self(bytes.iter().map(letter).collect()))
    }

    /// Reads what a caller wrote.
    pub fn parse(text: &str) -> Option<Self> {
        let ours = text.len() == LENGTH && text.bytes().all(|byte| ALPHABET.contains(&byte));
        ours.then(|| Self(text.to_owned()))
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for OutputId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_we_make_are_names() {
        let id = OutputId::random().unwrap();
        assert_eq!(OutputId::parse(id.as_str()), Some(id.clone()));
        assert_ne!(OutputId::random().unwrap(), id);
        for text in [
            "",
            "short",
            "../../../x",
            "0123456789a",
            "012345678A",
            "012345678i",
            ".draft-abc",
        ] {
            assert_eq!(OutputId::parse(text), None, "{text}");
        }
    }
}
