//! Starting a trusted child: no launcher, no policy; its own process group, limits, and nothing inherited.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::time::Instant;

use rustix::process::{Pid, PidfdFlags, Resource, Rlimit, getrlimit, pidfd_open, prlimit};

use super::command::Command;
use super::error::Error;
use super::os_command::os_command;
use super::running::{OwnChild, StartedChild};
use super::streams::{StreamEnds, open_ends};
use crate::compile::{ProgramSearch, check_words};
use crate::launch::inherited_open_files;
use crate::policy::Limits;

/// Starts a trusted child.
pub(super) fn start(command: Command) -> Result<StartedChild, Error> {
    let variables = [&command.environment, &command.secrets];
    check_words(&command.argv, &command.directory, variables)?;
    let search = ProgramSearch {
        path: &command.search,
        directory: &command.directory,
    };
    let name = command.argv.first().cloned().unwrap_or_default();
    let missing = || Error::Program {
        program: name.to_string_lossy().into_owned(),
        source: io::ErrorKind::NotFound.into(),
    };
    let program = search.all(&name).into_iter().next().ok_or_else(missing)?;
    let ends =
        open_ends(command.stdin, [command.stdout, command.stderr]).map_err(Error::host("open pipes"))?;
    let StreamEnds {
        child: [stdin, stdout, stderr],
        feed,
        stdin: ours,
        sources,
        pipes,
    } = ends;
    let begun = Instant::now();
    let child = os_command(program.as_os_str())
        .arg0(&name)
        .args(command.argv.iter().skip(1))
        .env_clear()
        .envs(&command.environment)
        .envs(&command.secrets)
        .current_dir(&command.directory)
        .stdin(Stdio::from(stdin))
        .stdout(Stdio::from(stdout))
        .stderr(Stdio::from(stderr))
        .process_group(0)
        .spawn()
        .map_err(|source| Error::Program {
            program: name.to_string_lossy().into_owned(),
            source,
        })?;
    // From here on a failure ends it: nobody would limit it, end it or wait for it.
    let own = OwnChild::new(Pid::from_child(&child));
    let process = pidfd_open(own.pid(), PidfdFlags::empty())
        .map_err(|error| Error::host("refer to the child")(error.into()))?;
    limit(own.pid(), &command.limits).map_err(Error::host("limit the child"))?;
    let caps = command.limits.or_defaults();
    Ok(StartedChild {
        own: Some(own),
        process,
        confined: None,
        sources,
        finished: [None, None],
        feed,
        stdin: ours,
        pipes,
        cancel: command.cancel,
        begun,
        wall: caps.wall,
        output: caps.output,
        grace: command.grace,
    })
}

/// Sets the limits that were asked for. They come a moment after the start: the child is trusted.
fn limit(pid: Pid, limits: &Limits) -> io::Result<()> {
    let cpu = limits.cpu.map(|cpu| cpu.as_secs().max(1));
    if limits.open_files.is_none() {
        give_back_open_files(pid)?;
    }
    for (resource, value) in [
        (Resource::Data, limits.memory),
        (Resource::Nproc, limits.processes),
        (Resource::Fsize, limits.file_size),
        (Resource::Nofile, limits.open_files),
        (Resource::Cpu, cpu),
    ] {
        if let Some(value) = value {
            // Nobody may give more than they have, and whoever gave us less meant our children, too.
            let value = getrlimit(resource)
                .maximum
                .map_or(value, |allowed| allowed.min(value));
            let limit = Rlimit {
                current: Some(value),
                maximum: Some(value),
            };
            set(pid, resource, limit)?;
        }
    }
    Ok(())
}

/// A program that knows nothing of more open files than its user gave it gets as many as those: `select` breaks beyond
/// 1024.
fn give_back_open_files(pid: Pid) -> io::Result<()> {
    let Some(current) = inherited_open_files() else {
        return Ok(());
    };
    let limit = Rlimit {
        current: Some(current),
        maximum: getrlimit(Resource::Nofile).maximum,
    };
    set(pid, Resource::Nofile, limit)
}

fn set(pid: Pid, resource: Resource, limit: Rlimit) -> io::Result<()> {
    match prlimit(Some(pid), resource, limit) {
        // It has ended already.
        Ok(_) | Err(rustix::io::Errno::SRCH) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::super::streams::Stdin;
    use super::*;

    #[test]
    fn a_child_that_nobody_watches_is_not_left_behind_and_higher_limits_are_ours() {
        let (reader, mut writer) = io::pipe().unwrap();
        let mut command = Command::host(["sleep", "1000"], std::path::Path::new("/"));
        command = command.stdin(Stdin::File(reader.into()));
        // More than the kernel gives to anybody: as much as we have is what it gets.
        command.limits.open_files = Some(u64::MAX / 2);
        let started = start(command).unwrap();
        let own = started.own.as_ref().unwrap().pid();
        let limits = std::fs::read_to_string(format!("/proc/{}/limits", own.as_raw_nonzero())).unwrap();
        let files = limits.lines().find(|line| line.starts_with("Max open files"));
        let ours = getrlimit(Resource::Nofile).maximum.unwrap().to_string();
        assert!(files.unwrap().contains(&format!(" {ours} ")), "{files:?}");
        drop(started);
        // Nobody holds the other end any more.
        let gone = writer.write_all(b"?").unwrap_err();
        assert_eq!(gone.kind(), io::ErrorKind::BrokenPipe);
    }
}
