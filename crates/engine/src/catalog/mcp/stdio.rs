//! A server that is a program: started in the closed sandbox, spoken to line by line, and gone with all it started.
//!
//! It has no network, an empty home that is gone with it, and of files those that it is made of, to be read. No stream is waited
//! for without a deadline, and none is read without a bound.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use argrail_sandbox::policy::{Anchors, EnvName, Exec, Protected};
use argrail_sandbox::{Child, Command, Ended, Error, Launcher, Output, Stdin};
use argrail_spec::config::Secret;
use indexmap::IndexMap;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};

use super::conversation::Conversation;
use super::discover::Means;
use super::error::{Problem, Stage};
use super::limits::Heard;
use super::lines::Lines;
use super::message::read;
use crate::catalog::probe;
use crate::profile::Grounds;

/// The home and the directory of every server: empty, in the sandbox only, and gone with it. Many servers want to
/// write a log before they say a word.
const SCRATCH: &str = "/tmp";
/// What stands for the home in rules about files: nothing.
const NOWHERE: &str = "/empty";
/// How long a server may take to end when its input has ended.
const FAREWELL: Duration = Duration::from_millis(300);
/// How long it may take when it is told to.
const GRACE: Duration = Duration::from_millis(200);
/// How much longer the sandbox waits than we do, so that we say why.
const SLACK: Duration = Duration::from_secs(2);
/// How much of the end of its standard error is kept, and how much of that is shown.
const TAIL: usize = 4 << 10;
const LAST_WORDS: usize = 200;

/// A program that can be started.
#[derive(Debug)]
pub(super) struct Startable {
    argv: Vec<OsString>,
    env: IndexMap<String, Secret>,
    grounds: Grounds,
    protected: Protected,
    launcher: Launcher,
}

/// Looks for the program and decides what it may see. Nothing is started.
pub(super) fn command(
    program: &str,
    args: &[String],
    env: &IndexMap<String, Secret>,
    means: &Means,
) -> Result<Startable, Problem> {
    let refuse = |field, given: &str, reason| Problem::Configuration {
        field,
        given: Some(given.to_owned()),
        reason,
    };
    let path = find(program, &means.search).map_err(|reason| refuse("command", program, reason))?;
    if args.iter().any(|arg| arg.contains('\0')) {
        return Err(refuse("args", program, "an argument holds a NUL"));
    }
    for (name, value) in env {
        EnvName::parse_set("env", name).map_err(|_| {
            refuse(
                "env",
                name,
                "it is no name, or makes programs load code or run others",
            )
        })?;
        if value.expose().contains('\0') {
            return Err(refuse("env", name, "its value holds a NUL"));
        }
    }
    let scripts = args
        .iter()
        .map(Path::new)
        .filter(|path| path.is_absolute() && path.is_file());
    let grounds = scripts.fold(Grounds::of(&path, &means.home), |grounds, script| {
        grounds.with_script(script, &means.home)
    });
    // What is not shown needs no hiding.
    let hidden: Vec<_> = means
        .own
        .iter()
        .filter(|own| grounds.shows(own))
        .cloned()
        .collect();
    let argv = std::iter::once(path.into_os_string()).chain(args.iter().map(OsString::from));
    Ok(Startable {
        argv: argv.collect(),
        env: env.clone(),
        grounds,
        protected: match hidden.is_empty() {
            true => Protected::none(),
            false => Protected::none().own(hidden),
        },
        launcher: means.launcher.clone(),
    })
}

/// Finds a program by its name, or takes an absolute path.
fn find(program: &str, search: &[PathBuf]) -> Result<PathBuf, &'static str> {
    let is_program = |path: &Path| {
        path.metadata()
            .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
    };
    if program.is_empty() || program.contains('\0') {
        return Err("it names no program");
    }
    let path = Path::new(program);
    if path.is_absolute() {
        return match is_program(path) {
            true => Ok(path.to_owned()),
            false => Err("there is no such program"),
        };
    }
    if program.contains('/') {
        return Err("a relative path can be another program tomorrow: give a name or an absolute path");
    }
    let absolute = search.iter().filter(|directory| directory.is_absolute());
    let mut found = absolute
        .map(|directory| directory.join(program))
        .filter(|path| is_program(path));
    found.next().ok_or("there is no such program on the search path")
}

impl Startable {
    fn start(&self, timeout: Duration) -> Result<Child, Error> {
        match self.with(Exec::Any, timeout)?.spawn() {
            // Without namespaces a tree of processes cannot be held together, but a single one can.
            Err(Error::Refused(refusal)) if refusal.field.starts_with("exec") => {
                self.with(Exec::None, timeout)?.spawn()
            }
            done => done,
        }
    }

