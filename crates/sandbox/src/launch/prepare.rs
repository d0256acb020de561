//! What the child will see of the host, as mounts that are nowhere yet.
//!
//! Each path is opened without following any symlink, so that what is mounted is what the policy names, even if
//! somebody swaps a directory for a link at this very moment: then the launch fails.

use std::os::fd::{BorrowedFd, OwnedFd};

use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
use rustix::mount::{MountAttrFlags, OpenTreeFlags, open_tree};

use super::order::{BindMount, BindSource, LaunchOrder};
use super::stage::{LaunchFailure, LaunchStage, StageContext};
use crate::sys::mount::{self, MountDepth};

/// A mount for each bind, but for those that are made in the new root.
pub(super) type PreparedMounts = Vec<Option<OwnedFd>>;

/// Clones the mounts and gives them their attributes and owners.
pub(super) fn prepare(order: &LaunchOrder, maps: &[OwnedFd]) -> Result<PreparedMounts, LaunchFailure> {
    order.binds.iter().map(|bind| prepare_one(bind, maps)).collect()
}

fn prepare_one(bind: &BindMount, maps: &[OwnedFd]) -> Result<Option<OwnedFd>, LaunchFailure> {
    let path = match &bind.source {
        BindSource::Host(path) => path,
        BindSource::NoDirectory | BindSource::NoFile | BindSource::Text(_) => return Ok(None),
    };
    let about = path.as_bytes();
    let place = openat2(
        CWD,
        path.as_c_str(),
        OFlags::PATH | OFlags::CLOEXEC | OFlags::NOFOLLOW,
        Mode::empty(),
        ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS,
    )
    .about(LaunchStage::Source, about)?;
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_EMPTY_PATH
        | OpenTreeFlags::AT_RECURSIVE;
    let tree = open_tree(&place, c"", flags).about(LaunchStage::Source, about)?;
    mount::set_attributes(&tree, attributes(bind), MountDepth::All).about(LaunchStage::Attach, about)?;
    if let Some(map) = owner_map(bind, maps) {
        // What is mounted below may be of a kind that knows no such maps; the grant itself must.
        mount::map_owners(&tree, map, MountDepth::All)
            .or_else(|_| mount::map_owners(&tree, map, MountDepth::One))
            .about(LaunchStage::OwnerMap, about)?;
    }
    Ok(Some(tree))
}

fn owner_map<'m>(bind: &BindMount, maps: &'m [OwnedFd]) -> Option<BorrowedFd<'m>> {
    use std::os::fd::AsFd;
    let index = usize::try_from(bind.owner?).ok()?;
    maps.get(index).map(AsFd::as_fd)
}

fn attributes(bind: &BindMount) -> MountAttrFlags {
    let mut attributes = MountAttrFlags::MOUNT_ATTR_NOSUID;
    attributes.set(MountAttrFlags::MOUNT_ATTR_RDONLY, bind.read_only);
    attributes.set(MountAttrFlags::MOUNT_ATTR_NOEXEC, !bind.exec);
    attributes.set(MountAttrFlags::MOUNT_ATTR_NODEV, !bind.device);
    attributes
}
