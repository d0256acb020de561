//! Other processes, what was inherited from them, and what they would do with us.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::fd::OwnedFd;

use rustix::event::Timespec;
use rustix::fs::{FlockOperation, flock};
use rustix::process::{Pid, PidfdFlags, pidfd_open, setsid};
use rustix::thread::{CapabilitySet, capabilities};

use super::super::attempt::{
    ActResults, AttemptPolicy, EscapeAttempt, HostileAct, allowed, holds_secret, read_secret,
};
use super::super::facts::{GroundFacts, PASSED_VARIABLE, SECRET_VARIABLE};
use crate::sys::hostile;
use crate::sys::process::{self, ForkSide};

pub(super) const ATTEMPTS: &[EscapeAttempt] = &[
    EscapeAttempt {
        name: "read-environment",
        attempted: "read a variable of the host that is not passed on",
        setting: AttemptPolicy::Files,
        run: environment,
    },
    EscapeAttempt {
        name: "see-host-processes",
        attempted: "see the host's processes",
        setting: AttemptPolicy::Files,
        run: |facts| {
            let status = format!("/proc/{}/status", facts.victim);
            Ok(vec![
                HostileAct::new("look at one", fs::read(status)),
                HostileAct::new("list them", others()),
            ])
        },
    },
    EscapeAttempt {
        name: "kill-host-process",
        attempted: "kill a process of the host",
        setting: AttemptPolicy::Files,
        run: |facts| {
            Ok(vec![HostileAct::new(
                "kill it",
                hostile::kill(facts.victim, libc::SIGKILL),
            )])
        },
    },
    EscapeAttempt {
        name: "signal-everything",
        attempted: "send every process a signal (number 0, which harms none)",
        setting: AttemptPolicy::Files,
        run: |facts| {
            // The kernel says yes to a signal for all even if it reaches none of those there are; so one of them is
            // asked after.
            let sent = hostile::kill(-1, 0).and_then(|()| hostile::kill(facts.victim, 0));
            Ok(vec![HostileAct::new("signal all", sent)])
        },
    },
    EscapeAttempt {
        name: "trace-host-process",
        attempted: "trace a process of the host",
        setting: AttemptPolicy::Files,
        run: |facts| Ok(vec![HostileAct::new("seize it", hostile::trace(facts.victim))]),
    },
    EscapeAttempt {
        name: "read-host-memory",
        attempted: "read a secret from the memory of a process of the host",
        setting: AttemptPolicy::Files,
        run: |facts| {
            Ok(vec![
                HostileAct::new("process_vm_readv", read_memory(facts)),
                HostileAct::new("/proc/…/mem", read_memory_file(facts)),
            ])
        },
    },
    EscapeAttempt {
        name: "take-host-descriptor",
        attempted: "take an open file from a process of the host",
        setting: AttemptPolicy::Files,
        run: |facts| {
            let taken = Pid::from_raw(facts.victim)
                .ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
                .and_then(|victim| Ok(pidfd_open(victim, PidfdFlags::empty())?))
                .and_then(|victim: OwnedFd| hostile::take_descriptor(victim, 0));
            let path = format!("/proc/{}/fd/0", facts.victim);
            Ok(vec![
                HostileAct::new("pidfd_getfd", taken),
                HostileAct::new("/proc/…/fd", fs::metadata(path)),
            ])
        },
    },
    EscapeAttempt {
        name: "use-inherited-descriptor",
        attempted: "read a key through a descriptor that the host left open",
        setting: AttemptPolicy::Files,
        run: |facts| {
            Ok(vec![HostileAct::new(
                "read every descriptor",
                find_inherited_secret(facts),
            )])
        },
    },
    EscapeAttempt {
        name: "leave-daemon",
        attempted: "leave a process running, in a session of its own, that nobody waits for",
        setting: AttemptPolicy::Forks,
        run: |facts| {
            allowed("fork twice", daemon(facts))?;
            Ok(vec![HostileAct::told("stay", Ok(()))])
        },
    },
    EscapeAttempt {
        name: "gain-privileges",
        attempted: "become root, or hold a capability",
        setting: AttemptPolicy::Files,
        run: |_| {
            let mut acts = Vec::new();
            if !rustix::process::geteuid().is_root() {
                acts.push(HostileAct::new("become root", hostile::become_root()));
            }
            acts.push(HostileAct::new("hold a capability", check_capabilities()));
            Ok(acts)
        },
    },
    EscapeAttempt {
        name: "forge-terminal-input",
        attempted: "type into the terminal for the person in front of it",
        setting: AttemptPolicy::Terminal,
        run: |_| {
            if !rustix::termios::isatty(rustix::stdio::stdin()) {
                return Err("what is allowed does not work: have a terminal".to_owned());
            }
            // The kernel looks at the lower half of a request's number; so must a filter.
            let high = libc::TIOCSTI | 1 << 32;
            Ok(vec![
                HostileAct::new("TIOCSTI", hostile::terminal_request(0, libc::TIOCSTI)),
                HostileAct::new("TIOCSTI with a high bit", hostile::terminal_request(0, high)),
            ])
        },
    },
];

