//! A running child with piped streams that is dead, with its process group, when the test ends.
//!
//! A watchdog kills it after a limit, so every wait here comes to an end.

use crate::Run;
use crate::lines::{Lines, Next};
use crate::process;
use crate::watchdog::{Watchdog, kill_group};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};
use std::io::{self, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long pipes may stay open after the group was killed. Only a process that left the group can
/// hold one, and that is a finding.
const GRACE: Duration = Duration::from_secs(60);

/// A program under test, started by [`Home::spawn`](crate::Home::spawn).
///
/// Dropping it kills its whole process group.
pub struct Child {
    child: std::process::Child,
    pid: Pid,
    /// The command line, for messages.
    name: String,
    root: String,
    limit: Duration,
    deadline: Instant,
    stdin: Option<ChildStdin>,
    stdout: Lines,
    stderr: Lines,
    watchdog: Watchdog,
    reaped: bool,
}

impl Child {
    /// Starts `command` in a process group of its own, to live for `limit` at most.
    pub(crate) fn start(mut command: Command, root: &str, limit: Duration) -> Self {
        let name = format!("{command:?}");
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        let mut child = match process::start(&mut command) {
            Ok(child) => child,
            Err(error) => panic!("cannot start {name}: {error}"),
        };
        let pid = Pid::from_child(&child);
        Self {
            pid,
            name,
            root: root.to_owned(),
            limit,
            deadline: Instant::now() + limit + GRACE,
            stdin: child.stdin.take(),
            stdout: Lines::of(child.stdout.take().expect("stdout is piped")),
            stderr: Lines::of(child.stderr.take().expect("stderr is piped")),
            watchdog: Watchdog::arm(pid, limit),
            child,
            reaped: false,
        }
    }

    /// Returns the process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Writes `bytes` to the child's standard input.
    ///
    /// # Errors
    ///
    /// When the child no longer reads, which some tests are about, or the input was closed before.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let stdin = self.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        stdin.write_all(bytes)?;
        stdin.flush()
    }

    /// Closes the child's standard input, which it sees as the end of the file.
    pub fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// Waits for one more line of output, with its newline; `None` when the child closed its output.
    ///
    /// # Panics
    ///
    /// If the watchdog's limit passes first.
    pub fn line(&mut self) -> Option<Vec<u8>> {
        match self.stdout.next(self.deadline) {
            Next::Line(line) => Some(line),
            // Killed by the watchdog or ended by itself: both close the pipe.
            Next::End if !self.watchdog.has_fired() => None,
            Next::End | Next::Late => self.timed_out(),
        }
    }

    /// Asks the child to end (SIGTERM), the child alone and not its group.
    pub fn terminate(&self) {
        self.signal(Signal::TERM);
    }

    /// Ends the child at once (SIGKILL), the child alone and not its group.
    pub fn kill(&self) {
        self.signal(Signal::KILL);
    }

    /// Closes standard input, waits for the end and returns all that the child wrote.
    ///
    /// # Panics
    ///
    /// If the watchdog's limit passes first.
    pub fn finish(mut self) -> Run {
        self.close_stdin();
        self.wait()
    }

    /// Waits for the end with standard input still open, and returns all that the child wrote.
    ///
    /// # Panics
    ///
    /// If the watchdog's limit passes first.
    pub fn wait(mut self) -> Run {
        // The zombie stays until everything that uses its number is done, so the number stays ours.
        let exited = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while waitid(WaitId::Pid(self.pid), exited).is_err_and(|error| error == Errno::INTR) {}
        if self.watchdog.has_fired() {
            self.timed_out();
        }
        let status = self.stop();
        let closed = self.drain();
        let run = self.run(status);
        assert!(
            closed,
            "{} ended, but a process that left its group holds its output open:\n{run}",
            self.name
        );
        run
    }

    /// Kills the child, for a message that shows all it wrote. Nothing else can be done with it after.
    pub(crate) fn post_mortem(&mut self) -> Run {
        let status = self.stop();
        self.drain();
        self.run(status)
    }

    /// Feeds `input` from a thread, since a child that answers while it reads would block both sides.
    pub(crate) fn feed(&mut self, input: Vec<u8>) {
        if let Some(mut stdin) = self.stdin.take() {
            // A child may end without reading everything. What it did with the input is seen in its
            // output, so a broken pipe is not the test's business.
            thread::spawn(move || stdin.write_all(&input));
        }
    }

    fn signal(&self, signal: Signal) {
        // A child that ended is a zombie until it is reaped, and signals to it succeed.
        kill_process(self.pid, signal).expect("an unreaped child can be signalled");
    }

    /// Kills the group, or what is left of it, and reaps the child.
    fn stop(&mut self) -> ExitStatus {
        self.watchdog.disarm();
        kill_group(self.pid);
        self.reaped = true;
        self.child.wait().expect("a child is reaped only here")
    }

    /// Reads what is left in the pipes; returns whether both were closed.
    fn drain(&mut self) -> bool {
        let until = Instant::now() + GRACE;
        self.stdout.drain(until) & self.stderr.drain(until)
    }

    fn timed_out(&mut self) -> ! {
        let run = self.post_mortem();
        panic!(
            "{} did not end in {:?} and was killed:\n{run}",
            self.name, self.limit
        )
    }

    fn run(&self, status: ExitStatus) -> Run {
        Run {
            exit: status.code(),
            signal: status.signal(),
            stdout: self.stdout.seen(),
            stderr: self.stderr.seen(),
            root: self.root.clone(),
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if !self.reaped {
            self.stop();
        }
    }
}
