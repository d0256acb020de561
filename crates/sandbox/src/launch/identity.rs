//! Who runs this, and who the child is: a plain user, in namespaces of its own, without any capability.

use std::os::fd::OwnedFd;
use std::path::Path;
use std::{fs, io};

use rustix::process::{DumpableBehavior, Pid, set_dumpable_behavior};
use rustix::thread::{
    CapabilitySet, CapabilitySets, UnshareFlags, capabilities, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities, set_no_new_privs, set_thread_groups,
    set_thread_res_gid, set_thread_res_uid,
};

use super::order::{ChildIdentity, FileOwner};
use super::stage::{LaunchFailure, LaunchStage, StageContext};
use crate::sys::namespace_holder::NamespaceHolder;
use crate::sys::{SoleThread, process};

/// The name of the machine, as the files of the sandbox have it.
const HOST_NAME: &[u8] = b"sandbox";

/// Makes a user namespace for each owner on disk, in which that owner is the child. Needs root.
pub(crate) fn owner_maps(sole: SoleThread, identity: &ChildIdentity) -> Result<Vec<OwnedFd>, LaunchFailure> {
    identity
        .owners
        .iter()
        .map(|owner| owner_map(sole, identity, *owner))
        .collect()
}

/// A namespace lives as long as somebody refers to it: a helper makes it, we hold it, the helper goes.
fn owner_map(sole: SoleThread, identity: &ChildIdentity, owner: FileOwner) -> Result<OwnedFd, LaunchFailure> {
    let helper = NamespaceHolder::start(sole).at(LaunchStage::UserNamespace)?;
    open_map(identity, owner, helper.pid()).at(LaunchStage::OwnerMap)
}

fn open_map(identity: &ChildIdentity, owner: FileOwner, helper: Pid) -> io::Result<OwnedFd> {
    let directory = Path::new("/proc").join(helper.as_raw_nonzero().to_string());
    fs::write(
        directory.join("uid_map"),
        format!("{} {} 1", owner.uid, identity.uid),
    )?;
    fs::write(
        directory.join("gid_map"),
        format!("{} {} 1", owner.gid, identity.gid),
    )?;
    Ok(fs::File::open(directory.join("ns/user"))?.into())
}

/// Stops being root: the groups, the group, the user, for good.
pub(crate) fn become_plain(identity: &ChildIdentity) -> Result<(), LaunchFailure> {
    let uid = rustix::process::Uid::from_raw(identity.uid);
    let gid = rustix::process::Gid::from_raw(identity.gid);
    set_thread_groups(&[]).at(LaunchStage::Identity)?;
    set_thread_res_gid(gid, gid, gid).at(LaunchStage::Identity)?;
    set_thread_res_uid(uid, uid, uid).at(LaunchStage::Identity)?;
    // The change made our own /proc files root's; the maps are written there.
    set_dumpable_behavior(DumpableBehavior::Dumpable).at(LaunchStage::Identity)
}

/// Enters new namespaces of every kind; that of processes begins with the next fork.
pub(super) fn new_namespaces(sole: SoleThread, identity: &ChildIdentity) -> Result<(), LaunchFailure> {
    process::unshare(sole, UnshareFlags::NEWUSER).at(LaunchStage::UserNamespace)?;
    let others = UnshareFlags::NEWNS
        | UnshareFlags::NEWPID
        | UnshareFlags::NEWNET
        | UnshareFlags::NEWIPC
        | UnshareFlags::NEWUTS
        | UnshareFlags::NEWCGROUP;
    process::unshare(sole, others).at(LaunchStage::Namespaces)?;
    // The host's name is nobody's business, and only ours is in the /etc/hosts of the sandbox.
    rustix::system::sethostname(HOST_NAME).at(LaunchStage::Namespaces)?;
    map_ids(identity)
}

/// Says who we are in the new user namespace: the same as outside.
pub(crate) fn map_ids(identity: &ChildIdentity) -> Result<(), LaunchFailure> {
    let ChildIdentity { uid, gid, .. } = identity;
    fs::write("/proc/self/setgroups", "deny").at(LaunchStage::IdMap)?;
    fs::write("/proc/self/uid_map", format!("{uid} {uid} 1")).at(LaunchStage::IdMap)?;
    fs::write("/proc/self/gid_map", format!("{gid} {gid} 1")).at(LaunchStage::IdMap)
}

/// Gives up every capability, now and after any program that is started, and any way to new ones.
pub(super) fn drop_privileges() -> Result<(), LaunchFailure> {
    let had = capabilities(None).at(LaunchStage::Capabilities)?;
    if had.effective.contains(CapabilitySet::SETPCAP) {
        for number in 0..u64::BITS {
            let capability = CapabilitySet::from_bits_retain(1 << number);
            match remove_capability_from_bounding_set(capability) {
                Ok(()) => {}
                // Above the last one that this kernel knows.
                Err(rustix::io::Errno::INVAL) => break,
                Err(error) => return Err(error).at(LaunchStage::Capabilities),
            }
        }
    }
    clear_ambient_capability_set().at(LaunchStage::Capabilities)?;
    let none = CapabilitySets {
        effective: CapabilitySet::empty(),
        permitted: CapabilitySet::empty(),
        inheritable: CapabilitySet::empty(),
    };
    set_capabilities(None, none).at(LaunchStage::Capabilities)?;
    set_no_new_privs(true).at(LaunchStage::NoNewPrivileges)
}

/// The plain user that a child of the machine's root becomes. Nobody is given this number.
const PLAIN_UID: u32 = 60_990;

/// The user that runs the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HostIdentity {
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    /// Whether that is root of the whole machine, and not of a container that maps it to somebody else.
    pub(crate) machine_root: bool,
}

impl HostIdentity {
    /// Asks the system who this process is.
    pub(crate) fn current() -> Self {
        let uid = rustix::process::geteuid().as_raw();
        Self {
            uid,
            gid: rustix::process::getegid().as_raw(),
            machine_root: uid == 0
                && fs::read_to_string("/proc/self/uid_map").is_ok_and(|map| is_whole(&map)),
        }
    }

    /// The user and group that a child is: ourselves, or a plain user in the place of root.
    pub(crate) fn child(self) -> (u32, u32) {
        if self.machine_root {
            (PLAIN_UID, PLAIN_UID)
        } else {
            (self.uid, self.gid)
        }
    }
}

/// Whether a map of users is the one that changes nothing, which only the machine's own namespace has.
fn is_whole(map: &str) -> bool {
    map.split_whitespace().eq(["0", "0", "4294967295"])
}
