//! Mounts, by the old calls and the new: 13 of the suite.

use std::fs;
use std::io;

use crate::outcome::{Attack, Outcome, check, text, word};

/// The attacks of this file.
pub(crate) const ATTACKS: &[Attack] = &[
    Attack {
        name: "mount",
        act: mount,
    },
    Attack {
        name: "mount-in-own-namespace",
        act: mount_in_own_namespace,
    },
];

/// The call is newer than the list in libc.
const OPEN_TREE_ATTR: libc::c_long = 467;

/// `mount DIRECTORY`: every call that changes what is mounted where. The arguments are right where the kernel would
/// look at them before it looks at who asks.
fn mount(args: &[String]) -> Result<Outcome, String> {
    let place = text(word(args, 0, "directory")?)?;
    let place = place.as_ptr();
    let here = libc::AT_FDCWD;
    let (tmpfs, empty, root) = (c"tmpfs".as_ptr(), c"".as_ptr(), c"/".as_ptr());
    let none = std::ptr::null::<libc::c_char>();
    // MOUNT_ATTR_RDONLY taken away.
    let attributes: [u64; 4] = [0, 1, 0, 0];
    // SAFETY: strings and the attributes live until each call returns; all else is numbers and null pointers.
    let calls = unsafe {
        [
            (
                "mount",
                libc::syscall(libc::SYS_mount, tmpfs, place, tmpfs, 0, none),
            ),
            (
                "bind",
                libc::syscall(libc::SYS_mount, root, place, none, libc::MS_BIND, none),
            ),
            (
                "remount",
                libc::syscall(
                    libc::SYS_mount,
                    none,
                    root,
                    none,
                    libc::MS_REMOUNT | libc::MS_BIND,
                    none,
                ),
            ),
            (
                "umount2",
                libc::syscall(libc::SYS_umount2, place, libc::MNT_DETACH),
            ),
            (
                "umount2 of /proc",
                libc::syscall(libc::SYS_umount2, c"/proc".as_ptr(), libc::MNT_DETACH),
            ),
            ("pivot_root", libc::syscall(libc::SYS_pivot_root, place, place)),
            ("chroot", libc::syscall(libc::SYS_chroot, place)),
            ("fsopen", libc::syscall(libc::SYS_fsopen, tmpfs, 0)),
            ("fsconfig", libc::syscall(libc::SYS_fsconfig, 0, 6, none, none, 0)),
            ("fsmount", libc::syscall(libc::SYS_fsmount, 0, 0, 0)),
            ("fspick", libc::syscall(libc::SYS_fspick, here, place, 0)),
            ("open_tree", libc::syscall(libc::SYS_open_tree, here, place, 1)),
            (
                "open_tree_attr",
                libc::syscall(OPEN_TREE_ATTR, here, place, 1, attributes.as_ptr(), 32),
            ),
            (
                "move_mount",
                libc::syscall(libc::SYS_move_mount, here, place, here, root, 0),
            ),
            (
                "mount_setattr",
                libc::syscall(libc::SYS_mount_setattr, here, empty, 0, attributes.as_ptr(), 32),
            ),
            ("setns", libc::syscall(libc::SYS_setns, 0, 0)),
        ]
        .map(|(name, result)| (name, check(result)))
    };
    Ok(Outcome::any(
        calls.map(|(name, result)| (name, Outcome::of_refusal(result))),
    ))
}

/// `mount-in-own-namespace DIRECTORY`: becomes root of a new namespace and mounts there.
fn mount_in_own_namespace(args: &[String]) -> Result<Outcome, String> {
    let place = word(args, 0, "directory")?;
    Ok(Outcome::of(in_own_namespace(place), |()| "mounted".to_owned()))
}

fn in_own_namespace(place: &str) -> io::Result<()> {
    // SAFETY: numbers only.
    let (uid, flags) = unsafe { (libc::getuid(), libc::CLONE_NEWUSER | libc::CLONE_NEWNS) };
    // SAFETY: numbers only.
    check(unsafe { libc::unshare(flags) })?;
    fs::write("/proc/self/uid_map", format!("0 {uid} 1"))?;
    let place = text(place).map_err(io::Error::other)?;
    let tmpfs = c"tmpfs".as_ptr();
    // SAFETY: the strings live until the call returns.
    let mounted = unsafe { libc::mount(tmpfs, place.as_ptr(), tmpfs, 0, std::ptr::null()) };
    check(mounted).map(drop)
}
