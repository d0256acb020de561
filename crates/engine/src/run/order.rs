//! A child that is to run, and how.

use std::ffi::OsString;
use std::fmt;
use std::time::Duration;

use argrail_sandbox::{Cancel, Command, Launcher, Output, OutputCallback, Stdin};

use super::turns::ChildOwner;
use crate::config::{Loopback, NetworkOverrides};
use crate::profile::Profile;

/// What is run.
pub struct Order {
    /// The program's path and its arguments.
    pub argv: Vec<OsString>,
    /// What it runs in.
    pub profile: Profile,
    /// The program that builds sandboxes.
    pub launcher: Launcher,
    /// What it reads: nothing, these bytes, or a file. A pipe has nobody who fills it, and is as good as nothing.
    pub stdin: Stdin,
    /// Takes its output, as it comes. Whoever is slow here slows the child down.
    pub stdout: OutputCallback,
    /// Takes its errors.
    pub stderr: OutputCallback,
    /// How long it may take, in the place of what its description says.
    pub timeout: Option<Duration>,
    /// Ends it from elsewhere. Used for this child alone.
    pub cancel: Option<Cancel>,
    /// What is different about its network.
    pub reach: NetworkOverrides,
    /// Whose turn it takes. None for a person who started it and waits: it starts at once.
    pub owner: Option<ChildOwner>,
}

impl fmt::Debug for Order {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Order")
            .field("argv", &self.argv)
            .field("profile", &self.profile)
            .finish_non_exhaustive()
    }
}

impl Order {
    /// Returns the command, with these outputs in the place of its own.
    pub(super) fn command(self, stdout: OutputCallback, stderr: OutputCallback, cancel: Cancel) -> Command {
        let mut profile = self.profile;
        profile.policy.limits.wall = self.timeout.or(profile.policy.limits.wall);
        let stdin = match self.stdin {
            Stdin::Bytes(bytes) => Stdin::Bytes(bytes),
            Stdin::File(file) => Stdin::File(file),
            Stdin::Null | Stdin::Pipe => Stdin::Null,
        };
        profile
            .command(self.argv, &self.launcher, &self.reach)
            .stdin(stdin)
            .stdout(Output::Each(stdout))
            .stderr(Output::Each(stderr))
            .cancel_with(cancel)
    }
}

impl Profile {
    /// Returns a child that runs in this profile. Its streams are still to be said.
    pub fn command(self, argv: Vec<OsString>, launcher: &Launcher, reach: &NetworkOverrides) -> Command {
        let Self {
            policy,
            anchors,
            protected,
            environment,
            search,
            texts,
            notice,
            fixed,
            ..
        } = self;
        let mut command = Command::confined(argv, policy, anchors)
            .launcher(launcher.clone())
            .environment(environment.passed)
            .search_path(search)
            .protected(protected)
            .report_level(notice)
            .resolve(reach.resolve.iter().cloned());
        for (path, text) in texts {
            command = command.overlay_file(&path, text);
        }
        for (path, bytes) in fixed {
            command = command.pin_file(&path, bytes.to_vec());
        }
        // Not secrets, but of the same kind: no policy has to name them, and no manifest can.
        for (name, value) in environment.fixed {
            command = command.secret(name, value);
        }
        for (name, value) in environment.secrets {
            command = command.secret(name, value.expose());
        }
        match reach.loopback {
            Loopback::Refused => command,
            Loopback::Allowed => command.allow_loopback(),
        }
    }
}
