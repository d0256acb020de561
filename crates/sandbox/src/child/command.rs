//! A child that is to be: program, policy, streams, limits.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::activity::Activity;
use super::error::Error;
use super::launcher_process::Launcher;
use super::report::Report;
use super::running::{Cancel, Child};
use super::streams::{Output, Stdin};
use super::{confined, feasibility, plain};
use crate::denial::ReportLevel;
use crate::policy::{Anchors, Limits, Policy, Protected};

/// How long a child may take to end when it is asked to, before it is killed.
const DEFAULT_GRACE: Duration = Duration::from_secs(2);

/// What holds a child.
#[derive(Debug, Clone)]
pub enum Confinement {
    /// Nothing but limits: for the host's own trusted helpers. See [`Policy::host`].
    Host,
    /// A policy, enforced by the kernel.
    Policy(Box<Policy>, Box<Anchors>),
}

impl Policy {
    /// Returns no policy at all, for helpers that the host trusts as itself.
    ///
    /// The child has its own process group, a time limit, limits of resources and of output. A process of it that
    /// leaves the group (a daemon) outlives it, and it may touch whatever the host may.
    pub fn host() -> Confinement {
        Confinement::Host
    }
}

/// Describes a child. Nothing is inherited: what it may see is said here.
#[derive(Debug)]
pub struct Command {
    pub(super) argv: Vec<OsString>,
    pub(super) confinement: Confinement,
    pub(super) launcher: Launcher,
    pub(super) directory: PathBuf,
    pub(super) environment: BTreeMap<OsString, OsString>,
    pub(super) secrets: BTreeMap<OsString, OsString>,
    pub(super) overlays: BTreeMap<PathBuf, Vec<u8>>,
    pub(super) pinned: BTreeMap<PathBuf, Vec<u8>>,
    pub(super) search: Vec<PathBuf>,
    pub(super) protected: Protected,
    pub(super) stdin: Stdin,
    pub(super) stdout: Output,
    pub(super) stderr: Output,
    pub(super) limits: Limits,
    pub(super) grace: Duration,
    pub(super) resolve: Vec<(String, IpAddr)>,
    pub(super) loopback: bool,
    pub(super) private_names: Vec<String>,
    pub(super) socket_routes: Vec<(String, PathBuf)>,
    pub(super) minimal_environment: bool,
    pub(super) terminal: (u16, u16),
    pub(super) cancel: Option<Cancel>,
    pub(super) activity: Option<Activity>,
    pub(super) niceness: u8,
    pub(super) namespaces: bool,
    pub(super) report_level: ReportLevel,
}

impl Command {
    /// Describes a child that a policy confines. It starts in the workspace.
    pub fn confined<A: Into<OsString>>(
        argv: impl IntoIterator<Item = A>,
        policy: Policy,
        anchors: Anchors,
    ) -> Self {
        let directory = anchors.workspace().to_owned();
        let limits = policy.limits;
        let confinement = Confinement::Policy(Box::new(policy), Box::new(anchors));
        Self::with(argv, confinement, directory, limits)
    }

    /// Describes a child that is trusted as the host itself.
    pub fn host<A: Into<OsString>>(argv: impl IntoIterator<Item = A>, directory: &Path) -> Self {
        Self::with(argv, Policy::host(), directory.to_owned(), Limits::default())
    }

    fn with<A: Into<OsString>>(
        argv: impl IntoIterator<Item = A>,
        confinement: Confinement,
        directory: PathBuf,
        limits: Limits,
    ) -> Self {
        let system = crate::compile::DEFAULT_PATH
            .split(':')
            .map(PathBuf::from)
            .collect();
        Self {
            argv: argv.into_iter().map(Into::into).collect(),
            confinement,
            launcher: Launcher::default(),
            directory,
            environment: BTreeMap::new(),
            secrets: BTreeMap::new(),
            overlays: BTreeMap::new(),
            pinned: BTreeMap::new(),
            search: system,
            protected: Protected::none(),
            stdin: Stdin::default(),
            stdout: Output::default(),
            stderr: Output::default(),
            limits,
            grace: DEFAULT_GRACE,
            resolve: Vec::new(),
            loopback: false,
            private_names: Vec::new(),
            socket_routes: Vec::new(),
            minimal_environment: false,
            terminal: (24, 80),
            cancel: None,
            activity: None,
            niceness: 0,
            namespaces: true,
            report_level: ReportLevel::default(),
        }
    }

