//! Interfaces of the kernel that escapes are made of.

use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;

use rustix::mount::{FsOpenFlags, fsopen};
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

use super::super::attempt::{AttemptPolicy, EscapeAttempt, HostileAct};
use crate::sys::hostile;

pub(super) const ATTEMPTS: &[EscapeAttempt] = &[
    EscapeAttempt {
        name: "mount",
        attempted: "mount a file system",
        setting: AttemptPolicy::Files,
        run: |facts| {
            let at = CString::new(facts.out().as_os_str().as_bytes()).unwrap_or_default();
            Ok(vec![
                HostileAct::new("mount", hostile::mount_memory(&at)),
                HostileAct::new(
                    "fsopen",
                    fsopen(c"tmpfs", FsOpenFlags::FSOPEN_CLOEXEC).map_err(io::Error::from),
                ),
            ])
        },
    },
    EscapeAttempt {
        name: "change-root",
        attempted: "change the root directory",
        setting: AttemptPolicy::Files,
        run: |facts| {
            Ok(vec![HostileAct::new(
                "chroot",
                rustix::process::chroot(facts.work()).map_err(io::Error::from),
            )])
        },
    },
    EscapeAttempt {
        name: "make-namespace",
        attempted: "become root in a user namespace of its own",
        setting: AttemptPolicy::Files,
        run: |_| {
            Ok(vec![
                HostileAct::new("unshare the users", hostile::unshare_users()),
                HostileAct::new("unshare the mounts", hostile::unshare_mounts()),
                HostileAct::new("enter one", enter()),
            ])
        },
    },
    EscapeAttempt {
        name: "use-keyring",
        attempted: "use the kernel's keyrings, which the user's other processes share",
        setting: AttemptPolicy::Files,
        run: |_| {
            Ok(vec![
                HostileAct::new("keyctl", hostile::session_keyring()),
                HostileAct::new("add_key", hostile::add_key()),
            ])
        },
    },
    EscapeAttempt {
        name: "use-bpf",
        attempted: "use the kernel's BPF machine",
        setting: AttemptPolicy::Files,
        run: |_| Ok(vec![HostileAct::new("make a map", hostile::make_bpf_map())]),
    },
    EscapeAttempt {
        name: "use-io-uring",
        attempted: "make system calls through io_uring, past the filter",
        setting: AttemptPolicy::Files,
        run: |_| Ok(vec![HostileAct::new("make a ring", hostile::make_io_uring())]),
    },
    EscapeAttempt {
        name: "use-perf-events",
        attempted: "watch the machine through performance counters",
        setting: AttemptPolicy::Files,
        run: |_| {
            Ok(vec![HostileAct::new(
                "open a counter",
                hostile::open_perf_event(),
            )])
        },
    },
    EscapeAttempt {
        name: "use-userfaultfd",
        attempted: "halt the kernel in the middle of a copy, through userfaultfd",
        setting: AttemptPolicy::Files,
        run: |_| Ok(vec![HostileAct::new("open it", hostile::open_userfaultfd())]),
    },
];

/// Enters the network namespace that it is in already, which only a privileged process may.
fn enter() -> io::Result<()> {
    let own = File::open("/proc/self/ns/net")?;
    let kind = Some(LinkNameSpaceType::Network);
    Ok(move_into_link_name_space(std::os::fd::AsFd::as_fd(&own), kind)?)
}
