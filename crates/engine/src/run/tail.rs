//! The last words of an output.

/// How much is kept.
pub(super) const KEPT: usize = 4096;

/// The end of what was written so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tail {
    bytes: Vec<u8>,
}

impl Tail {
    /// Takes what came.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let last = bytes.get(bytes.len().saturating_sub(KEPT)..).unwrap_or_default();
        let surplus = (self.bytes.len() + last.len()).saturating_sub(KEPT);
        self.bytes.drain(..surplus.min(self.bytes.len()));
        self.bytes.extend_from_slice(last);
    }

    /// Returns the end, at most [`KEPT`] bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_end_is_kept_however_it_comes(chunks in proptest::collection::vec(0..5000_usize, 0..8)) {
            let mut tail = Tail::default();
            let mut whole = Vec::new();
            for (number, length) in chunks.into_iter().enumerate() {
                let chunk = vec![u8::try_from(number).unwrap(); length];
                tail.push(&chunk);
                whole.extend(chunk);
            }
            prop_assert_eq!(tail.bytes(), &whole[whole.len().saturating_sub(KEPT)..]);
        }
    }
}
