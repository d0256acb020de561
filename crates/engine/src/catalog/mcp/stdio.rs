//! A server that is a program: found, and started in the sandbox.
//!
//! In the closed one it has no network, an empty home that is gone with it, and of files those that it is made of, to be
//! read. What a [`Grant`] says comes on top of that; what is protected stays out of reach.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use argrail_sandbox::policy::{Anchors, EnvName, Exec, Policy, Protected};
use argrail_sandbox::{Child, Command, Error, Launcher, Output, Refusal, Stdin};
use argrail_spec::config::Secret;
use indexmap::IndexMap;

use super::error::Problem;
use super::hold::{Grant, Hold, ServerHome};
use super::means::Means;
use super::streams::Streams;
use super::until::Until;
use crate::catalog::probe;
use crate::files::{find_program, is_program};
use crate::profile::{Environment, Grounds};

/// The home and the directory of every server: empty, in the sandbox only, and gone with it. Many servers want to
/// write a log before they say a word.
const SCRATCH: &str = "/tmp";
/// What stands for the home in rules about files: nothing.
const NOWHERE: &str = "/empty";
/// How long it may take when it is told to.
const GRACE: Duration = Duration::from_millis(200);
/// How much longer the sandbox waits than we do, so that we say why.
const SLACK: Duration = Duration::from_secs(2);
/// How many files a server may have open.
const OPEN_FILES: u64 = 1024;

/// A program that can be started.
#[derive(Debug)]
pub(super) struct Startable {
    argv: Vec<OsString>,
    env: IndexMap<String, Secret>,
    grounds: Grounds,
    protected: Protected,
    launcher: Launcher,
    hold: Hold,
}

/// Looks for the program and decides what it may see. Nothing is started.
pub(super) fn command(
    program: &str,
    args: &[String],
    env: &IndexMap<String, Secret>,
    means: &Means,
    hold: &Hold,
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
    let protected = match hold {
        // What is not shown needs no hiding.
        Hold::Closed => match means.own.iter().any(|own| grounds.shows(own)) {
            true => Protected::none().hide(
                "it belongs to argrail",
                means.own.iter().filter(|own| grounds.shows(own)).cloned(),
            ),
            false => Protected::none(),
        },
        Hold::Granted(grant) => grant.protected.clone(),
    };
    let argv = std::iter::once(path.into_os_string()).chain(args.iter().map(OsString::from));
    Ok(Startable {
        argv: argv.collect(),
        env: env.clone(),
        grounds,
        protected,
        launcher: means.launcher.clone(),
        hold: hold.clone(),
    })
}

/// Finds a program by its name, or takes an absolute path.
fn find(program: &str, search: &[PathBuf]) -> Result<PathBuf, &'static str> {
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
    find_program(program, search).ok_or("there is no such program on the search path")
}

impl Startable {
    /// Starts it. It is spoken to over the streams that are returned, and gone with them.
    pub(super) fn open(&self, until: &Until) -> Result<Streams, Problem> {
        let child = self.start(until.left()).map_err(not_started)?;
        Streams::of(child).map_err(|source| {
            not_started(Error::Host {
                act: "open pipes",
                source,
            })
        })
    }

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
        let policy = self.policy(exec, timeout + SLACK)?;
        let command = match &self.hold {
            Hold::Closed => {
                let anchors = Anchors::new(NOWHERE, NOWHERE)?;
                Command::confined(self.argv.iter().cloned(), policy, anchors).directory(Path::new(SCRATCH))
            }
            Hold::Granted(grant) => {
                let command = Command::confined(self.argv.iter().cloned(), policy, grant.anchors.clone());
                with_environment(command, &grant.environment)
            }
        };
        let command = match self.hold.home() {
            ServerHome::Scratch => command.secret("HOME", SCRATCH),
            ServerHome::Real => command,
        };
        let command = command
            .launcher(self.launcher.clone())
            .search_path(self.grounds.search.iter().cloned())
            .protected(self.protected.clone())
            .stdin(Stdin::Pipe)
            .stdout(Output::Pipe)
            .stderr(Output::Pipe)
            .grace(GRACE);
        let give = |command: Command, (name, value): (&String, &Secret)| command.secret(name, value.expose());
        Ok(self.env.iter().fold(command, give))
    }

    /// What it may touch: what it is made of, to be read, and what was granted.
    ///
    /// Which programs it may start is not a matter of the grant: a server is often a program that starts another, and
    /// whatever it starts is held as it is.
    fn policy(&self, exec: Exec, wall: Duration) -> Result<Policy, Refusal> {
        let mut policy = probe::policy(&self.grounds, exec, wall)?;
        if let Hold::Granted(grant) = &self.hold {
            widen(&mut policy, grant);
        }
        policy.limits.wall = Some(wall);
        policy.limits.open_files = Some(OPEN_FILES);
        if policy.exec == Exec::None {
            // Not needed for one that cannot start another, and not to be had for root without namespaces.
            policy.limits.processes = None;
        }
        Ok(policy)
    }
}

fn with_environment(command: Command, environment: &Environment) -> Command {
    let mut command = command.environment(&environment.passed);
    for (name, value) in &environment.fixed {
        command = command.secret(name, value);
    }
    for (name, value) in &environment.secrets {
        command = command.secret(name, value.expose());
    }
    command
}

fn widen(policy: &mut Policy, grant: &Grant) {
    let granted = &grant.policy;
    policy.read.extend(granted.read.iter().cloned());
    policy.write.extend(granted.write.iter().cloned());
    policy.deny.extend(granted.deny.iter().cloned());
    policy.egress.extend(granted.egress.iter().cloned());
    policy.env_pass.extend(granted.env_pass.iter().cloned());
    for (name, value) in &granted.env_set {
        // Where its interpreter is found is known better here.
        if name.as_str() != "PATH" || !policy.env_set.contains_key(name) {
            policy.env_set.insert(name.clone(), value.clone());
        }
    }
    policy.local_network |= granted.local_network;
    policy.limits = granted.limits;
}

pub(super) fn not_started(error: Error) -> Problem {
    Problem::NotStarted(Box::new(error))
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