    /// Says which program is the launcher: this one, unless said.
    #[must_use]
    pub fn launcher(mut self, launcher: Launcher) -> Self {
        self.launcher = launcher;
        self
    }

    /// Says where the child starts: an absolute path without symlinks.
    #[must_use]
    pub fn directory(mut self, directory: &Path) -> Self {
        directory.clone_into(&mut self.directory);
        self
    }

    /// Gives variables: all of them to a trusted child, those that the policy passes on to a confined one.
    #[must_use]
    pub fn environment<K: Into<OsString>, V: Into<OsString>>(
        mut self,
        variables: impl IntoIterator<Item = (K, V)>,
    ) -> Self {
        self.environment.extend(
            variables
                .into_iter()
                .map(|(name, value)| (name.into(), value.into())),
        );
        self
    }

    /// Gives a variable that no policy has to name, and that nobody else sees.
    #[must_use]
    pub fn secret(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.secrets.insert(name.into(), value.into());
        self
    }

    /// Shows a text in the place of a file that the child may read and not write: settings without what it should not
    /// try. Where there are no namespaces the file is shown as it is. This is a service to the child, and no limit.
    #[must_use]
    pub fn overlay_file(mut self, path: &Path, text: impl Into<Vec<u8>>) -> Self {
        self.overlays.insert(path.to_owned(), text.into());
        self
    }

    /// Shows these bytes in the place of a file, and nothing else, whatever becomes of the file: the child cannot change
    /// them. Where there are no namespaces the file itself has to say the same right before the start. A file that is gone,
    /// or says something else there, is a refusal of the field `files`.
    #[must_use]
    pub fn pin_file(mut self, path: &Path, bytes: impl Into<Vec<u8>>) -> Self {
        self.pinned.insert(path.to_owned(), bytes.into());
        self
    }

    /// Says where programs are looked for: the system's directories, unless said.
    #[must_use]
    pub fn search_path(mut self, directories: impl IntoIterator<Item = PathBuf>) -> Self {
        self.search = directories.into_iter().collect();
        self
    }

    /// Says what no grant reaches.
    #[must_use]
    pub fn protected(mut self, protected: Protected) -> Self {
        self.protected = protected;
        self
    }

    /// Says what the child reads.
    #[must_use]
    pub fn stdin(mut self, stdin: Stdin) -> Self {
        self.stdin = stdin;
        self
    }

    /// Says where standard output goes.
    #[must_use]
    pub fn stdout(mut self, output: Output) -> Self {
        self.stdout = output;
        self
    }

    /// Says where standard error goes. With a terminal, everything comes out of standard output.
    #[must_use]
    pub fn stderr(mut self, output: Output) -> Self {
        self.stderr = output;
        self
    }

