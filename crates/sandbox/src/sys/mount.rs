//! `mount_setattr`, which rustix does not have yet.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};

use rustix::mount::MountAttrFlags;

use super::check_long;

/// Whether a change concerns one mount or all below it too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MountDepth {
    /// The mount itself.
    One,
    /// The mount and those below.
    All,
}

/// Sets attributes of the mount that `mount` refers to, which must be its root, and cuts it off from its peers:
/// nothing that is mounted in a sandbox appears outside, nor the other way round.
pub(crate) fn set_attributes(mount: impl AsFd, set: MountAttrFlags, depth: MountDepth) -> io::Result<()> {
    change(mount.as_fd(), u64::from(set.bits()), None, depth)
}

/// Shows the files of a detached mount as owned by others, as the user namespace `map` says.
pub(crate) fn map_owners(mount: impl AsFd, map: impl AsFd, depth: MountDepth) -> io::Result<()> {
    let idmap = u64::from(MountAttrFlags::MOUNT_ATTR_IDMAP.bits());
    change(mount.as_fd(), idmap, Some(map.as_fd()), depth)
}

fn change(mount: BorrowedFd<'_>, set: u64, map: Option<BorrowedFd<'_>>, depth: MountDepth) -> io::Result<()> {
    let attributes = libc::mount_attr {
        attr_set: set,
        attr_clr: 0,
        propagation: libc::MS_PRIVATE,
        userns_fd: map.map_or(0, |map| map.as_raw_fd().unsigned_abs().into()),
    };
    let flags = libc::AT_EMPTY_PATH
        | match depth {
            MountDepth::One => 0,
            MountDepth::All => libc::AT_RECURSIVE,
        };
    // SAFETY: the descriptors are open, the path is an empty C string, and the structure lives across the
    // call with its true size.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            mount.as_raw_fd(),
            c"".as_ptr(),
            flags,
            &raw const attributes,
            size_of::<libc::mount_attr>(),
        )
    };
    check_long(result).map(drop)
}
