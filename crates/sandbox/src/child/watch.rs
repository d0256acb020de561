//! Watching a child: one loop over everything that can happen, until it has ended and nothing of it is left.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Signal, pidfd_send_signal};

use super::error::Error;
use super::report::{Ended, Report};
use super::running::{OwnChild, StartedChild, VANISH_TIMEOUT};
use super::seccomp_listener::ListenerState;
use super::streams::OutputReader;
use crate::egress::Traffic;
use crate::launch::{LaunchFailure, LauncherCommand, LauncherEvent, receive, send};
use crate::sys::process::ResourceUsage;

/// How much is read at once.
const READ_BYTES: usize = 64 * 1024;

/// How far the end has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EndPhase {
    Running,
    /// Asked to end; killed at that time, or left to itself where its grace has no end.
    Asked(Option<Instant>),
    /// Killed; its launcher is killed at that time.
    Killed(Instant),
    /// Nothing more can be done.
    Gone,
}

/// Why it had to end.
#[derive(Debug, Default, Clone, Copy)]
struct EndReasons {
    timed_out: bool,
    cancelled: bool,
    truncated: bool,
}

/// What the loop waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WaitSource {
    End,
    Cancel,
    Control,
    Question,
    NoQuestions,
    Door(usize),
    Output(usize),
    Input,
}

struct ChildWatch {
    started: StartedChild,
    phase: EndPhase,
    reasons: EndReasons,
    status: Option<(i32, ResourceUsage)>,
    failure: Option<LaunchFailure>,
    buffer: Vec<u8>,
}

impl StartedChild {
    /// Watches the child to its end.
    pub(super) fn watch(self) -> Result<Report, Error> {
        let mut watch = ChildWatch {
            started: self,
            phase: EndPhase::Running,
            reasons: EndReasons::default(),
            status: None,
            failure: None,
            buffer: vec![0; READ_BYTES],
        };
        let watchdog = watch.started.watchdog();
        let ended = watchdog.and_then(|_watchdog| watch.until_end());
        if ended.is_err() {
            watch.kill();
            watch.started.wait_until_gone();
        }
        let waited = watch.started.own.take().map(OwnChild::wait).transpose();
        if let Err(error) = ended {
            if let Some(confined) = watch.started.confined.take() {
                confined.look_after();
            }
            return Err(Error::host("watch the child")(error));
        }
        watch.report(waited.map_err(Error::host("wait for the child"))?)
    }
}

impl ChildWatch {
    fn until_end(&mut self) -> io::Result<()> {
        loop {
            let (waits, timeout) = (self.waits(), self.timeout());
            let ready = self.ready(&waits, timeout)?;
            let now = Instant::now();
            self.keep_time(now);
            let mut ended = false;
            for wait in ready {
                match wait {
                    WaitSource::End => ended = true,
                    WaitSource::Cancel => {
                        self.reasons.cancelled = true;
                        self.started.cancel = None;
                        self.ask_to_end(now);
                    }
                    WaitSource::Control => self.hear()?,
                    WaitSource::Question => self.answer(),
                    WaitSource::NoQuestions => self.drop_asks(),
                    WaitSource::Door(index) => self.open_door(index),
                    WaitSource::Output(index) => self.read(index, now)?,
                    WaitSource::Input => self.write(),
                }
            }
            if ended {
                // What it said before it went.
                while self.has_control() && self.hear().is_ok() {}
                return self.drain();
            }
        }
    }

    fn waits(&self) -> Vec<WaitSource> {
        let started = &self.started;
        let mut waits = vec![WaitSource::End];
        waits.extend(started.cancel.as_ref().map(|_| WaitSource::Cancel));
        if let Some(confined) = &started.confined {
            waits.extend(confined.control.as_ref().map(|_| WaitSource::Control));
            waits.extend(confined.listener.as_ref().map(|_| WaitSource::Question));
            waits.extend((0..confined.sockets.len()).map(WaitSource::Door));
        }
        waits.extend(
            (0..2)
                .filter(|index| started.sources[*index].is_some())
                .map(WaitSource::Output),
        );
        waits.extend(started.feed.as_ref().map(|_| WaitSource::Input));
        waits
    }

