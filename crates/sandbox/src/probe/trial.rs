//! What the machine offers, found out by trying: the launcher's own steps, one at a time, each in a process of its own.
//!
//! Versions and settings are not looked at. A kernel may have a feature and refuse it, to this user, in this
//! container, under this policy; only the attempt tells.

use std::fs;
use std::io::{self, Write};

use landlock::{ABI, Access, AccessFs, CompatLevel, Compatible, Ruleset, RulesetAttr, Scope};
use rustix::fs::{CWD, MemfdFlags, Mode, OFlags, SealFlags, openat};
use rustix::mount::{MountAttrFlags, MoveMountFlags, OpenTreeFlags, move_mount, open_tree};
use rustix::process::{PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use rustix::thread::{UnshareFlags, set_no_new_privs};

use crate::launch::{
    ChildIdentity, FileOwner, HostIdentity, LandlockRules, LaunchFailure, attach, confine, identity,
};
use crate::seccomp::{
    CallLooks, FilterInputs, FirstProgram, SpawnPermission, WritePermission, assemble, rules,
};
use crate::sys::mount::{MountDepth, map_owners, set_attributes};
use crate::sys::process::{self, ForkSide};
use crate::sys::{SoleThread, descriptor, seccomp};

/// Something that is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FeatureTrial {
    UserNamespaces,
    MountNamespace,
    PidNamespace,
    NetworkNamespace,
    IpcNamespace,
    UtsNamespace,
    CgroupNamespace,
    NewMountApi,
    FreshProc,
    Devpts,
    IdMappedMounts,
    Landlock,
    LandlockScopes,
    Seccomp,
    SeccompNotify,
    Pidfd,
    MemfdNoexecSeal,
    CloseRange,
    CgroupDelegated,
}

impl FeatureTrial {
    /// Every one, in the order in which they are shown.
    pub(crate) const ALL: [Self; 19] = [
        Self::UserNamespaces,
        Self::MountNamespace,
        Self::PidNamespace,
        Self::NetworkNamespace,
        Self::IpcNamespace,
        Self::UtsNamespace,
        Self::CgroupNamespace,
        Self::NewMountApi,
        Self::FreshProc,
        Self::Devpts,
        Self::IdMappedMounts,
        Self::Landlock,
        Self::LandlockScopes,
        Self::Seccomp,
        Self::SeccompNotify,
        Self::Pidfd,
        Self::MemfdNoexecSeal,
        Self::CloseRange,
        Self::CgroupDelegated,
    ];

