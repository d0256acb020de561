//! The streams of a server that runs: spoken to line by line, bounded, and never waited for without a deadline.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use argrail_sandbox::{Cancel, Child, Denial, Ended};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};

use super::conversation::Conversation;
use super::error::{Problem, Stage};
use super::limits::Heard;
use super::lines::Lines;
use super::message::read;
use super::stdio::not_started;
use super::until::Until;

/// How long a server may take to end when its input has ended.
const FAREWELL: Duration = Duration::from_millis(300);
/// How much of the end of its standard error is kept, and how much of that is shown.
const TAIL: usize = 4 << 10;
const LAST_WORDS: usize = 200;
/// The most acts that the sandbox refused that are told.
const MOST_DENIALS: usize = 5;

/// How a conversation came to its end.
enum Spoken {
    All,
    Ended(Stage),
    Late(Stage),
}

/// A server that runs, and its streams, none of which blocks.
#[derive(Debug)]
pub(super) struct Streams {
    /// There until it has ended.
    child: Option<Child>,
    stdin: Option<File>,
    stdout: Option<File>,
    stderr: Option<File>,
    to_write: Vec<u8>,
    lines: Lines,
    heard: Heard,
    tail: Vec<u8>,
    /// The first thing that was said in the place of a message.
    noise: Option<Vec<u8>>,
}

/// Which streams are ready.
#[derive(Debug, Clone, Copy)]
struct Ready {
    stdin: bool,
    stdout: bool,
    stderr: bool,
    cancelled: bool,
}

impl Streams {
    /// Takes the streams of a child that was just started.
    pub(super) fn of(mut child: Child) -> io::Result<Self> {
        let [stdin, stdout, stderr] = [child.stdin.take(), child.stdout.take(), child.stderr.take()];
        for file in [&stdin, &stdout, &stderr].into_iter().flatten() {
            ioctl_fionbio(file, true)?;
        }
        Ok(Self {
            child: Some(child),
            stdin,
            stdout,
            stderr,
            to_write: Vec::new(),
            lines: Lines::default(),
            heard: Heard::default(),
            tail: Vec::new(),
            noise: None,
        })
    }

    /// Says what is to be said and hears the answers, until there is nothing more to say.
    pub(super) fn converse(&mut self, until: &Until, conversation: &mut Conversation) -> Result<(), Problem> {
        self.heard = Heard::default();
        match self.speak(until, conversation)? {
            Spoken::All => Ok(()),
            Spoken::Ended(stage) => Err(self.ended(stage)),
            Spoken::Late(stage) => Err(Problem::TimedOut {
                stage,
                last_words: self.last_words(),
            }),
        }
    }

    /// Says goodbye and returns what the sandbox refused meanwhile. Nothing that it started is left.
    pub(super) fn close(mut self) -> Vec<String> {
        self.farewell(FAREWELL);
        let Some(child) = self.child.take() else {
            return Vec::new();
        };
        child.cancel().cancel();
        let denials = child.wait().map(|report| report.denials).unwrap_or_default();
        denials.iter().take(MOST_DENIALS).map(shown).collect()
    }

    fn speak(&mut self, until: &Until, conversation: &mut Conversation) -> Result<Spoken, Problem> {
        loop {
            while let Some(saying) = conversation.next() {
                self.to_write
                    .extend_from_slice(saying.message.to_string().as_bytes());
                self.to_write.push(b'\n');
            }
            let Some(stage) = conversation.stage() else {
                self.write();
                return Ok(Spoken::All);
            };
            if self.stdout.is_none() {
                return Ok(Spoken::Ended(stage));
            }
            let left = until.left();
            if left.is_zero() {
                return Ok(Spoken::Late(stage));
            }
            let ready = self.wait(left, until.cancel.as_ref());
            if ready.cancelled {
                return Err(Problem::Cancelled);
            }
            if ready.stdin {
                self.write();
            }
            if ready.stderr {
                self.listen_to_errors()?;
            }
            if ready.stdout {
                self.listen(conversation)?;
            }
        }
    }

