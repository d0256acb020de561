//! Decoders of compressed files, each with a bound on memory.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

use super::format::Format;

/// The most memory of xz, in KiB: what `xz -9` needs, and twice that.
const XZ_MEMORY: u32 = 128 << 10;
/// The largest window of zstd: what `zstd --long` takes without being told.
const ZSTD_WINDOW: u64 = 128 << 20;

/// Returns what is inside a compressed file; for other files, the file.
pub(super) fn decoder(file: File, format: Format) -> Box<dyn Read> {
    let file = BufReader::with_capacity(64 << 10, file);
    match format {
        Format::Gzip => Box::new(MultiGzDecoder::new(file)),
        Format::Xz => Box::new(XzReader::new_mem_limit(file, true, XZ_MEMORY)),
        Format::Zstd => Box::new(Frames {
            state: State::Between(file),
        }),
        Format::Tar | Format::Zip | Format::Bare => Box::new(file),
    }
}

/// A file of zstd: one frame after the other.
struct Frames<R: Read> {
    state: State<R>,
}

enum State<R: Read> {
    Between(R),
    Inside(Box<StreamingDecoder<R, FrameDecoder>>),
    Over,
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            match std::mem::replace(&mut self.state, State::Over) {
                State::Over => return Ok(0),
                State::Between(mut source) => {
                    if source.fill_buf()?.is_empty() {
                        return Ok(0);
                    }
                    let frame = StreamingDecoder::new_with_max_window_size(source, ZSTD_WINDOW)
                        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.to_string()))?;
                    self.state = State::Inside(Box::new(frame));
                }
                State::Inside(mut frame) => match frame.read(buffer)? {
                    0 => self.state = State::Between(whole(*frame)?),
                    count => {
                        self.state = State::Inside(frame);
                        return Ok(count);
                    }
                },
            }
        }
    }
}

/// Checks the sum of a frame that has ended.
fn whole<R: Read>(frame: StreamingDecoder<R, FrameDecoder>) -> io::Result<R> {
    let (source, decoder) = frame.into_parts();
    let wrong = match (
        decoder.get_checksum_from_data(),
        decoder.get_calculated_checksum(),
    ) {
        (Some(written), Some(computed)) => written != computed,
        (None, _) | (_, None) => false,
    };
    match wrong {
        true => Err(io::Error::new(io::ErrorKind::InvalidData, "a sum is wrong")),
        false => Ok(source),
    }
}