    /// Limits the time from start to end, if the policy does not limit it more.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.limits.wall = Some(self.limits.wall.map_or(timeout, |wall| wall.min(timeout)));
        self
    }

    /// Limits the bytes that are read from the child, if the policy does not limit them more.
    #[must_use]
    pub fn max_output(mut self, bytes: u64) -> Self {
        self.limits.output = Some(self.limits.output.map_or(bytes, |output| output.min(bytes)));
        self
    }

    /// Says how long the child may take to end when asked to: 2 s, unless said.
    #[must_use]
    pub fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// Gives names addresses, in the place of the system's resolver. The report says so.
    #[must_use]
    pub fn resolve(mut self, names: impl IntoIterator<Item = (String, IpAddr)>) -> Self {
        self.resolve.extend(names);
        self
    }

    /// Lets allowed names lead to this machine's own loopback addresses. The report says so.
    #[must_use]
    pub fn allow_loopback(mut self) -> Self {
        self.loopback = true;
        self
    }

    /// Lets these names, if the policy allows them, lead to any address: for services inside of a company that a person
    /// said yes to. The report says so.
    #[must_use]
    pub fn allow_private_addresses(mut self, names: impl IntoIterator<Item = String>) -> Self {
        let names = names.into_iter().map(|name| name.to_ascii_lowercase());
        self.private_names.extend(names);
        self
    }

    /// Hands connections of a confined child to this one name over to a unix socket of the host, whatever else the policy
    /// lists. No other name and no address leads there, and to no other socket. The report says so.
    #[must_use]
    pub fn route_to_socket(mut self, name: &str, socket: &Path) -> Self {
        self.socket_routes
            .push((name.to_ascii_lowercase(), socket.to_owned()));
        self
    }

    /// Gives a confined child no other variables of ours than `PATH` and `HOME`: what it gets besides, its policy and
    /// its secrets name.
    #[must_use]
    pub fn minimal_environment(mut self) -> Self {
        self.minimal_environment = true;
        self
    }

    /// Says how large the terminal is, when the policy wants one.
    #[must_use]
    pub fn terminal(mut self, rows: u16, columns: u16) -> Self {
        self.terminal = (rows, columns);
        self
    }

    /// Uses the second tier: Landlock and a filter of system calls, without namespaces. It is faster and holds less;
    /// a policy that it cannot hold exactly is refused.
    #[must_use]
    pub fn without_namespaces(mut self) -> Self {
        self.namespaces = false;
        self
    }

    /// Says which of the child's vain tries the report has.
    #[must_use]
    pub fn report_level(mut self, level: ReportLevel) -> Self {
        self.report_level = level;
        self
    }

    /// Gives a switch that ends the child.
    #[must_use]
    pub fn cancel_with(mut self, cancel: Cancel) -> Self {
        self.cancel = Some(cancel);
        self
    }

    /// Gives something that tells whether a confined child works or waits.
    #[must_use]
    pub fn activity_with(mut self, activity: Activity) -> Self {
        self.activity = Some(activity);
        self
    }

    /// Says how far a confined child stands back where processors are short: 0 as we do, 19 as far as there is.
    #[must_use]
    pub fn niceness(mut self, niceness: u8) -> Self {
        self.niceness = niceness.min(19);
        self
    }

    /// Sees whether this machine can hold the policy, without starting the program: where there are no namespaces, many
    /// cannot be. What is there when it passes may be gone when the child starts, which looks again.
    ///
    /// # Errors
    /// What cannot be held, and what to do about it.
    pub fn check(self) -> Result<(), Error> {
        match &self.confinement {
            Confinement::Host => Ok(()),
            Confinement::Policy(..) => feasibility::check(self),
        }
    }

    /// Runs the child to its end in this thread.
    ///
    /// # Errors
    /// When it was not started, with the reason and what to do about it.
    pub fn run(self) -> Result<Report, Error> {
        match &self.confinement {
            Confinement::Host => plain::start(self)?.watch(),
            Confinement::Policy(..) => confined::start(self)?.watch(),
        }
    }

    /// Starts the child and returns it running, watched by a thread of its own.
    ///
    /// # Errors
    /// When it was not started, with the reason and what to do about it.
    pub fn spawn(mut self) -> Result<Child, Error> {
        let cancel = match self.cancel.take() {
            Some(cancel) => cancel,
            None => Cancel::new().map_err(Error::host("make a switch"))?,
        };
        self.cancel = Some(cancel.clone());
        let mut started = match &self.confinement {
            Confinement::Host => plain::start(self)?,
            Confinement::Policy(..) => confined::start(self)?,
        };
        let [stdout, stderr] = std::mem::take(&mut started.pipes);
        let stdin = started.stdin.take();
        Child::watch(started, cancel, stdin, stdout, stderr)
    }
}
