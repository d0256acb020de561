//! The rest of a secret that was recognised: as many bytes as can belong to it, however many pieces they come in.

/// Bytes that can belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Set {
    /// Letters, digits, `_`, `-`.
    Word,
    /// The same, and dots.
    Dotted,
    /// Capitals and digits.
    Capital,
    /// What a token in a header is made of.
    Token68,
    /// What a password in a URL is made of.
    Password,
    /// The text of a private key, up to its last line.
    Key,
}

/// How much of a private key is covered when its last line does not come.
const KEY: usize = 64 * 1024;

/// How many dashes stand at each end of a line around a private key.
const DASHES: u8 = 5;

impl Set {
    /// All of them.
    pub(super) const COUNT: usize = 6;

    /// Returns the place of this set among all.
    pub(super) fn index(self) -> usize {
        match self {
            Self::Word => 0,
            Self::Dotted => 1,
            Self::Capital => 2,
            Self::Token68 => 3,
            Self::Password => 4,
            Self::Key => 5,
        }
    }

    /// Whether `byte` is one of them.
    pub(super) fn has(self, byte: u8) -> bool {
        let word = byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        match self {
            Self::Word => word,
            Self::Dotted => word || byte == b'.',
            Self::Capital => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Token68 => word || b".~+/=".contains(&byte),
            Self::Password => !byte.is_ascii_whitespace() && !b"/@\"'<>\\`".contains(&byte),
            // Also with its line ends written `\n`, and the headers of an encrypted one.
            Self::Key => word || b"+/=\n\r\t :,\\".contains(&byte),
        }
    }

    /// Returns how many bytes at the beginning of `bytes` are of this set.
    pub(super) fn span(self, bytes: &[u8]) -> usize {
        bytes.iter().take_while(|byte| self.has(**byte)).count()
    }
}

/// A secret whose end has not come.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    pub(super) set: Set,
    /// For a private key: dashes in a row, lines of dashes seen, and how much may still come.
    dashes: u8,
    fences: u8,
    left: usize,
}

/// Whether more of it may come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Took {
    /// All of the bytes belong to it.
    All,
    /// So many do, and it ends there.
    Only(usize),
}

impl Run {
    /// Begins behind what was recognised.
    pub(super) fn new(set: Set) -> Self {
        Self {
            set,
            dashes: 0,
            fences: 0,
            left: KEY,
        }
    }

    /// Takes what belongs to it from the beginning of `bytes`.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Took {
        let span = match self.set {
            Set::Key => self.key(bytes),
            Set::Word | Set::Dotted | Set::Capital | Set::Token68 | Set::Password => self.set.span(bytes),
        };
        if span == bytes.len() {
            Took::All
        } else {
            Took::Only(span)
        }
    }

    /// A key ends behind the second fence of dashes, which is the end of its last line.
    fn key(&mut self, bytes: &[u8]) -> usize {
        for (index, byte) in bytes.iter().enumerate() {
            if self.fences == 2 || self.left == 0 || !self.set.has(*byte) {
                self.left = 0;
                return index;
            }
            self.left -= 1;
            if *byte == b'-' {
                self.dashes += 1;
                if self.dashes == DASHES {
                    self.fences += 1;
                    self.dashes = 0;
                }
            } else {
                self.dashes = 0;
            }
        }
        bytes.len()
    }
}
