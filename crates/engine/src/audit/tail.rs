//! Where a file of the record ends: its last record that holds, and what stands behind it.

use std::fs::File;
use std::io;

use super::backward::{Backward, Ended};
use super::hash::Hash;
use super::line::Line;

/// How far back a record that holds is looked for. Behind it everything would be damaged.
const FARTHEST: u64 = 16 << 20;

/// The last record of a chain, as far as somebody knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Last {
    pub(super) seq: u64,
    pub(super) hash: Hash,
    pub(super) ts: String,
}

/// The end of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tail {
    /// The last record that holds, if there is one.
    pub(super) last: Option<Last>,
    /// Lines behind it that do not.
    pub(super) damaged: u64,
    /// Where the part starts that somebody did not finish; the end of the file if there is none.
    pub(super) torn: u64,
}

impl Tail {
    /// Reads the end of the first `size` bytes.
    pub(super) fn read(file: &File, size: u64) -> io::Result<Self> {
        let mut tail = Self {
            last: None,
            damaged: 0,
            torn: size,
        };
        let mut lines = Backward::new(file, size);
        while let Some(piece) = lines.next()? {
            match piece.ended {
                Ended::File => tail.torn = piece.start,
                Ended::Newline => match Line::read(&piece.bytes) {
                    Ok(line) if line.is_true() => {
                        tail.last = Some(Last {
                            seq: line.seq,
                            hash: line.hash,
                            ts: line.ts.to_owned(),
                        });
                        break;
                    }
                    Ok(_) | Err(_) => tail.damaged += 1,
                },
            }
            if size - piece.start > FARTHEST {
                break;
            }
        }
        Ok(tail)
    }
}
