//! Where a chain of records ends.

/// The last record of a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// Its number, from 0; so there is one record more than this.
    pub seq: u64,
    /// Its hash, in lower-case hexadecimal digits.
    pub hash: String,
}
