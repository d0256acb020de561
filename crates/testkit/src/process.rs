//! How tests start a process: the one place where `Command::new` is allowed outside the sandbox crate.
//!
//! Starting a program and writing one exclude each other. Between fork and exec a child holds a copy
//! of every descriptor, so a script that another test thread has open for writing at that moment
//! cannot be executed (`ETXTBSY`).

use rustix::process::{Pid, Signal, kill_process};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};

static EXECUTABLES: Mutex<()> = Mutex::new(());

/// Returns a command for `program`, with the environment of the test process.
///
/// For programs of the toolchain, such as cargo. What is under test runs in a [`Home`](crate::Home).
#[expect(
    clippy::disallowed_methods,
    reason = "tests start what they test; nothing here runs for a user"
)]
pub fn command(program: impl AsRef<OsStr>) -> Command {
    Command::new(program)
}

/// Sends a signal to a process of the test's own.
///
/// # Panics
///
/// If there is no such process.
pub fn signal(pid: u32, signal: Signal) {
    let pid = i32::try_from(pid)
        .ok()
        .and_then(Pid::from_raw)
        .expect("a process number");
    kill_process(pid, signal).expect("the process is there");
}

/// Starts `command` while no executable is being written.
pub(crate) fn start(command: &mut Command) -> io::Result<Child> {
    let _guard = executables();
    command.spawn()
}

/// Writes an executable file while nothing is being started.
pub(crate) fn write_executable(path: &Path, text: &str) -> io::Result<()> {
    let _guard = executables();
    fs::write(path, text)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

/// A test that panicked while it held the lock left nothing half done that matters to the next.
fn executables() -> MutexGuard<'static, ()> {
    EXECUTABLES.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn a_script_can_be_run_while_other_threads_write_theirs() {
        let dir = tempfile::tempdir().unwrap();
        thread::scope(|scope| {
            for worker in 0..4 {
                let dir = dir.path();
                scope.spawn(move || {
                    for round in 0..25 {
                        let path = dir.join(format!("tool-{worker}-{round}"));
                        write_executable(&path, "#!/bin/sh\nexit 7\n").unwrap();
                        let status = start(&mut command(&path)).unwrap().wait().unwrap();
                        assert_eq!(status.code(), Some(7));
                    }
                });
            }
        });
    }
}