fn environment(facts: &GroundFacts) -> ActResults {
    if std::env::var(PASSED_VARIABLE).as_deref() != Ok("yes") {
        return Err("what is allowed does not work: read a variable that is passed on".to_owned());
    }
    let own = std::env::var(SECRET_VARIABLE).map_err(|_| io::Error::other("not set"));
    let mut acts = vec![HostileAct::new("look it up", own)];
    for process in ["self", "1", &facts.victim.to_string()] {
        let path = format!("/proc/{process}/environ");
        acts.push(HostileAct::new(&path, read_secret(&path, &facts.secret)));
    }
    Ok(acts)
}

/// More processes than a sandbox with one program in it has.
fn others() -> io::Result<()> {
    const OWN: usize = 2;
    let is_process = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit());
    let seen = fs::read_dir("/proc")?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| is_process(name))
        .count();
    if seen > OWN {
        Ok(())
    } else {
        Err(io::Error::other("only its own are there"))
    }
}

fn read_memory(facts: &GroundFacts) -> io::Result<()> {
    let mut bytes = vec![0; facts.secret.len()];
    hostile::read_memory(facts.victim, facts.address, &mut bytes)?;
    holds_secret(&bytes, &facts.secret)
}

fn read_memory_file(facts: &GroundFacts) -> io::Result<()> {
    let mut bytes = vec![0; facts.secret.len()];
    let mut memory = File::open(format!("/proc/{}/mem", facts.victim))?;
    memory.seek(SeekFrom::Start(facts.address))?;
    memory.read_exact(&mut bytes)?;
    holds_secret(&bytes, &facts.secret)
}

fn find_inherited_secret(facts: &GroundFacts) -> io::Result<()> {
    let mut bytes = vec![0; facts.secret.len()];
    for number in 3..4096 {
        let read = hostile::read_number(number, &mut bytes).unwrap_or_default();
        if read > 0 && holds_secret(&bytes, &facts.secret).is_ok() {
            return Ok(());
        }
    }
    Err(io::Error::other("none of them is open on it"))
}

fn check_capabilities() -> io::Result<()> {
    let sets = capabilities(None)?;
    if (sets.effective | sets.permitted) == CapabilitySet::empty() {
        Err(io::Error::other("none is held"))
    } else {
        Ok(())
    }
}

/// Starts a process that belongs to nobody and holds a lock for a while, and returns when it holds it.
fn daemon(facts: &GroundFacts) -> io::Result<()> {
    let lock = File::create(facts.lock())?;
    let (ready, tell) = rustix::pipe::pipe()?;
    match facts.fork()? {
        ForkSide::Child => {
            let left = setsid().map_err(io::Error::from).and_then(|_| facts.fork());
            if let Ok(ForkSide::Child) = left {
                stay(&lock, &tell);
            }
            process::exit(i32::from(left.is_err()))
        }
        ForkSide::Parent(child) => {
            drop(tell);
            process::wait_for(child)?;
            match rustix::io::read(&ready, &mut [0])? {
                0 => Err(io::ErrorKind::UnexpectedEof.into()),
                _ => Ok(()),
            }
        }
    }
}

/// Stays long enough to be seen, and goes by itself, should nothing end it.
fn stay(lock: &File, tell: &OwnedFd) {
    const WHILE: Timespec = Timespec {
        tv_sec: 10,
        tv_nsec: 0,
    };
    if let Ok(null) = File::options().read(true).write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdin(&null);
        let _ = rustix::stdio::dup2_stdout(&null);
        let _ = rustix::stdio::dup2_stderr(&null);
    }
    if flock(lock, FlockOperation::NonBlockingLockExclusive).is_ok() {
        let _ = rustix::io::write(tell, b"!");
        let _ = rustix::event::poll(&mut [], Some(&WHILE));
    }
}
