//! Starting a confined child: the order is written, the launcher started, and everything seen to be in force before
//! the program begins.

use std::io::{self, Write};
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};
use rustix::process::{Signal, pidfd_send_signal};

use super::command::{Command, Confinement};
use super::error::Error;
use super::handshake::{BegunLaunch, begin};
use super::infer::{InferenceContext, NetworkAccess, SOME_HOST, infer};
use super::quarantine;
use super::reached_addresses::LoopbackAccess;
use super::report::Report;
use super::running::StartedChild;
use super::seccomp_listener::SeccompListener;
use super::served_sockets::ServedSockets;
use super::streams::{OutputReader, OutputSink, StreamEnds, open_ends};
use super::touched_files::TouchedFiles;
use crate::compile::{
    CompileRequest, CompiledOrder, NestedWatch, VisiblePaths, WatchedPath, compile, remove_empty,
};
use crate::denial::{DenialKind, Denials};
use crate::launch::{HostIdentity, LaunchFailure, LaunchOrder, LaunchStage, LauncherEvent, Tier, receive};
use crate::policy::{Anchors, Policy};
use crate::refusal::Refusal;

/// What the host keeps for a confined child.
pub(super) struct ConfinedChild {
    pub(super) control: Option<OwnedFd>,
    pub(super) listener: Option<SeccompListener>,
    pub(super) sockets: ServedSockets,
    pub(super) denials: Denials,
    /// Whether everything comes out of one terminal.
    pub(super) terminal: bool,
    after: AfterExit,
}

/// What is needed when the child has ended.
struct AfterExit {
    tier: Tier,
    notes: Vec<String>,
    made: Vec<PathBuf>,
    watched: Vec<WatchedPath>,
    nested: NestedWatch,
    visible: Arc<VisiblePaths>,
    spawnable: Option<Vec<PathBuf>>,
    directory: PathBuf,
    network: NetworkAccess,
}

/// Why the first tier is not to be had on this machine, once that is known.
pub(super) static NO_NAMESPACES: OnceLock<LaunchFailure> = OnceLock::new();

/// Starts a confined child in the best tier that holds its policy.
pub(super) fn start(mut command: Command) -> Result<StartedChild, Error> {
    let confinement = std::mem::replace(&mut command.confinement, Confinement::Host);
    let Confinement::Policy(policy, anchors) = confinement else {
        return Err(Error::host("confine")(io::ErrorKind::InvalidInput.into()));
    };
    command.launcher.check()?;
    let mut policy = *policy;
    policy.limits = command.limits;
    ServedSockets::list(&command, &mut policy)?;
    let host_user = HostIdentity::current();
    let stdin = std::mem::take(&mut command.stdin);
    let outputs = [
        std::mem::take(&mut command.stdout),
        std::mem::take(&mut command.stderr),
    ];
    let ends = open_ends(stdin, outputs).map_err(Error::host("open pipes"))?;
    let attempt = LaunchAttempt {
        command: &command,
        policy: &policy,
        anchors: &anchors,
        host_user,
    };
    let callbacks = ServedSockets::listen(&policy)?;
    let ready = attempt.best_tier(&ends)?;
    attempt
        .into_started(ends, ready, callbacks)
        .map_err(Error::host("serve the child's network"))
}

/// One try to start the child.
pub(super) struct LaunchAttempt<'a> {
    pub(super) command: &'a Command,
    pub(super) policy: &'a Policy,
    pub(super) anchors: &'a Anchors,
    pub(super) host_user: HostIdentity,
}

/// A launcher that says everything is in force.
struct ReadyLauncher {
    process: OwnedFd,
    control: OwnedFd,
    sockets: Vec<OwnedFd>,
    master: Option<OwnedFd>,
    listener: Option<OwnedFd>,
    compiled: CompiledOrder,
    begun: Instant,
}

impl ReadyLauncher {
    /// Ends a launcher that will not be needed, and leaves nothing of it.
    fn give_up(&self) {
        let _ = rustix::net::shutdown(&self.control, rustix::net::Shutdown::Both);
        // By itself it reaps what it started; killed, it leaves that to the machine's init.
        let mut ended = [PollFd::new(&self.process, PollFlags::IN)];
        let patience = Timespec {
            tv_sec: 5,
            tv_nsec: 0,
        };
        if !poll(&mut ended, Some(&patience)).is_ok_and(|count| count > 0) {
            let _ = pidfd_send_signal(&self.process, Signal::KILL);
        }
        remove_empty(&self.compiled.made);
    }
}

enum LaunchOutcome {
    Ready(Box<ReadyLauncher>),
    Failed(LaunchFailure),
}

