//! Where the chain was at one moment, to be kept elsewhere: what a record of the same user cannot prove alone.

use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use super::directory::open_to_read;
use super::error::RecordError;
use super::hash::{hex, unhex};
use super::read::newest;
use super::record::time;
use crate::store::Head;

/// The most bytes of a checkpoint.
const MOST: u64 = 64 * 1024;

/// The last record at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Checkpoint {
    /// Its number.
    pub seq: u64,
    /// Its hash.
    pub hash: String,
    /// How many records there are.
    pub count: u64,
    /// When that was.
    pub at: String,
}

impl Checkpoint {
    /// Looks where the chain ends now.
    ///
    /// # Errors
    /// When nothing was recorded, or a file cannot be read.
    pub fn now(directory: &Path, now: Timestamp) -> Result<Self, RecordError> {
        let mut found = None;
        newest(directory, |line| {
            if line.is_true() {
                found = Some((line.seq, hex(&line.hash)));
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })?;
        let (seq, hash) = found.ok_or(RecordError::Empty)?;
        Ok(Self {
            seq,
            hash,
            count: seq + 1,
            at: time(now),
        })
    }

    /// Reads one from a file, alone or in an envelope as `--json` prints it.
    ///
    /// # Errors
    /// When it cannot be read, or is none.
    pub fn read(path: &Path) -> Result<Self, RecordError> {
        let wrong = |problem: &str| RecordError::Checkpoint {
            path: path.to_owned(),
            problem: problem.to_owned(),
        };
        let file = open_to_read(path)?.ok_or_else(|| wrong("there is no such file"))?;
        let mut bytes = Vec::new();
        file.take(MOST)
            .read_to_end(&mut bytes)
            .map_err(RecordError::io(path))?;
        let value: Value = serde_json::from_slice(&bytes).map_err(|_| wrong("it is no JSON"))?;
        let value = value.get("data").unwrap_or(&value);
        let number = |name: &str| value.get(name).and_then(Value::as_u64);
        let text = |name: &str| {
            value
                .get(name)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        let seq = number("seq").ok_or_else(|| wrong("it has no number \"seq\""))?;
        let hash = text("hash");
        if unhex(hash.as_bytes()).is_none() {
            return Err(wrong("its \"hash\" is no hash"));
        }
        Ok(Self {
            seq,
            hash,
            count: number("count").unwrap_or(seq.saturating_add(1)),
            at: text("at"),
        })
    }

    /// Returns what it says of the chain.
    pub fn head(&self) -> Head {
        Head {
            seq: self.seq,
            hash: self.hash.clone(),
        }
    }
}
