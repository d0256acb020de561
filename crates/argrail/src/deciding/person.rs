//! A person at a terminal: whom we show things and ask.
//!
//! The terminal is the one on standard input, so a question is answered where it is shown. It is used as it was handed to
//! us and never opened by its name: after `su` its name belongs to somebody else, and it is a terminal all the same. Whoever runs as the same user
//! can make a terminal of their own and sit down at it; nothing here keeps them from that, and `doctor` says so.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, IsTerminal, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{OFlags, fcntl_getfl, fstat};
use rustix::io::Errno;
use rustix::process::Pid;
use rustix::termios::{QueueSelector, tcflush, tcgetsid, tcgetwinsize};

use crate::foreign::{Line, Row, lay_out};

/// The longest line that is read.
const LONGEST: u64 = 4096;

/// How wide a terminal is that does not say so.
const USUAL: usize = 80;

/// What every line of ours begins with where somebody else writes on the same terminal. Nobody else's text has it.
pub(crate) const MARK: char = '▌';

/// Who writes on the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Company {
    /// We alone.
    Alone,
    /// An agent does, too: our lines bear the mark.
    Agent,
}

/// Somebody at a terminal.
#[derive(Debug)]
pub(crate) struct Person {
    input: File,
    /// The same terminal, open for writing.
    output: File,
    company: Company,
}

impl Person {
    /// Returns the person, if standard input is a terminal and one of our streams can write to it.
    pub(crate) fn here() -> Option<Self> {
        let (stdin, stdout, stderr) = (io::stdin(), io::stdout(), io::stderr());
        let input = TerminalIdentity::of(stdin.as_fd())?;
        // Standard input may be open for reading only (`</dev/tty`); the others are usually the same terminal.
        let writes = |stream: &BorrowedFd<'_>| {
            let access = fcntl_getfl(stream).map(|flags| flags & OFlags::RWMODE);
            let same = TerminalIdentity::of(*stream).is_some_and(|output| output.is_same_as(&input));
            same && access.is_ok_and(|access| access != OFlags::RDONLY)
        };
        let streams = [stdin.as_fd(), stderr.as_fd(), stdout.as_fd()];
        let output = streams.into_iter().find(writes)?;
        let copy = |stream: BorrowedFd<'_>| stream.try_clone_to_owned().ok().map(File::from);
        Some(Self {
            input: copy(stdin.as_fd())?,
            output: copy(output)?,
            company: Company::Alone,
        })
    }

    /// Says that an agent writes on the same terminal.
    pub(crate) fn with_an_agent(self) -> Self {
        Self {
            company: Company::Agent,
            ..self
        }
    }

    /// Returns the terminal, open for writing.
    pub(crate) fn terminal(&self) -> &File {
        &self.output
    }

    /// Returns what is typed, line by line.
    ///
    /// # Errors
    /// When there is no descriptor left.
    pub(crate) fn typed(&self) -> io::Result<impl BufRead + Send + use<>> {
        Ok(BufReader::new(BlockingTerminal(self.input.try_clone()?)))
    }

    /// Shows rows, as wide as the terminal is.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub(crate) fn show(&mut self, rows: &[Row]) -> io::Result<()> {
        let mark = self.mark();
        let room = self.width().saturating_sub(mark.chars().count());
        let line = |line: &Line| format!("{mark}{line}").trim_end().to_owned();
        let lines: Vec<String> = lay_out(rows, room).iter().map(line).collect();
        self.write(&format!("{}\n", lines.join("\n")))
    }

    /// Asks in our words, and returns the line that is typed.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub(crate) fn ask(&mut self, question: &str) -> io::Result<String> {
        self.put(question)?;
        let mut answer = String::new();
        self.typed()?.take(LONGEST).read_line(&mut answer)?;
        Ok(answer.trim().to_owned())
    }

    /// Writes a question in our words. What was typed before it is no answer to it.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub(crate) fn put(&mut self, question: &str) -> io::Result<()> {
        tcflush(&self.input, QueueSelector::IFlush)?;
        let mark = self.mark();
        self.write(&format!("{mark}{question} "))
    }

    /// Ends the line of a question that has no answer.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub(crate) fn end_line(&mut self) -> io::Result<()> {
        self.write("\n")
    }

    fn write(&self, text: &str) -> io::Result<()> {
        BlockingTerminal(self.output.try_clone()?).write_all(text.as_bytes())
    }

    fn mark(&self) -> String {
        match self.company {
            Company::Alone => String::new(),
            Company::Agent => format!("{MARK} "),
        }
    }

    /// Returns how wide the terminal is.
    pub(crate) fn width(&self) -> usize {
        match tcgetwinsize(&self.output) {
            Ok(size) if size.ws_col > 0 => usize::from(size.ws_col),
            Ok(_) | Err(_) => USUAL,
        }
    }
}

/// Which terminal a stream is.
struct TerminalIdentity {
    device: u64,
    /// The session that it controls, if that is ours.
    session: Option<Pid>,
}

impl TerminalIdentity {
    /// Returns it, if the stream is a terminal.
    fn of(stream: BorrowedFd<'_>) -> Option<Self> {
        let device = fstat(stream).ok()?.st_rdev;
        stream.is_terminal().then(|| Self {
            device,
            session: tcgetsid(stream).ok(),
        })
    }

    /// `/dev/tty` is a device of its own, and the terminal that controls this session.
    fn is_same_as(&self, other: &Self) -> bool {
        self.device == other.device || (self.session.is_some() && self.session == other.session)
    }
}

/// A terminal that is waited for. Whoever shares our streams may have set them not to wait.
struct BlockingTerminal(File);

impl BlockingTerminal {
    fn until<T>(
        &mut self,
        ready: PollFlags,
        mut work: impl FnMut(&mut File) -> io::Result<T>,
    ) -> io::Result<T> {
        loop {
            match work(&mut self.0) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                done => return done,
            }
            match poll(&mut [PollFd::new(&self.0, ready)], None) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

impl Read for BlockingTerminal {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.until(PollFlags::IN, |terminal| terminal.read(buffer))
    }
}

impl Write for BlockingTerminal {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.until(PollFlags::OUT, |terminal| terminal.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
