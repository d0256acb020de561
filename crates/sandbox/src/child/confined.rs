//! Starting a confined child: the order is written, the launcher started, and everything seen to be in force before
//! the program begins.

use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use super::asks::Asks;
use super::command::{Command, Confinement, Launcher};
use super::doors::Doors;
use super::error::Error;
use super::infer::infer;
use super::quarantine;
use super::report::Report;
use super::streams::{Ends, Sink, Source, open_ends};
use super::watch::Started;
use crate::Refusal;
use crate::compile::{Compiled, Request, Us, Visible, Watched, compile, who_we_are};
use crate::denial::Denials;
use crate::launch::{self, Event, Failure, NAME, Order, Stage, Tier, receive, send};
use crate::policy::{Anchors, Policy};

/// What the host keeps for a confined child.
pub(super) struct Confined {
    pub(super) control: Option<OwnedFd>,
    pub(super) asks: Option<Asks>,
    pub(super) doors: Doors,
    pub(super) denials: Denials,
    after: After,
}

/// What is needed when the child has ended.
struct After {
    tier: Tier,
    notes: Vec<String>,
    made: Vec<PathBuf>,
    watched: Vec<Watched>,
    visible: Visible,
    directory: PathBuf,
}

/// Why the first tier is not to be had on this machine, once that is known.
static NO_NAMESPACES: OnceLock<Failure> = OnceLock::new();

/// Starts a confined child in the best tier that holds its policy.
pub(super) fn start(mut command: Command) -> Result<Started, Error> {
    let confinement = std::mem::replace(&mut command.confinement, Confinement::Host);
    let Confinement::Policy(policy, anchors) = confinement else {
        return Err(Error::host("confine")(io::ErrorKind::InvalidInput.into()));
    };
    let mut policy = *policy;
    policy.limits = command.limits.clone();
    let us = who_we_are();
    let stdin = std::mem::take(&mut command.stdin);
    let outputs = [std::mem::take(&mut command.stdout), std::mem::take(&mut command.stderr)];
    let ends = open_ends(stdin, outputs).map_err(Error::host("open pipes"))?;
    let attempt = Attempt {
        command: &command,
        policy: &policy,
        anchors: &anchors,
        us,
    };
    let ready = attempt.best_tier(&ends)?;
    attempt.started(ends, ready).map_err(Error::host("serve the child's network"))
}

/// One try to start the child.
struct Attempt<'a> {
    command: &'a Command,
    policy: &'a Policy,
    anchors: &'a Anchors,
    us: Us,
}

/// A launcher that says everything is in force.
struct Ready {
    pid: Pid,
    process: OwnedFd,
    control: OwnedFd,
    sockets: Vec<OwnedFd>,
    master: Option<OwnedFd>,
    listener: Option<OwnedFd>,
    compiled: Compiled,
    begun: Instant,
}

enum Outcome {
    Ready(Box<Ready>),
    Failed(Failure),
}