    fn ready(&self, waits: &[WaitSource], timeout: Option<Duration>) -> io::Result<Vec<WaitSource>> {
        let descriptor = |wait: &WaitSource| -> Option<(BorrowedFd<'_>, PollFlags)> {
            let started = &self.started;
            let confined = started.confined.as_ref();
            let readable = |fd| (fd, PollFlags::IN);
            match wait {
                WaitSource::End => Some(readable(started.process.as_fd())),
                WaitSource::Cancel => started.cancel.as_ref().map(|cancel| readable(cancel.as_fd())),
                WaitSource::Control => confined?
                    .control
                    .as_ref()
                    .map(|control| readable(control.as_fd())),
                WaitSource::Question | WaitSource::NoQuestions => confined?
                    .listener
                    .as_ref()
                    .map(|listener| readable(listener.as_fd())),
                WaitSource::Door(index) => confined?.sockets.descriptor(*index).map(readable),
                WaitSource::Output(index) => started
                    .sources
                    .get(*index)?
                    .as_ref()
                    .map(|source| readable(source.pipe.as_fd())),
                WaitSource::Input => started
                    .feed
                    .as_ref()
                    .map(|feed| (feed.pipe.as_fd(), PollFlags::OUT)),
            }
        };
        let known: Vec<(WaitSource, BorrowedFd<'_>, PollFlags)> = waits
            .iter()
            .filter_map(|wait| descriptor(wait).map(|(fd, flags)| (*wait, fd, flags)))
            .collect();
        let mut polled: Vec<PollFd<'_>> = known
            .iter()
            .map(|(_, fd, flags)| PollFd::from_borrowed_fd(*fd, *flags))
            .collect();
        let timeout = timeout.map(|timeout| Timespec {
            tv_sec: i64::try_from(timeout.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: timeout.subsec_nanos().into(),
        });
        match poll(&mut polled, timeout.as_ref()) {
            Ok(_) => {}
            Err(Errno::INTR) => return Ok(Vec::new()),
            Err(error) => return Err(error.into()),
        }
        let happened = known
            .iter()
            .zip(&polled)
            .map(|((wait, _, _), polled)| (*wait, polled.revents()));
        Ok(happened
            .filter(|(_, events)| !events.is_empty())
            .map(|(wait, events)| match wait {
                // Nobody is left who could ask.
                WaitSource::Question if !events.contains(PollFlags::IN) => WaitSource::NoQuestions,
                wait => wait,
            })
            .collect())
    }

    fn timeout(&self) -> Option<Duration> {
        let started = &self.started;
        let until = match self.phase {
            EndPhase::Running => started.begun.checked_add(started.wall?)?,
            EndPhase::Asked(until) => until?,
            EndPhase::Killed(until) => until,
            EndPhase::Gone => return None,
        };
        Some(until.saturating_duration_since(Instant::now()))
    }

    /// Does what is due.
    fn keep_time(&mut self, now: Instant) {
        let started = &self.started;
        match self.phase {
            EndPhase::Running => {
                if started
                    .wall
                    .is_some_and(|wall| now.duration_since(started.begun) >= wall)
                {
                    self.reasons.timed_out = true;
                    self.ask_to_end(now);
                }
            }
            EndPhase::Asked(Some(until)) if now >= until => self.kill(),
            EndPhase::Killed(until) if now >= until => {
                let _ = pidfd_send_signal(&started.process, Signal::KILL);
                self.phase = EndPhase::Gone;
            }
            EndPhase::Asked(_) | EndPhase::Killed(_) | EndPhase::Gone => {}
        }
    }

    fn ask_to_end(&mut self, now: Instant) {
        if self.phase != EndPhase::Running {
            return;
        }
        self.phase = EndPhase::Asked(now.checked_add(self.started.grace));
        match self.started.confined.as_ref().map(|confined| &confined.control) {
            Some(Some(control)) => drop(send(control, &LauncherCommand::Terminate, &[])),
            Some(None) => {}
            None => self.signal_group(Signal::TERM),
        }
    }

    /// Ends it now. A sandbox ends with its pid 1, and that ends when nobody listens; so it vanishes whole, and the
    /// launcher reaps what is left of it.
    fn kill(&mut self) {
        self.phase = EndPhase::Killed(Instant::now() + VANISH_TIMEOUT);
        match &mut self.started.confined {
            Some(confined) => {
                if let Some(control) = &confined.control {
                    let _ = rustix::net::shutdown(control, rustix::net::Shutdown::Write);
                }
                // Questions that nobody answers would keep it from ending.
                confined.listener = None;
            }
            None => self.signal_group(Signal::KILL),
        }
    }

    fn signal_group(&self, signal: Signal) {
        if let Some(own) = &self.started.own {
            own.signal_group(signal);
        }
    }

    fn has_control(&self) -> bool {
        self.started
            .confined
            .as_ref()
            .is_some_and(|confined| confined.control.is_some())
    }

    /// Hears one message of the launcher.
    fn hear(&mut self) -> io::Result<()> {
        let Some(confined) = &mut self.started.confined else {
            return Ok(());
        };
        let Some(control) = &confined.control else {
            return Ok(());
        };
        let Some(received) = receive::<LauncherEvent>(control)? else {
            confined.control = None;
            return Ok(());
        };
        match received.message {
            LauncherEvent::Failed(failure) => self.failure = Some(failure),
            LauncherEvent::Ended {
                status,
                user,
                system,
                peak_kib,
            } => {
                let usage = ResourceUsage {
                    user,
                    system,
                    peak_kib,
                };
                self.status = Some((status, usage));
            }
            // They come before the program does, and nothing more of the kind does.
            LauncherEvent::Here | LauncherEvent::Sockets | LauncherEvent::Terminal | LauncherEvent::Ready => {
            }
        }
        Ok(())
    }

    fn answer(&mut self) {
        if let Some(confined) = &mut self.started.confined
            && confined
                .listener
                .as_mut()
                .is_some_and(|listener| listener.answer(&confined.denials) == ListenerState::Closed)
        {
            confined.listener = None;
        }
    }

    fn drop_asks(&mut self) {
        if let Some(confined) = &mut self.started.confined {
            confined.listener = None;
        }
    }

    fn open_door(&mut self, index: usize) {
        if let Some(confined) = &mut self.started.confined {
            confined.sockets.open(index);
        }
    }

    /// Reads some of an output; the end of it closes it.
    fn read(&mut self, index: usize, now: Instant) -> io::Result<()> {
        // Those that ended count as well: else a child could close one and fill the other.
        let StartedChild {
            sources, finished, ..
        } = &self.started;
        let both = sources.iter().chain(finished).flatten();
        let total: u64 = both.map(|source| source.bytes).sum();
        let Some(slot) = self.started.sources.get_mut(index) else {
            return Ok(());
        };
        let Some(source) = slot else { return Ok(()) };
        match rustix::io::read(&source.pipe, &mut self.buffer) {
            // A terminal whose other side is gone answers with an error.
            Ok(0) | Err(Errno::IO) => self.close(index),
            Ok(length) => {
                let left = usize::try_from(self.started.output.saturating_sub(total)).unwrap_or(usize::MAX);
                let bytes = self.buffer.get(..length.min(left)).unwrap_or_default();
                source.take(bytes);
                if length > left {
                    self.reasons.truncated = true;
                    self.ask_to_end(now);
                }
            }
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    fn close(&mut self, index: usize) {
        // What was read stays: only waiting for more ends.
        if let Some(source) = self.started.sources.get_mut(index)
            && let Some(source) = source.take()
        {
            self.done(index, source);
        }
    }

    fn done(&mut self, index: usize, source: OutputReader) {
        if let Some(slot) = self.started.finished.get_mut(index) {
            *slot = Some(source);
        }
    }

    /// Reads what is left when all is over. Something that escaped a trusted child's group may still hold the pipe,
    /// so nothing is waited for.
    fn drain(&mut self) -> io::Result<()> {
        for index in 0..2 {
            let bytes = |watch: &Self| {
                watch
                    .started
                    .sources
                    .get(index)
                    .and_then(Option::as_ref)
                    .map(|source| source.bytes)
            };
            while let Some(before) = bytes(self) {
                self.read(index, Instant::now())?;
                if bytes(self) == Some(before) {
                    self.close(index);
                }
            }
        }
        Ok(())
    }

    /// Writes some of the input. A child that does not read it is none of our business.
    fn write(&mut self) {
        let Some(feed) = &mut self.started.feed else {
            return;
        };
        let rest = feed.bytes.get(feed.written..).unwrap_or_default();
        match rustix::io::write(&feed.pipe, rest) {
            Ok(length) => feed.written += length,
            Err(Errno::AGAIN | Errno::INTR) => return,
            Err(_) => feed.written = feed.bytes.len(),
        }
        if feed.written >= feed.bytes.len() {
            self.started.feed = None;
        }
    }

    fn report(self, waited: Option<(i32, ResourceUsage)>) -> Result<Report, Error> {
        if let Some(failure) = &self.failure {
            if let Some(confined) = self.started.confined {
                confined.clean_up();
            }
            return Err(Error::of_launch(failure));
        }
        let duration = self.started.begun.elapsed();
        // An init that was killed could tell nothing.
        let (status, usage) = self
            .status
            .or(waited)
            .unwrap_or((libc::SIGKILL, ResourceUsage::default()));
        let [stdout, stderr] = self.started.finished;
        let terminal = self
            .started
            .confined
            .as_ref()
            .is_some_and(|confined| confined.terminal);
        let errors = if terminal { &stdout } else { &stderr };
        let said = errors.as_ref().map(OutputReader::tail).unwrap_or_default();
        let bytes = |source: &Option<OutputReader>| source.as_ref().map_or(0, |source| source.bytes);
        let (stdout_bytes, stderr_bytes) = (bytes(&stdout), bytes(&stderr));
        let mut report = Report {
            ended: Ended::of_status(status),
            timed_out: self.reasons.timed_out,
            cancelled: self.reasons.cancelled,
            truncated: self.reasons.truncated,
            stdout: stdout.map(OutputReader::into_captured).unwrap_or_default(),
            stderr: stderr.map(OutputReader::into_captured).unwrap_or_default(),
            stdout_bytes,
            stderr_bytes,
            duration,
            user: usage.user,
            system: usage.system,
            peak_rss_kib: usage.peak_kib,
            tier: None,
            denials: Vec::new(),
            hosts: Vec::new(),
            unreached: Vec::new(),
            traffic: Traffic::default(),
            quarantined: Vec::new(),
            notes: Vec::new(),
        };
        if let Some(confined) = self.started.confined {
            confined.complete(&mut report, &said);
        }
        Ok(report)
    }
}
