//! One stream as it comes: made harmless, counted, the beginning kept in memory and the whole on disk if it is long.
//!
//! Whether a stream is text is told by its first 64 KiB: text loses what steers a terminal, anything else stays as it is.
//! Secrets are removed behind that, so that no escape inside of one hides it.

use argrail_spec::atip::OutputFormat;

use super::keep::{Draft, Kept};
use super::redact::{Ending, Redactor, Secrets};
use super::stream::Stream;
use super::strip::Strip;

/// How much is looked at before a stream is taken for text.
const SNIFFED: usize = 64 * 1024;

/// A stream that is coming.
#[derive(Debug)]
pub(super) struct Intake {
    stage: Stage,
    redactor: Redactor,
    stream: Stream,
    draft: Draft,
    /// How much stays in memory.
    memory: usize,
    head: Vec<u8>,
    bytes: u64,
    spill: Spill,
}

#[derive(Debug)]
enum Stage {
    /// It may be text: nothing was handed on.
    Sniffing(Vec<u8>),
    Text(Strip),
    Raw,
}

#[derive(Debug)]
enum Spill {
    /// All of it is in memory.
    None,
    /// All of it is in the file, as far as there is room.
    File(Kept, u64),
    /// The disk refused.
    Lost,
}

/// A stream that has ended.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Taken {
    /// Its beginning, or all of it.
    pub head: Vec<u8>,
    /// How long it was, without secrets and terminal control.
    pub bytes: u64,
    /// How much of it is on disk, if it went there.
    pub kept: Option<u64>,
}

impl Taken {
    /// Whether all of it is in memory.
    pub fn is_whole(&self) -> bool {
        self.head.len() as u64 == self.bytes
    }
}

impl Intake {
    /// Takes a stream of this format.
    pub(super) fn new(
        stream: Stream,
        format: OutputFormat,
        secrets: &Secrets,
        draft: Draft,
        memory: usize,
    ) -> Self {
        let stage = match format {
            OutputFormat::Text => Stage::Sniffing(Vec::new()),
            OutputFormat::Json | OutputFormat::Ndjson | OutputFormat::Yaml | OutputFormat::Binary => {
                Stage::Raw
            }
        };
        Self {
            stage,
            redactor: Redactor::new(secrets),
            stream,
            draft,
            memory,
            head: Vec::new(),
            bytes: 0,
            spill: Spill::None,
        }
    }

    /// Takes the next bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        match &mut self.stage {
            Stage::Sniffing(begun) => {
                begun.extend_from_slice(bytes);
                if begun.len() >= SNIFFED {
                    // More comes: the last character may be cut.
                    self.decide(Ending::Cut);
                }
            }
            Stage::Text(strip) => {
                let mut text = Vec::with_capacity(bytes.len() + 8);
                strip.push(bytes, &mut text);
                self.redact(&text);
            }
            Stage::Raw => self.redact(bytes),
        }
    }

    /// Ends the stream.
    pub(super) fn finish(mut self, ending: Ending) -> Taken {
        self.decide(ending);
        if let Stage::Text(strip) = &mut self.stage {
            let mut text = Vec::new();
            strip.finish(&mut text);
            if ending == Ending::Cut {
                text.truncate(text.len() - begun_character(&text));
            }
            self.redact(&text);
        }
        let mut rest = Vec::new();
        self.redactor.finish(ending, &mut rest);
        self.store(&rest);
        let kept = match self.spill {
            Spill::None | Spill::Lost => None,
            Spill::File(file, kept) => {
                file.close();
                Some(kept)
            }
        };
        Taken {
            head: self.head,
            bytes: self.bytes,
            kept,
        }
    }

    /// Takes what came so far for text, or not.
    fn decide(&mut self, ending: Ending) {
        let Stage::Sniffing(begun) = &mut self.stage else {
            return;
        };
        let begun = std::mem::take(begun);
        let good = match ending {
            Ending::Whole => begun.len(),
            Ending::Cut => begun.len() - begun_character(&begun),
        };
        self.stage = match str::from_utf8(begun.get(..good).unwrap_or_default()) {
            Ok(_) => Stage::Text(Strip::default()),
            Err(_) => Stage::Raw,
        };
        self.push(&begun);
    }

    fn redact(&mut self, bytes: &[u8]) {
        let mut out = Vec::with_capacity(bytes.len());
        self.redactor.push(bytes, &mut out);
        self.store(&out);
    }

    fn store(&mut self, bytes: &[u8]) {
        let before = self.head.len();
        self.bytes += bytes.len() as u64;
        let room = self.memory.saturating_sub(self.head.len());
        let (fits, _) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(fits);
        if self.bytes <= self.memory as u64 {
            return;
        }
        if let Spill::None = self.spill {
            self.spill = match self.draft.open(self.stream) {
                Some(mut file) => {
                    let begun = self.head.get(..before).unwrap_or_default();
                    let kept = file.write(begun) as u64;
                    Spill::File(file, kept)
                }
                None => Spill::Lost,
            };
        }
        match &mut self.spill {
            Spill::File(file, kept) => *kept += file.write(bytes) as u64,
            Spill::None | Spill::Lost => {}
        }
    }
}

/// Returns how many bytes at the end are the beginning of a character whose rest is not there.
fn begun_character(bytes: &[u8]) -> usize {
    match str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => bytes.len() - error.valid_up_to(),
        Ok(_) | Err(_) => 0,
    }
}