    fn with(&self, exec: Exec, timeout: Duration) -> Result<Command, Error> {
        let mut policy = probe::policy(&self.grounds, exec, timeout + SLACK)?;
        policy.limits.open_files = Some(1024);
        if policy.exec == Exec::None {
            // Not needed for one that cannot start another, and not to be had for root without namespaces.
            policy.limits.processes = None;
        }
        let command = Command::confined(self.argv.iter().cloned(), policy, Anchors::new(NOWHERE, NOWHERE)?)
            .launcher(self.launcher.clone())
            .directory(Path::new(SCRATCH))
            .secret("HOME", SCRATCH)
            .search_path(self.grounds.search.iter().cloned())
            .protected(self.protected.clone())
            .stdin(Stdin::Pipe)
            .stdout(Output::Pipe)
            .stderr(Output::Pipe)
            .grace(GRACE);
        let give = |command: Command, (name, value): (&String, &Secret)| command.secret(name, value.expose());
        Ok(self.env.iter().fold(command, give))
    }
}

/// Starts the server and speaks with it until all is heard.
pub(super) fn talk(
    server: &Startable,
    deadline: Instant,
    conversation: &mut Conversation,
) -> Result<(), Problem> {
    let timeout = deadline.saturating_duration_since(Instant::now());
    let child = server.start(timeout).map_err(not_started)?;
    let mut streams = Streams::of(child).map_err(|source| {
        not_started(Error::Host {
            act: "open pipes",
            source,
        })
    })?;
    match streams.speak(deadline, conversation) {
        Ok(Spoken::All) => {
            streams.farewell(FAREWELL);
            Ok(())
        }
        Ok(Spoken::Ended) => Err(streams.ended()),
        Ok(Spoken::Late(stage)) => Err(Problem::TimedOut {
            stage,
            last_words: streams.last_words(),
        }),
        Err(problem) => Err(problem),
    }
}

fn not_started(error: Error) -> Problem {
    Problem::NotStarted(Box::new(error))
}

/// How a conversation came to its end.
enum Spoken {
    All,
    Ended,
    Late(Stage),
}

/// A server that runs, and its streams, none of which blocks.
struct Streams {
    child: Child,
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
}

impl Streams {
    fn of(mut child: Child) -> io::Result<Self> {
        let [stdin, stdout, stderr] = [child.stdin.take(), child.stdout.take(), child.stderr.take()];
        for file in [&stdin, &stdout, &stderr].into_iter().flatten() {
            ioctl_fionbio(file, true)?;
        }
        Ok(Self {
            child,
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

    fn speak(&mut self, deadline: Instant, conversation: &mut Conversation) -> Result<Spoken, Problem> {
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
                return Ok(Spoken::Ended);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(Spoken::Late(stage));
            }
            let ready = self.wait(left);
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

    /// Waits until a stream is ready, or the time is up.
    fn wait(&self, most: Duration) -> Ready {
        let writable = self.stdin.as_ref().filter(|_| !self.to_write.is_empty());
        let wanted = [
            (writable, PollFlags::OUT),
            (self.stdout.as_ref(), PollFlags::IN),
            (self.stderr.as_ref(), PollFlags::IN),
        ];
        let mut polled: Vec<PollFd<'_>> = wanted
            .iter()
            .filter_map(|(file, flags)| Some(PollFd::new((*file)?, *flags)))
            .collect();
        let timeout = Timespec {
            tv_sec: i64::try_from(most.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: i64::from(most.subsec_nanos()),
        };
        // An interrupted wait is a short one.
        let _ = poll(&mut polled, Some(&timeout));
        let mut ready = polled.iter().map(|fd| !fd.revents().is_empty());
        let mut next = |file: Option<&File>| file.is_some() && ready.next().unwrap_or(false);
        Ready {
            stdin: next(writable),
            stdout: next(self.stdout.as_ref()),
            stderr: next(self.stderr.as_ref()),
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
            let ready = self.wait(left);
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
    fn ended(mut self) -> Problem {
        let by_itself = self.farewell(FAREWELL);
        let last_words = self.last_words();
        if !by_itself {
            self.child.cancel().cancel();
        }
        let report = match self.child.wait() {
            Ok(report) => report,
            Err(error) => return not_started(error),
        };
        let how: Option<Ended> = Some(report.ended).filter(|_| by_itself && !report.timed_out);
        let denied = report.denials.first();
        Problem::Ended {
            how,
            last_words,
            denied: denied.map(|denial| format!("{} {}", denial.kind.as_str(), denial.target)),
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

#[cfg(test)]
mod tests {
    use argrail_testkit::Home;

    use super::*;

    #[test]
    fn programs_are_found_by_name_or_absolute_path() {
        let home = Home::new().tool("server", "#!/bin/sh\n");
        let search = [PathBuf::from("relative"), home.bin()];
        let tool = home.bin().join("server");
        assert_eq!(find("server", &search), Ok(tool.clone()));
        assert_eq!(find(&tool.display().to_string(), &[]), Ok(tool));
        for (program, reason) in [
            ("", "no program"),
            ("a\0", "no program"),
            ("absent", "search path"),
            ("./server", "relative path"),
            ("/srv/absent", "no such program"),
        ] {
            let found = find(program, &search).unwrap_err();
            assert!(found.contains(reason), "{program:?}: {found}");
        }
    }
}