    /// Returns the name by which programs know it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::UserNamespaces => "userNamespaces",
            Self::MountNamespace => "mountNamespace",
            Self::PidNamespace => "pidNamespace",
            Self::NetworkNamespace => "networkNamespace",
            Self::IpcNamespace => "ipcNamespace",
            Self::UtsNamespace => "utsNamespace",
            Self::CgroupNamespace => "cgroupNamespace",
            Self::NewMountApi => "newMountApi",
            Self::FreshProc => "freshProc",
            Self::Devpts => "devpts",
            Self::IdMappedMounts => "idMappedMounts",
            Self::Landlock => "landlock",
            Self::LandlockScopes => "landlockScopes",
            Self::Seccomp => "seccomp",
            Self::SeccompNotify => "seccompNotify",
            Self::Pidfd => "pidfd",
            Self::MemfdNoexecSeal => "memfdNoexecSeal",
            Self::CloseRange => "closeRange",
            Self::CgroupDelegated => "cgroupDelegated",
        }
    }

    /// Whether it can be had in a user namespace only.
    pub(crate) fn needs_user_namespace(self) -> bool {
        match self {
            Self::MountNamespace
            | Self::PidNamespace
            | Self::NetworkNamespace
            | Self::IpcNamespace
            | Self::UtsNamespace
            | Self::CgroupNamespace
            | Self::NewMountApi
            | Self::FreshProc
            | Self::Devpts => true,
            Self::UserNamespaces
            | Self::IdMappedMounts
            | Self::Landlock
            | Self::LandlockScopes
            | Self::Seccomp
            | Self::SeccompNotify
            | Self::Pidfd
            | Self::MemfdNoexecSeal
            | Self::CloseRange
            | Self::CgroupDelegated => false,
        }
    }

    /// Whether it is of use to this user. Only the machine's root shows files as somebody else's.
    fn concerns(self, host_user: HostIdentity) -> bool {
        self != Self::IdMappedMounts || host_user.machine_root
    }

    fn attempt(self, sole: SoleThread, host_user: HostIdentity) -> io::Result<()> {
        match self {
            Self::UserNamespaces => user_namespace(sole, host_user).and_then(|identity| map(&identity)),
            Self::MountNamespace => inside(sole, host_user, UnshareFlags::NEWNS),
            Self::PidNamespace => {
                inside(sole, host_user, UnshareFlags::NEWPID).and_then(|()| in_child(sole, || Ok(())))
            }
            Self::NetworkNamespace => {
                inside(sole, host_user, UnshareFlags::NEWNET)?;
                crate::sys::network::raise_loopback()
            }
            Self::IpcNamespace => inside(sole, host_user, UnshareFlags::NEWIPC),
            Self::UtsNamespace => inside(sole, host_user, UnshareFlags::NEWUTS),
            Self::CgroupNamespace => inside(sole, host_user, UnshareFlags::NEWCGROUP),
            Self::NewMountApi => inside(sole, host_user, UnshareFlags::NEWNS).and_then(|()| mounts()),
            Self::FreshProc => {
                inside(sole, host_user, UnshareFlags::NEWNS | UnshareFlags::NEWPID)?;
                in_child(sole, || {
                    attach::file_system(c"proc", &[], MountAttrFlags::MOUNT_ATTR_RDONLY).map(drop)
                })
            }
            Self::Devpts => {
                inside(sole, host_user, UnshareFlags::NEWNS)?;
                attach::file_system(c"devpts", &[(c"ptmxmode", "0666")], MountAttrFlags::empty()).map(drop)
            }
            Self::IdMappedMounts => mapped_owner(sole, host_user),
            Self::Landlock => {
                set_no_new_privs(true)?;
                confine::restrict(&LandlockRules::default())
            }
            Self::LandlockScopes => scopes(),
            Self::Seccomp => filter(SpawnPermission::Any, false),
            Self::SeccompNotify => filter(
                SpawnPermission::None {
                    program: FirstProgram {
                        descriptor: 9,
                        key: 0,
                    },
                },
                true,
            ),
            Self::Pidfd => {
                let process = pidfd_open(rustix::process::getpid(), PidfdFlags::empty())?;
                Ok(pidfd_send_signal(process, Signal::CONT)?)
            }
            Self::MemfdNoexecSeal => sealed_memory(),
            Self::CloseRange => descriptor::close_none(),
            Self::CgroupDelegated => own_cgroup(),
        }
    }
}

/// Tries everything and says what came of it, one line each: the name, and the system's error number or zero.
pub(crate) fn answer(sole: SoleThread) -> ! {
    let host_user = HostIdentity::current();
    let mut said = String::new();
    for trial in FeatureTrial::ALL
        .into_iter()
        .filter(|trial| trial.concerns(host_user))
    {
        let error = match in_child(sole, || trial.attempt(sole, host_user)) {
            Ok(()) => 0,
            Err(error) => number(&error),
        };
        said.push_str(&format!("{} {error}\n", trial.name()));
    }
    let told = io::stdout().lock().write_all(said.as_bytes());
    process::exit(i32::from(told.is_err()))
}

/// Runs something in a process of its own and returns what came of it.
fn in_child(sole: SoleThread, act: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    match process::fork(sole)? {
        ForkSide::Child => process::exit(act().map_or_else(|error| number(&error), |()| 0)),
        ForkSide::Parent(child) => {
            let (status, _) = process::wait_for(child)?;
            match ((status >> 8) & 0xff, status & 0x7f) {
                (0, 0) => Ok(()),
                // A filter around us may kill rather than refuse.
                (0, _) => Err(io::Error::from_raw_os_error(libc::EPERM)),
                (error, _) => Err(io::Error::from_raw_os_error(error)),
            }
        }
    }
}

fn number(error: &io::Error) -> i32 {
    error
        .raw_os_error()
        .filter(|number| (1..=255).contains(number))
        .unwrap_or(libc::EIO)
}

fn system(failure: LaunchFailure) -> io::Error {
    io::Error::from_raw_os_error(failure.error)
}

