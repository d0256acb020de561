//! Starting, watching and ending the program under test.

use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use argrail_testkit::{Home, Signal, signal};

use crate::ARGRAIL;

/// Longer than anything takes on a busy machine.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// A directory of the test's own, gone with the value.
pub(super) struct Scratch(Home);

impl Scratch {
    pub(super) fn new() -> Self {
        Self(Home::new())
    }

    pub(super) fn path(&self) -> &Path {
        self.0.root()
    }
}

/// A running argrail. A test that stops half-way takes it along.
pub(super) struct Program(Option<Child>);

impl Deref for Program {
    type Target = Child;

    fn deref(&self) -> &Child {
        self.0.as_ref().unwrap()
    }
}

impl DerefMut for Program {
    fn deref_mut(&mut self) -> &mut Child {
        self.0.as_mut().unwrap()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if let Some(mut child) = self.0.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Starts argrail.
pub(super) fn argrail(args: &[&str], home: &Path, stdin: Stdio, stdout: Stdio, stderr: Stdio) -> Program {
    let mut command = argrail_testkit::command(ARGRAIL);
    command
        .args(args)
        .env_clear()
        .env("HOME", home)
        .current_dir(home)
        .stdin(stdin)
        .stdout(stdout)
        .stderr(stderr);
    Program(Some(command.spawn().unwrap()))
}

/// Waits for the end, but not for ever.
pub(super) fn wait(mut program: Program) -> ExitStatus {
    let mut child = program.0.take().unwrap();
    let pid = child.id();
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || tell.send(child.wait()));
    match told.recv_timeout(PATIENCE) {
        Ok(status) => status.unwrap(),
        Err(_) => {
            signal(pid, Signal::KILL);
            panic!("the program did not end");
        }
    }
}

/// Returns the most memory a process ever had resident, in KiB.
pub(super) fn peak_kib(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
