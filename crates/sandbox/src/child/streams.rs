//! What goes into a child and what comes out.

use std::fmt;
use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::{FileType, Mode, OFlags, fcntl_getfl, fstat, open};
use rustix::pipe::{PipeFlags, pipe_with};

/// A child's standard input.
#[derive(Debug, Default)]
pub enum Stdin {
    /// Empty.
    #[default]
    Null,
    /// These bytes, then the end.
    Bytes(Vec<u8>),
    /// This descriptor itself: a pipe or a file that is open for reading alone. Never a terminal, which can be written
    /// to, and never something that is open for writing: no policy holds what is reached through it.
    File(OwnedFd),
    /// A pipe that [`Child::stdin`](crate::Child) writes to. For [`Command::spawn`](crate::Command::spawn).
    Pipe,
}

/// Takes what a child writes.
pub type OutputCallback = Box<dyn FnMut(&[u8]) + Send>;

/// Where a child's output goes. The limit on output counts all but [`Output::Pipe`].
#[derive(Default)]
pub enum Output {
    /// Nowhere.
    Null,
    /// Into the report.
    #[default]
    Capture,
    /// To a function, as it comes, from the thread that waits.
    Each(OutputCallback),
    /// A pipe that the caller reads, and bounds. For [`Command::spawn`](crate::Command::spawn).
    Pipe,
}

impl fmt::Debug for Output {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Null => "Null",
            Self::Capture => "Capture",
            Self::Each(_) => "Each",
            Self::Pipe => "Pipe",
        })
    }
}

/// Who gets what is read in the host.
pub(super) enum OutputSink {
    Capture(Vec<u8>),
    Each(OutputCallback),
}

/// One output of a child, as the host reads it.
pub(super) struct OutputReader {
    pub(super) pipe: OwnedFd,
    pub(super) sink: OutputSink,
    pub(super) bytes: u64,
    /// The end of what was handed on and not kept, in which refusals are looked for.
    tail: Vec<u8>,
}

/// How much of the end is looked at.
const TAIL_BYTES: usize = 16 * 1024;

impl OutputReader {
    pub(super) fn new(pipe: OwnedFd, sink: OutputSink) -> Self {
        Self {
            pipe,
            sink,
            bytes: 0,
            tail: Vec::new(),
        }
    }

    /// Returns the end of what was read.
    pub(super) fn tail(&self) -> Vec<u8> {
        let whole = match &self.sink {
            OutputSink::Capture(kept) => kept,
            OutputSink::Each(_) => &self.tail,
        };
        whole
            .get(whole.len().saturating_sub(TAIL_BYTES)..)
            .unwrap_or_default()
            .to_vec()
    }

    /// Whether a function of the caller's gets what is read, which may take its time.
    pub(super) fn is_handed_on(&self) -> bool {
        match self.sink {
            OutputSink::Capture(_) => false,
            OutputSink::Each(_) => true,
        }
    }

    /// Hands over what was read.
    pub(super) fn take(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        match &mut self.sink {
            OutputSink::Capture(kept) => kept.extend_from_slice(bytes),
            OutputSink::Each(each) => {
                each(bytes);
                self.tail.extend_from_slice(bytes);
                let surplus = self.tail.len().saturating_sub(TAIL_BYTES);
                // Not at every turn: what is cut off is moved over.
                if surplus > TAIL_BYTES {
                    self.tail.drain(..surplus);
                }
            }
        }
    }

    /// Returns what was kept.
    pub(super) fn into_captured(self) -> Vec<u8> {
        match self.sink {
            OutputSink::Capture(kept) => kept,
            OutputSink::Each(_) => Vec::new(),
        }
    }
}

/// Input that is still to be written.
pub(super) struct InputFeed {
    pub(super) pipe: OwnedFd,
    pub(super) bytes: Vec<u8>,
    pub(super) written: usize,
}

/// Both ends of everything: the child's, and ours.
pub(super) struct StreamEnds {
    pub(super) child: [OwnedFd; 3],
    pub(super) feed: Option<InputFeed>,
    pub(super) stdin: Option<OwnedFd>,
    /// Standard output and error, where the host reads them.
    pub(super) sources: [Option<OutputReader>; 2],
    /// Standard output and error, where the caller does.
    pub(super) pipes: [Option<OwnedFd>; 2],
}

/// Opens the streams of a child.
pub(super) fn open_ends(stdin: Stdin, outputs: [Output; 2]) -> io::Result<StreamEnds> {
    let (child_in, feed, ours) = match stdin {
        Stdin::Null => (null(OFlags::RDONLY)?, None, None),
        Stdin::File(file) => (readable(file)?, None, None),
        Stdin::Bytes(bytes) => {
            let (reader, writer) = pipe_with(PipeFlags::CLOEXEC)?;
            rustix::io::ioctl_fionbio(&writer, true)?;
            let feed = InputFeed {
                pipe: writer,
                bytes,
                written: 0,
            };
            (reader, Some(feed), None)
        }
        Stdin::Pipe => {
            let (reader, writer) = pipe_with(PipeFlags::CLOEXEC)?;
            (reader, None, Some(writer))
        }
    };
    let [out, err] = outputs;
    let (child_out, out_source, out_pipe) = open_output(out)?;
    let (child_err, err_source, err_pipe) = open_output(err)?;
    Ok(StreamEnds {
        child: [child_in, child_out, child_err],
        feed,
        stdin: ours,
        sources: [out_source, err_source],
        pipes: [out_pipe, err_pipe],
    })
}

/// Refuses what could be used for more than reading.
fn readable(file: OwnedFd) -> io::Result<OwnedFd> {
    let reads = fcntl_getfl(&file)? & OFlags::ACCMODE == OFlags::RDONLY;
    let kind = FileType::from_raw_mode(fstat(&file)?.st_mode);
    if reads && matches!(kind, FileType::Fifo | FileType::RegularFile) {
        return Ok(file);
    }
    Err(io::Error::other(
        "only a pipe or a file that is open for reading alone can be handed on",
    ))
}

fn open_output(output: Output) -> io::Result<(OwnedFd, Option<OutputReader>, Option<OwnedFd>)> {
    let sink = match output {
        Output::Null => return Ok((null(OFlags::WRONLY)?, None, None)),
        Output::Capture => OutputSink::Capture(Vec::new()),
        Output::Each(each) => OutputSink::Each(each),
        Output::Pipe => {
            let (reader, writer) = pipe_with(PipeFlags::CLOEXEC)?;
            return Ok((writer, None, Some(reader)));
        }
    };
    let (reader, writer) = pipe_with(PipeFlags::CLOEXEC)?;
    rustix::io::ioctl_fionbio(&reader, true)?;
    Ok((writer, Some(OutputReader::new(reader, sink)), None))
}

fn null(mode: OFlags) -> io::Result<OwnedFd> {
    Ok(open(c"/dev/null", mode | OFlags::CLOEXEC, Mode::empty())?)
}