/// Enters a user namespace as the launcher does: root becomes a plain user first.
fn user_namespace(sole: SoleThread, host_user: HostIdentity) -> io::Result<ChildIdentity> {
    let (uid, gid) = host_user.child();
    let identity = ChildIdentity {
        uid,
        gid,
        switch: host_user.machine_root,
        owners: Vec::new(),
    };
    if identity.switch {
        identity::become_plain(&identity).map_err(system)?;
    }
    process::unshare(sole, UnshareFlags::NEWUSER)?;
    Ok(identity)
}

fn map(identity: &ChildIdentity) -> io::Result<()> {
    identity::map_ids(identity).map_err(system)
}

fn inside(sole: SoleThread, host_user: HostIdentity, namespaces: UnshareFlags) -> io::Result<()> {
    let identity = user_namespace(sole, host_user)?;
    process::unshare(sole, namespaces)?;
    map(&identity)
}

/// A file system in memory over the root, and a part of the old one in it, read-only.
fn mounts() -> io::Result<()> {
    // Without what is mounted below, which a namespace of ours may not look behind, the root cannot be had.
    let flags =
        OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC | OpenTreeFlags::AT_RECURSIVE;
    let tree = open_tree(CWD, c"/", flags)?;
    set_attributes(&tree, MountAttrFlags::MOUNT_ATTR_RDONLY, MountDepth::All)?;
    let root = attach::file_system(c"tmpfs", &[(c"size", "4096")], MountAttrFlags::MOUNT_ATTR_NOSUID)?;
    move_mount(&root, c"", CWD, c"/", MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)?;
    Ok(())
}

/// Shows the directory that this was started in as somebody else's.
fn mapped_owner(sole: SoleThread, host_user: HostIdentity) -> io::Result<()> {
    let (uid, gid) = host_user.child();
    let identity = ChildIdentity {
        uid,
        gid,
        switch: true,
        owners: vec![FileOwner { uid: 0, gid: 0 }],
    };
    let maps = identity::owner_maps(sole, &identity).map_err(system)?;
    let place = openat(CWD, c".", OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
    let tree = attach::clone(&place)?;
    for map in &maps {
        map_owners(&tree, map, MountDepth::One)?;
    }
    Ok(())
}

/// Signals and abstract sockets, kept to processes of the same kind.
fn scopes() -> io::Result<()> {
    set_no_new_privs(true)?;
    let restricted = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(ABI::V3))
        .and_then(|ruleset| ruleset.scope(Scope::from_all(ABI::V6)))
        .and_then(Ruleset::create)
        .and_then(landlock::RulesetCreated::restrict_self);
    restricted
        .map(drop)
        .map_err(|_| io::Error::from_raw_os_error(libc::EOPNOTSUPP))
}

fn filter(spawning: SpawnPermission, asks: bool) -> io::Result<()> {
    set_no_new_privs(true)?;
    let calls = FilterInputs {
        spawning,
        namespaces: true,
        writing: WritePermission::Nothing,
        looks: CallLooks::NONE,
    };
    let program = assemble(&rules(&calls)).map_err(io::Error::other)?;
    seccomp::install(&program, asks).map(drop)
}

fn sealed_memory() -> io::Result<()> {
    let memory = rustix::fs::memfd_create(c"probe", MemfdFlags::CLOEXEC | MemfdFlags::NOEXEC_SEAL)?;
    if rustix::fs::fcntl_get_seals(&memory)?.contains(SealFlags::EXEC) {
        Ok(())
    } else {
        Err(io::Error::from_raw_os_error(libc::EOPNOTSUPP))
    }
}

/// Makes a group below our own that could limit memory and processes, and takes it away again.
fn own_cgroup() -> io::Result<()> {
    let absent = || io::Error::from_raw_os_error(libc::ENOENT);
    let groups = fs::read_to_string("/proc/self/cgroup")?;
    let own = groups
        .lines()
        .find_map(|line| line.strip_prefix("0::/"))
        .ok_or_else(absent)?;
    let own = std::path::Path::new("/sys/fs/cgroup").join(own);
    let controllers = fs::read_to_string(own.join("cgroup.controllers"))?;
    let has = |name: &str| {
        controllers
            .split_whitespace()
            .any(|controller| controller == name)
    };
    if !(has("memory") && has("pids")) {
        return Err(absent());
    }
    let below = own.join(format!(
        "argrail-probe-{}",
        rustix::process::getpid().as_raw_nonzero()
    ));
    fs::create_dir(&below)?;
    fs::remove_dir(&below)
}