impl Attempt<'_> {
    fn best_tier(&self, ends: &Ends) -> Result<Ready, Error> {
        let mut failure = match NO_NAMESPACES.get() {
            Some(failure) => failure.clone(),
            None => match self.in_tier(Tier::Namespaces, false, ends)? {
                Outcome::Ready(ready) => return Ok(*ready),
                Outcome::Failed(failure) => failure,
            },
        };
        if failure.stage == Stage::OwnerMap && self.us.machine_root {
            failure = match self.in_tier(Tier::Namespaces, true, ends)? {
                Outcome::Ready(ready) => return Ok(*ready),
                Outcome::Failed(failure) => failure,
            };
        }
        if matches!(failure.stage, Stage::UserNamespace | Stage::Namespaces | Stage::IdMap | Stage::Proc) {
            let _ = NO_NAMESPACES.set(failure.clone());
        } else {
            return Err(Error::of_launch(&failure));
        }
        match self.in_tier(Tier::Landlock, false, ends) {
            Ok(Outcome::Ready(ready)) => Ok(*ready),
            Ok(Outcome::Failed(failure)) => Err(Error::of_launch(&failure)),
            Err(Error::Refused(refusal)) => Err(Error::Refused(self.explain(refusal, &failure))),
            Err(error) => Err(error),
        }
    }

    /// Says why the second tier was tried at all.
    fn explain(&self, refusal: Refusal, failure: &Failure) -> Refusal {
        let system = io::Error::from_raw_os_error(failure.error);
        let reason = format!("{} (cannot {}: {system})", refusal.reason, failure.stage.act());
        Refusal {
            reason,
            missing: failure.stage.feature().or(refusal.missing),
            ..refusal
        }
    }

    fn in_tier(&self, tier: Tier, stay_root: bool, ends: &Ends) -> Result<Outcome, Error> {
        let Command {
            argv,
            directory,
            search,
            environment,
            secrets,
            protected,
            terminal,
            ..
        } = self.command;
        let compiled = compile(&Request {
            policy: self.policy,
            anchors: self.anchors,
            protected,
            argv,
            directory,
            search,
            host_env: environment,
            secrets,
            terminal: *terminal,
            us: self.us,
            stay_root,
            tier,
        })?;
        self.launch(compiled, ends).map_err(Error::host("start the launcher"))
    }

    fn launch(&self, compiled: Compiled, ends: &Ends) -> io::Result<Outcome> {
        let begun = Instant::now();
        let (control, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
        let [stdin, stdout, stderr] = &ends.child;
        let program = match &self.command.launcher {
            Launcher::SelfExe => Path::new("/proc/self/exe"),
            Launcher::Path(path) => path,
        };
        let child = super::os_command(program.as_os_str())
            .arg0(NAME)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::from(stdout.try_clone()?))
            .stderr(Stdio::from(stderr.try_clone()?))
            .process_group(0)
            .spawn()?;
        let pid = Pid::from_child(&child);
        let process = pidfd_open(pid, PidfdFlags::empty())?;
        let sealed = seal(&compiled.order)?;
        send(&control, &launch::Command::Start, &[sealed.as_fd(), stdin.as_fd()])?;
        let mut ready = Ready {
            pid,
            process,
            control,
            sockets: Vec::new(),
            master: None,
            listener: None,
            compiled,
            begun,
        };
        loop {
            let Some(received) = receive::<Event>(&ready.control)? else {
                let _ = crate::sys::process::wait_for(pid);
                return Err(io::Error::other("the launcher ended without a word"));
            };
            let mut descriptors = received.descriptors;
            match received.message {
                Event::Sockets => ready.sockets = descriptors,
                Event::Terminal => ready.master = descriptors.pop(),
                Event::Ready => {
                    ready.listener = descriptors.pop();
                    return Ok(Outcome::Ready(Box::new(ready)));
                }
                Event::Failed(failure) => {
                    drop(ready.control);
                    let _ = crate::sys::process::wait_for(pid);
                    remove_empty(&ready.compiled.made);
                    return Ok(Outcome::Failed(failure));
                }
                Event::Ended { .. } => {
                    return Err(io::Error::other("the child ended before it began"));
                }
            }
        }
    }

    /// Everything is in force: what the host needs to watch.
    fn started(self, ends: Ends, ready: Ready) -> io::Result<Started> {
        let Ends {
            child,
            mut feed,
            stdin,
            mut sources,
            pipes,
        } = ends;
        // The child has its own by now; ours would keep the pipes open.
        drop(child);
        let Compiled {
            order,
            mut notes,
            made,
            watched,
            spawnable,
            visible,
        } = ready.compiled;
        if let Some(master) = ready.master {
            attach_terminal(master, &mut sources, &mut feed);
        }
        let denials = Denials::default();
        let doors = Doors::open_all(self.command, self.policy, &order, ready.sockets, &denials, &mut notes)?;
        let directory = self.command.directory.clone();
        let asks = ready
            .listener
            .map(|listener| Asks::new(listener, spawnable.unwrap_or_default(), directory.clone()));
        let caps = self.policy.limits.or_defaults();
        Ok(Started {
            pid: ready.pid,
            process: ready.process,
            confined: Some(Confined {
                control: Some(ready.control),
                asks,
                doors,
                denials,
                after: After {
                    tier: order.tier,
                    notes,
                    made,
                    watched,
                    visible,
                    directory,
                },
            }),
            sources,
            finished: [None, None],
            feed,
            stdin,
            pipes,
            cancel: self.command.cancel.clone(),
            begun: ready.begun,
            wall: caps.wall,
            output: caps.output,
            grace: self.command.grace,
        })
    }
}

/// Lets the terminal take the place of the pipes.
fn attach_terminal(master: OwnedFd, sources: &mut [Option<Source>; 2], feed: &mut Option<super::streams::Feed>) {
    if let Some(feed) = feed
        && let Ok(writer) = master.try_clone()
    {
        feed.pipe = writer;
        // A terminal has no end of input but the character for it.
        feed.bytes.push(4);
    }
    let _ = rustix::io::ioctl_fionbio(&master, true);
    let [out, _] = sources;
    match out {
        Some(source) => source.pipe = master,
        None => {
            *out = Some(Source {
                pipe: master,
                sink: Sink::Each(Box::new(|_| ())),
                bytes: 0,
            });
        }
    }
}

/// Writes the order into memory that nobody can change any more.
fn seal(order: &Order) -> io::Result<OwnedFd> {
    let bytes = postcard::to_stdvec(order).map_err(io::Error::other)?;
    let memory = memfd_create(c"order", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
    let mut file = std::fs::File::from(memory);
    file.write_all(&bytes)?;
    let seals = SealFlags::WRITE | SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL;
    fcntl_add_seals(&file, seals)?;
    Ok(file.into())
}

/// Removes directories that were made for a child and stayed empty, innermost first.
fn remove_empty(made: &[PathBuf]) {
    for directory in made.iter().rev() {
        let _ = std::fs::remove_dir(directory);
    }
}

impl Confined {
    /// Lets go of everything when nothing ran.
    pub(super) fn clean_up(self) {
        self.doors.close();
        remove_empty(&self.after.made);
    }

    /// Adds to a report what only the host of a sandbox knows.
    pub(super) fn complete(self, report: &mut Report) {
        report.hosts = self.doors.close();
        let After {
            tier,
            notes,
            made,
            watched,
            visible,
            directory,
        } = self.after;
        remove_empty(&made);
        infer(&report.stderr, &directory, &visible, &self.denials);
        report.quarantined = quarantine::look(&watched);
        report.tier = Some(match tier {
            Tier::Namespaces => 1,
            Tier::Landlock => 2,
        });
        report.denials = self.denials.list();
        report.notes = notes;
    }
}
