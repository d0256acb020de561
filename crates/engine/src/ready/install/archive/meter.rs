//! Counts what comes out of a decoder and stops it at a limit; keeps the last block, by which the end of a tar is told.

use std::io::{self, Read};

/// How much of the end is kept.
const TAIL: usize = 512;
/// How large anything may be, unpacked.
pub(super) const LARGEST: u64 = 8 << 30;
/// What is allowed whatever the packed size, and how many times that beyond.
const ALWAYS: u64 = 64 << 20;
const RATIO: u64 = 100;

/// A reader that counts.
#[derive(Debug)]
pub(super) struct Meter<R> {
    inner: R,
    left: u64,
    tail: Vec<u8>,
}

/// Returns how much may come out of a file of this size.
pub(super) fn most(packed: u64) -> u64 {
    packed.saturating_mul(RATIO).clamp(ALWAYS, LARGEST)
}

impl<R: Read> Meter<R> {
    pub(super) fn new(inner: R, most: u64) -> Self {
        Self {
            inner,
            left: most,
            tail: Vec::new(),
        }
    }

    /// Reads to the end, so that whatever checks the whole has checked it.
    ///
    /// # Errors
    /// What the reader says.
    pub(super) fn drain(&mut self) -> io::Result<()> {
        let mut buffer = vec![0; 64 << 10];
        while self.read(&mut buffer)? != 0 {}
        Ok(())
    }

    /// Whether the last block is empty, as that of every whole tar is.
    pub(super) fn ends_empty(&self) -> bool {
        self.tail.len() == TAIL && self.tail.iter().all(|byte| *byte == 0)
    }
}

impl<R: Read> Read for Meter<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        let bytes = u64::try_from(count).unwrap_or(u64::MAX);
        self.left = match self.left.checked_sub(bytes) {
            Some(left) => left,
            None => return Err(io::ErrorKind::FileTooLarge.into()),
        };
        let read = buffer.get(..count).unwrap_or_default();
        self.tail
            .extend_from_slice(read.get(read.len().saturating_sub(TAIL)..).unwrap_or_default());
        let over = self.tail.len().saturating_sub(TAIL);
        self.tail.drain(..over);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_grows_too_much_is_stopped() {
        let mut meter = Meter::new(io::repeat(1), 1000);
        let error = meter.drain().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(most(1), ALWAYS);
        assert_eq!(most(1 << 20), 100 << 20);
        assert_eq!(most(u64::MAX), LARGEST);
    }

    #[test]
    fn the_end_is_known_however_it_is_read() {
        let check = |bytes: Vec<u8>, want: bool| {
            let mut meter = Meter::new(io::Cursor::new(bytes), 1 << 20);
            let mut byte = [0; 7];
            while meter.read(&mut byte).unwrap() != 0 {}
            assert_eq!(meter.ends_empty(), want);
        };
        check(vec![0; 512], true);
        check(vec![0; 511], false);
        check([vec![1; 600], vec![0; 512]].concat(), true);
        check([vec![0; 600], vec![1; 1]].concat(), false);
    }
}