impl LaunchAttempt<'_> {
    fn best_tier(&self, ends: &StreamEnds) -> Result<ReadyLauncher, Error> {
        if !self.command.namespaces {
            return match self.in_tier(Tier::Landlock, false, ends)? {
                LaunchOutcome::Ready(ready) => Ok(*ready),
                LaunchOutcome::Failed(failure) => Err(Error::of_launch(&failure)),
            };
        }
        let mut failure = match NO_NAMESPACES.get() {
            Some(failure) => failure.clone(),
            None => match self.in_tier(Tier::Namespaces, false, ends)? {
                LaunchOutcome::Ready(ready) => return Ok(*ready),
                LaunchOutcome::Failed(failure) => failure,
            },
        };
        if failure.stage == LaunchStage::OwnerMap && self.host_user.machine_root {
            failure = match self.in_tier(Tier::Namespaces, true, ends)? {
                LaunchOutcome::Ready(ready) => return Ok(*ready),
                LaunchOutcome::Failed(failure) => failure,
            };
        }
        if matches!(
            failure.stage,
            LaunchStage::UserNamespace | LaunchStage::Namespaces | LaunchStage::IdMap | LaunchStage::Proc
        ) {
            if is_lasting(&failure) {
                let _ = NO_NAMESPACES.set(failure.clone());
            }
        } else {
            return Err(Error::of_launch(&failure));
        }
        match self.in_tier(Tier::Landlock, false, ends) {
            Ok(LaunchOutcome::Ready(mut ready)) => {
                ready.compiled.notes.push(format!("tier 2: {}", reason(&failure)));
                Ok(*ready)
            }
            Ok(LaunchOutcome::Failed(failure)) => Err(Error::of_launch(&failure)),
            Err(Error::Refused(refusal)) => Err(Error::Refused(self.explain(refusal, &failure))),
            Err(error) => Err(error),
        }
    }

    /// Says why the second tier was tried at all.
    pub(super) fn explain(&self, refusal: Refusal, failure: &LaunchFailure) -> Refusal {
        let reason = format!("{} ({})", refusal.reason, reason(failure));
        Refusal {
            reason,
            missing: failure.stage.feature().or(refusal.missing),
            ..refusal
        }
    }

    fn in_tier(&self, tier: Tier, stay_root: bool, ends: &StreamEnds) -> Result<LaunchOutcome, Error> {
        self.launch(self.compile_for(tier, stay_root)?, ends)
            .map_err(Error::host("start the launcher"))
    }

    pub(super) fn compile_for(&self, tier: Tier, stay_root: bool) -> Result<CompiledOrder, Error> {
        let Command {
            argv,
            directory,
            search,
            environment,
            secrets,
            overlays,
            pinned,
            protected,
            terminal,
            report_level,
            niceness,
            ..
        } = self.command;
        Ok(compile(&CompileRequest {
            policy: self.policy,
            anchors: self.anchors,
            protected,
            argv,
            directory,
            search,
            host_env: environment,
            minimal_environment: self.command.minimal_environment,
            secrets,
            overlays,
            pinned,
            terminal: *terminal,
            report_level: *report_level,
            niceness: *niceness,
            host_user: self.host_user,
            stay_root,
            tier,
            key: key().map_err(Error::host("get a random number"))?,
        })?)
    }

    fn launch(&self, compiled: CompiledOrder, ends: &StreamEnds) -> io::Result<LaunchOutcome> {
        let begun = Instant::now();
        let sealed = seal(&compiled.order)?;
        let BegunLaunch { process, control } = begin(&self.command.launcher, &sealed, &ends.child)?;
        if let Some(activity) = &self.command.activity {
            activity.begins(&process);
        }
        let ready = ReadyLauncher {
            process,
            control,
            sockets: Vec::new(),
            master: None,
            listener: None,
            compiled,
            begun,
        };
        Self::until_ready(ready)
    }

    /// Hears what the launcher did, until everything is in force or a step failed.
    fn until_ready(mut ready: ReadyLauncher) -> io::Result<LaunchOutcome> {
        loop {
            let gone = || io::Error::other("the launcher ended without a word");
            let heard =
                receive::<LauncherEvent>(&ready.control).and_then(|received| received.ok_or_else(gone));
            let received = match heard {
                Ok(received) => received,
                Err(error) => {
                    ready.give_up();
                    return Err(error);
                }
            };
            let mut descriptors = received.descriptors;
            match received.message {
                LauncherEvent::Here => {}
                LauncherEvent::Sockets => ready.sockets = descriptors,
                LauncherEvent::Terminal => ready.master = descriptors.pop(),
                LauncherEvent::Ready => {
                    ready.listener = descriptors.pop();
                    return Ok(LaunchOutcome::Ready(Box::new(ready)));
                }
                LauncherEvent::Failed(failure) => {
                    ready.give_up();
                    return Ok(LaunchOutcome::Failed(failure));
                }
                LauncherEvent::Ended { .. } => {
                    ready.give_up();
                    return Err(io::Error::other("the child ended before it began"));
                }
            }
        }
    }

    /// Everything is in force: what the host needs to watch.
    fn into_started(
        self,
        ends: StreamEnds,
        mut ready: ReadyLauncher,
        callbacks: Vec<TcpListener>,
    ) -> io::Result<StartedChild> {
        let StreamEnds {
            child,
            mut feed,
            stdin,
            mut sources,
            pipes,
        } = ends;
        // The child has its own by now; ours would keep the pipes open.
        drop(child);
        let denials = Denials::default();
        let mut network = Vec::new();
        let opened = ServedSockets::open_all(
            self.command,
            self.policy,
            &ready.compiled.order,
            std::mem::take(&mut ready.sockets),
            callbacks,
            &denials,
            &mut network,
        );
        let sockets = opened.inspect_err(|_| {
            ready.give_up();
            quarantine::look(&ready.compiled.watched, &ready.compiled.nested);
        })?;
        let CompiledOrder {
            order,
            mut notes,
            made,
            watched,
            nested,
            spawnable,
            visible,
        } = ready.compiled;
        notes.extend(network);
        let terminal = ready.master.is_some();
        if let Some(master) = ready.master {
            attach_terminal(master, &mut sources, &mut feed);
        }
        let directory = self.command.directory.clone();
        let listener = ready.listener.map(|listener| SeccompListener {
            listener,
            spawnable: spawnable.clone().unwrap_or_default(),
            directory: directory.clone(),
            touched: TouchedFiles {
                visible: Arc::clone(&visible),
                home: self.anchors.home().to_owned(),
                tier: order.tier,
            },
            loopback: match order.network.loopback {
                true => LoopbackAccess::Own,
                false => LoopbackAccess::Absent,
            },
        });
        let listener = listener.map(SeccompListener::begin);
        let caps = self.policy.limits.or_defaults();
        Ok(StartedChild {
            own: None,
            process: ready.process,
            confined: Some(ConfinedChild {
                control: Some(ready.control),
                listener,
                sockets,
                denials,
                terminal,
                after: AfterExit {
                    tier: order.tier,
                    notes,
                    made,
                    watched,
                    nested,
                    visible,
                    spawnable,
                    directory,
                    network: match self.policy.egress.is_empty() && !self.policy.local_network {
                        true => NetworkAccess::Absent,
                        false => NetworkAccess::Served,
                    },
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

/// Why the first tier is not to be had.
fn reason(failure: &LaunchFailure) -> String {
    let system = io::Error::from_raw_os_error(failure.error);
    format!("cannot {}: {system}", failure.stage.act())
}

/// Whether a failure is the machine's nature, and not that something had run out just then.
fn is_lasting(failure: &LaunchFailure) -> bool {
    let passing = [
        libc::EAGAIN,
        libc::EMFILE,
        libc::ENFILE,
        libc::ENOMEM,
        libc::ENOSPC,
    ];
    !passing.contains(&failure.error)
}

/// Lets the terminal take the place of the pipes.
fn attach_terminal(
    master: OwnedFd,
    sources: &mut [Option<OutputReader>; 2],
    feed: &mut Option<super::streams::InputFeed>,
) {
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
            *out = Some(OutputReader::new(master, OutputSink::Each(Box::new(|_| ()))));
        }
    }
}

/// A number that nobody can guess.
fn key() -> io::Result<u32> {
    let mut bytes = [0; 4];
    rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())?;
    Ok(u32::from_ne_bytes(bytes))
}

/// Writes the order into memory that nobody can change any more.
fn seal(order: &LaunchOrder) -> io::Result<OwnedFd> {
    let bytes = postcard::to_stdvec(order).map_err(io::Error::other)?;
    let memory = memfd_create(c"order", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
    let mut file = std::fs::File::from(memory);
    file.write_all(&bytes)?;
    let seals = SealFlags::WRITE | SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL;
    fcntl_add_seals(&file, seals)?;
    Ok(file.into())
}

impl ConfinedChild {
    /// Does what must be done after a child that there will be no report of.
    pub(super) fn look_after(mut self) {
        let watched = std::mem::take(&mut self.after.watched);
        let nested = std::mem::take(&mut self.after.nested);
        self.clean_up();
        quarantine::look(&watched, &nested);
    }

    /// Lets go of everything when nothing ran.
    pub(super) fn clean_up(self) {
        drop(self.sockets.close());
        remove_empty(&self.after.made);
    }

    /// Adds to a report what only the host of a sandbox knows. `said` is the end of what the child said of errors.
    pub(super) fn complete(self, report: &mut Report, said: &[u8]) {
        (report.hosts, report.unreached, report.traffic) = self.sockets.close();
        let AfterExit {
            tier,
            mut notes,
            made,
            watched,
            nested,
            visible,
            spawnable,
            directory,
            network,
        } = self.after;
        remove_empty(&made);
        let given = InferenceContext {
            directory: &directory,
            visible: &visible,
            spawnable: spawnable.as_deref(),
            network,
        };
        infer(said, &given, &self.denials);
        self.denials.name(DenialKind::Net, SOME_HOST);
        let looked = quarantine::look(&watched, &nested);
        report.quarantined = looked.quarantined;
        notes.extend(looked.note);
        report.tier = Some(match tier {
            Tier::Namespaces => 1,
            Tier::Landlock => 2,
        });
        report.denials = self.denials.list();
        report.notes = notes;
    }
}