    /// Waits until a stream is ready, the time is up, or nobody wants to know any more.
    fn wait(&self, most: Duration, cancel: Option<&Cancel>) -> Ready {
        let writable = self.stdin.as_ref().filter(|_| !self.to_write.is_empty());
        let wanted = [
            (cancel.map(AsFd::as_fd), PollFlags::IN),
            (writable.map(AsFd::as_fd), PollFlags::OUT),
            (self.stdout.as_ref().map(AsFd::as_fd), PollFlags::IN),
            (self.stderr.as_ref().map(AsFd::as_fd), PollFlags::IN),
        ];
        let mut polled: Vec<PollFd<'_>> = wanted
            .iter()
            .filter_map(|(file, flags)| Some(PollFd::from_borrowed_fd((*file)?, *flags)))
            .collect();
        let timeout = Timespec {
            tv_sec: i64::try_from(most.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: i64::from(most.subsec_nanos()),
        };
        // An interrupted wait is a short one.
        let _ = poll(&mut polled, Some(&timeout));
        let mut ready = polled.iter().map(|fd| !fd.revents().is_empty());
        let mut next = |is_polled: bool| is_polled && ready.next().unwrap_or(false);
        Ready {
            cancelled: next(cancel.is_some()),
            stdin: next(writable.is_some()),
            stdout: next(self.stdout.is_some()),
            stderr: next(self.stderr.is_some()),
        }
    }

    /// Writes what fits. A server that does not listen any more may still have spoken.
    fn write(&mut self) {
        let Some(stdin) = self.stdin.as_mut() else {
            self.to_write.clear();
            return;
        };
        match stdin.write(&self.to_write) {
            Ok(written) => drop(self.to_write.drain(..written)),
            Err(error) if is_later(&error) => {}
            Err(_) => self.stdin = None,
        }
    }

    fn listen(&mut self, conversation: &mut Conversation) -> Result<(), Problem> {
        let bytes = take(&mut self.stdout);
        self.count(bytes.len())?;
        let lines = self.lines.feed(&bytes).map_err(|_| Problem::TooMuch {
            what: "a message is longer than 4 MiB",
        })?;
        for line in lines.iter().filter(|line| !line.trim_ascii().is_empty()) {
            match read(line) {
                Ok(message) => conversation.hear(message)?,
                // Programs greet people on standard output, too.
                Err(_) => {
                    conversation.noise()?;
                    let most = line.get(..LAST_WORDS).unwrap_or(line);
                    self.noise.get_or_insert_with(|| most.to_vec());
                }
            }
        }
        Ok(())
    }

    fn listen_to_errors(&mut self) -> Result<(), Problem> {
        let bytes = take(&mut self.stderr);
        self.tail.extend_from_slice(&bytes);
        let surplus = self.tail.len().saturating_sub(TAIL);
        self.tail.drain(..surplus);
        self.count(bytes.len())
    }

    fn count(&mut self, bytes: usize) -> Result<(), Problem> {
        match self.heard.add(bytes) {
            true => Ok(()),
            false => Err(Problem::TooMuch {
                what: "more than 16 MiB",
            }),
        }
    }

    /// Ends the input and gives the server a moment; says whether all its streams came to their end.
    fn farewell(&mut self, most: Duration) -> bool {
        self.stdin = None;
        let deadline = Instant::now() + most;
        while self.stdout.is_some() || self.stderr.is_some() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let ready = self.wait(left, None);
            if ready.stdout && self.heard.add(take(&mut self.stdout).len()) {
                continue;
            }
            if ready.stderr && self.listen_to_errors().is_err() {
                return false;
            }
        }
        true
    }

    /// Says why a server ended before all was heard.
    fn ended(&mut self, stage: Stage) -> Problem {
        let by_itself = self.farewell(FAREWELL);
        let last_words = self.last_words();
        let Some(child) = self.child.take() else {
            return Problem::Ended {
                stage,
                how: None,
                last_words,
                denied: None,
            };
        };
        if !by_itself {
            child.cancel().cancel();
        }
        let report = match child.wait() {
            Ok(report) => report,
            Err(error) => return not_started(error),
        };
        let how: Option<Ended> = Some(report.ended).filter(|_| by_itself && !report.timed_out);
        Problem::Ended {
            stage,
            how,
            last_words,
            denied: report
                .denials
                .iter()
                .find(|denial| !denial.is_silent_file())
                .map(shown),
        }
    }

    /// Returns the end of what it said to people, or what it said in the place of messages.
    fn last_words(&self) -> String {
        let half_a_line = Some(self.lines.rest()).filter(|rest| !rest.is_empty());
        let said = match self.tail.trim_ascii() {
            [] => self.noise.as_deref().or(half_a_line).unwrap_or_default(),
            tail => tail,
        };
        let text = String::from_utf8_lossy(said);
        let surplus = text.chars().count().saturating_sub(LAST_WORDS);
        text.chars().skip(surplus).collect()
    }
}

/// What the sandbox refused, in a few words.
fn shown(denial: &Denial) -> String {
    format!("{} {}", denial.kind.as_str(), denial.target)
}

/// Reads what is there; closes the stream at its end.
fn take(stream: &mut Option<File>) -> Vec<u8> {
    let mut buffer = vec![0; 64 << 10];
    let count = match stream.as_mut().map(|file| file.read(&mut buffer)) {
        Some(Ok(count)) if count > 0 => count,
        Some(Err(error)) if is_later(&error) => 0,
        Some(Ok(_) | Err(_)) | None => {
            *stream = None;
            0
        }
    };
    buffer.truncate(count);
    buffer
}

fn is_later(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::WouldBlock
        || error.kind() == io::ErrorKind::Interrupted
        || error.raw_os_error() == Some(Errno::AGAIN.raw_os_error())
}
