//! A child on a terminal of its own, for what a program only does when a person sits there.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};

use rustix::fs::{Mode, OFlags};
use rustix::process::Pid;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::process;
use crate::watchdog::{Watchdog, kill_group};

/// A running child whose standard streams are a terminal.
pub struct Terminal {
    child: std::process::Child,
    master: File,
    watchdog: Watchdog,
    seen: String,
}

impl Terminal {
    pub(crate) fn start(mut command: Command, limit: std::time::Duration) -> Self {
        use std::os::unix::process::CommandExt;

        let (master, slave) = open_pair().expect("the system has pseudo-terminals");
        let stdio = |slave: &OwnedFd| Stdio::from(slave.try_clone().expect("a descriptor can be copied"));
        command
            .stdin(stdio(&slave))
            .stdout(stdio(&slave))
            .stderr(stdio(&slave))
            .process_group(0);
        let child = match process::start(&mut command) {
            Ok(child) => child,
            Err(error) => panic!("cannot start {command:?}: {error}"),
        };
        let watchdog = Watchdog::arm(group(&child), limit);
        Self {
            child,
            master: master.into(),
            watchdog,
            seen: String::new(),
        }
    }

    /// Returns the child's process number.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Types `text`, as it is.
    ///
    /// # Panics
    ///
    /// If the terminal is gone.
    pub fn type_in(&mut self, text: &str) {
        self.master
            .write_all(text.as_bytes())
            .expect("the terminal takes input");
    }

    /// Reads until the screen has shown `text`, and returns all that came since the last call.
    ///
    /// # Panics
    ///
    /// If the child ends, or its time is up, before it does.
    pub fn expect(&mut self, text: &str) -> String {
        let mut buffer = [0; 4096];
        loop {
            if let Some(at) = self.seen.find(text) {
                let rest = self.seen.split_off(at + text.len());
                return std::mem::replace(&mut self.seen, rest);
            }
            match self.master.read(&mut buffer) {
                Ok(count) if count > 0 => self.seen.push_str(&String::from_utf8_lossy(&buffer[..count])),
                // A terminal whose child is gone reads as an error.
                Ok(_) | Err(_) => panic!(
                    "the child ended before it showed {text:?}; it showed {:?}",
                    self.seen
                ),
            }
        }
    }

    /// Waits for the end and returns the exit code.
    ///
    /// # Panics
    ///
    /// If it does not end in time.
    pub fn wait(mut self) -> Option<i32> {
        // Unread output would keep the child from ending.
        let mut buffer = [0; 4096];
        while matches!(self.master.read(&mut buffer), Ok(1..)) {}
        // Disarmed only after the end: a child that closed its terminal may still hang.
        let status = self.child.wait().expect("a child can be waited for");
        assert!(!self.watchdog.has_fired(), "the child did not end in time");
        self.watchdog.disarm();
        status.code()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.watchdog.disarm();
        kill_group(group(&self.child));
        let _ = self.child.wait();
    }
}

fn group(child: &std::process::Child) -> Pid {
    let id = i32::try_from(child.id()).expect("a process number is an i32");
    Pid::from_raw(id).expect("a process number is not zero")
}

/// Opens a terminal: our side, and the child's.
pub(crate) fn open_pair() -> std::io::Result<(OwnedFd, OwnedFd)> {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
    grantpt(&master)?;
    unlockpt(&master)?;
    let name = ptsname(&master, Vec::new())?;
    let slave = rustix::fs::open(
        name,
        OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC,
        Mode::empty(),
    )?;
    Ok((master, slave))
}
