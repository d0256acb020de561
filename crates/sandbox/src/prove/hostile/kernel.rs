//! Interfaces of the kernel that escapes are made of.

use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;

use rustix::mount::{FsOpenFlags, fsopen};
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

use super::super::attempt::{Act, Attempt, Setting};
use crate::sys::hostile;

pub(super) const ATTEMPTS: &[Attempt] = &[
    Attempt {
        name: "mount",
        attempted: "mount a file system",
        setting: Setting::Files,
        run: |facts| {
            let at = CString::new(facts.out().as_os_str().as_bytes()).unwrap_or_default();
            Ok(vec![
                Act::new("mount", hostile::mount_memory(&at)),
                Act::new(
                    "fsopen",
                    fsopen(c"tmpfs", FsOpenFlags::FSOPEN_CLOEXEC).map_err(io::Error::from),
                ),
            ])
        },
    },
    Attempt {
        name: "change-root",
        attempted: "change the root directory",
        setting: Setting::Files,
        run: |facts| {
            Ok(vec![Act::new(
                "chroot",
                rustix::process::chroot(facts.work()).map_err(io::Error::from),
            )])
        },
    },
    Attempt {
        name: "make-namespace",
        attempted: "become root in a user namespace of its own",
        setting: Setting::Files,
        run: |_| {
            Ok(vec![
                Act::new("unshare the users", hostile::unshare_users()),
                Act::new("unshare the mounts", hostile::unshare_mounts()),
                Act::new("enter one", enter()),
            ])
        },
    },
    Attempt {
        name: "use-keyring",
        attempted: "use the kernel's keyrings, which the user's other processes share",
        setting: Setting::Files,
        run: |_| {
            Ok(vec![
                Act::new("keyctl", hostile::session_keyring()),
                Act::new("add_key", hostile::add_key()),
            ])
        },
    },
    Attempt {
        name: "use-bpf",
        attempted: "use the kernel's BPF machine",
        setting: Setting::Files,
        run: |_| Ok(vec![Act::new("make a map", hostile::make_bpf_map())]),
    },
    Attempt {
        name: "use-io-uring",
        attempted: "make system calls through io_uring, past the filter",
        setting: Setting::Files,
        run: |_| Ok(vec![Act::new("make a ring", hostile::make_io_uring())]),
    },
    Attempt {
        name: "use-perf-events",
        attempted: "watch the machine through performance counters",
        setting: Setting::Files,
        run: |_| Ok(vec![Act::new("open a counter", hostile::open_perf_event())]),
    },
    Attempt {
        name: "use-userfaultfd",
        attempted: "halt the kernel in the middle of a copy, through userfaultfd",
        setting: Setting::Files,
        run: |_| Ok(vec![Act::new("open it", hostile::open_userfaultfd())]),
    },
];

/// Enters the network namespace that it is in already, which only a privileged process may.
fn enter() -> io::Result<()> {
    let own = File::open("/proc/self/ns/net")?;
    let kind = Some(LinkNameSpaceType::Network);
    Ok(move_into_link_name_space(std::os::fd::AsFd::as_fd(&own), kind)?)
}
