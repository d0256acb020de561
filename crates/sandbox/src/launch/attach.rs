//! The new root: an empty one of our own, what is made in it, what is mounted in it, and the change into it.
//!
//! Every place is looked up below the new root without following a symlink: what lies in a grant may be an
//! attacker's, and a cover that lands elsewhere covers nothing.

use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, ResolveFlags, chmodat, mkdirat, openat, openat2, symlinkat};
use rustix::io::Errno;
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, MoveMountFlags, OpenTreeFlags, UnmountFlags, fsconfig_create,
    fsconfig_set_string, fsmount, fsopen, move_mount, open_tree, unmount,
};

use super::order::{BindMount, BindSource, LaunchOrder, NodeKind, RootNode};
use super::prepare::PreparedMounts;
use super::stage::{LaunchFailure, LaunchStage, StageContext};
use crate::sys::mount::{self, MountDepth};

/// Where the covers are made: under the place of `/proc`, whose mount hides them.
const NO_DIRECTORY: &CStr = c"proc/directory";
const NO_FILE: &CStr = c"proc/file";

/// What only root could misuse, and root is covered from: a file or a directory each.
const PROC_FILES: &[&CStr] = &[
    c"proc/kcore",
    c"proc/keys",
    c"proc/key-users",
    c"proc/kallsyms",
    c"proc/kmsg",
    c"proc/sysrq-trigger",
    c"proc/timer_list",
];
const PROC_DIRECTORIES: &[&CStr] = &[c"proc/acpi", c"proc/scsi"];

/// Builds the new root and changes into it. This process is pid 1 of the sandbox.
pub(super) fn build(order: &LaunchOrder, prepared: PreparedMounts) -> Result<(), LaunchFailure> {
    let root = new_root(order).at(LaunchStage::NewRoot)?;
    for node in &order.nodes {
        make(&root, node).about(LaunchStage::Node, node.path.as_bytes())?;
    }
    let covers = DeniedCovers::make(&root).at(LaunchStage::NewRoot)?;
    // Before the grants, some of which may lie in there.
    scratch(&root, c"tmp", order.scratch_exec).at(LaunchStage::NewRoot)?;
    scratch(&root, c"dev/shm", false).at(LaunchStage::NewRoot)?;
    for path in &order.closed {
        close(&root, path).about(LaunchStage::NewRoot, path.as_bytes())?;
    }
    for (index, (bind, tree)) in order.binds.iter().zip(prepared).enumerate() {
        attach(&root, bind, tree, &covers, index).about(LaunchStage::Attach, bind.target.as_bytes())?;
    }
    if order.terminal.is_some() {
        terminals(&root).at(LaunchStage::Terminal)?;
    }
    proc(&root, order.covers, &covers).at(LaunchStage::Proc)?;
    mount::set_attributes(&root, MountAttrFlags::MOUNT_ATTR_RDONLY, MountDepth::One)
        .at(LaunchStage::NewRoot)?;
    pivot(&root).at(LaunchStage::Pivot)
}

/// An empty file system in memory, mounted over the old root, where every place exists.
fn new_root(order: &LaunchOrder) -> io::Result<OwnedFd> {
    let root = file_system(
        c"tmpfs",
        &[
            (c"size", &order.scratch.to_string()),
            (c"nr_inodes", "65536"),
            (c"mode", "0755"),
        ],
        MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV,
    )?;
    move_mount(&root, c"", CWD, c"/", MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)?;
    Ok(root)
}

pub(crate) fn file_system(
    kind: &CStr,
    options: &[(&CStr, &str)],
    attributes: MountAttrFlags,
) -> io::Result<OwnedFd> {
    let context = fsopen(kind, FsOpenFlags::FSOPEN_CLOEXEC)?;
    for (key, value) in options {
        fsconfig_set_string(&context, *key, *value)?;
    }
    fsconfig_create(&context)?;
    Ok(fsmount(&context, FsMountFlags::FSMOUNT_CLOEXEC, attributes)?)
}

fn make(root: &OwnedFd, node: &RootNode) -> io::Result<()> {
    let path = node.path.as_c_str();
    let made = match &node.kind {
        NodeKind::Directory => mkdirat(root, path, Mode::from_raw_mode(0o755)),
        NodeKind::Symlink(to) => symlinkat(to.as_c_str(), root, path),
        NodeKind::File(content) => {
            let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
            openat(root, path, flags, Mode::from_raw_mode(0o644))
                .and_then(|file| write_all(&file, &content.0))
        }
    };
    match made {
        Ok(()) | Err(Errno::EXIST) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn write_all(file: &OwnedFd, mut content: &[u8]) -> Result<(), Errno> {
    while !content.is_empty() {
        let written = rustix::io::write(file, content)?;
        content = content.get(written..).unwrap_or_default();
    }
    Ok(())
}

/// The two things that stand where something is denied.
struct DeniedCovers {
    directory: OwnedFd,
    file: OwnedFd,
}

impl DeniedCovers {
    fn make(root: &OwnedFd) -> io::Result<Self> {
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
        openat(root, NO_FILE, flags, Mode::empty())?;
        mkdirat(root, NO_DIRECTORY, Mode::empty())?;
        // The mask of this process does not matter: nobody may do anything.
        chmodat(root, NO_DIRECTORY, Mode::empty(), AtFlags::empty())?;
        Ok(Self {
            directory: place(root, NO_DIRECTORY)?,
            file: place(root, NO_FILE)?,
        })
    }

    /// Makes a file that says something, beside the covers, and puts it over a place.
    fn put_text(&self, root: &OwnedFd, text: &[u8], index: usize, target: BorrowedFd<'_>) -> io::Result<()> {
        let name = CString::new(format!("proc/text-{index}"))?;
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
        let file = openat(root, name.as_c_str(), flags, Mode::from_raw_mode(0o644))?;
        write_all(&file, text)?;
        chmodat(
            root,
            name.as_c_str(),
            Mode::from_raw_mode(0o644),
            AtFlags::empty(),
        )?;
        self.put(&place(root, &name)?, target)
    }

    fn put(&self, cover: &OwnedFd, target: BorrowedFd<'_>) -> io::Result<()> {
        let attributes = MountAttrFlags::MOUNT_ATTR_RDONLY
            | MountAttrFlags::MOUNT_ATTR_NOSUID
            | MountAttrFlags::MOUNT_ATTR_NODEV
            | MountAttrFlags::MOUNT_ATTR_NOEXEC;
        let tree = clone(cover)?;
        mount::set_attributes(&tree, attributes, MountDepth::One)?;
        put(&tree, target)
    }
}

fn attach(
    root: &OwnedFd,
    bind: &BindMount,
    tree: Option<OwnedFd>,
    covers: &DeniedCovers,
    index: usize,
) -> io::Result<()> {
    let target = place(root, &bind.target)?;
    match (&bind.source, tree) {
        (BindSource::Host(_), Some(tree)) => put(&tree, target.as_fd()),
        (BindSource::NoDirectory, _) => covers.put(&covers.directory, target.as_fd()),
        (BindSource::Text(text), _) => covers.put_text(root, &text.0, index, target.as_fd()),
        (BindSource::NoFile, _) => covers.put(&covers.file, target.as_fd()),
        (BindSource::Host(_), None) => Err(io::ErrorKind::NotFound.into()),
    }
}

/// Looks a path up below the root, through no symlink.
fn place(root: &OwnedFd, path: &CStr) -> io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let resolve = ResolveFlags::IN_ROOT | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    Ok(openat2(root, path, flags, Mode::empty(), resolve)?)
}

pub(crate) fn clone(place: impl AsFd) -> io::Result<OwnedFd> {
    let flags =
        OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC | OpenTreeFlags::AT_EMPTY_PATH;
    Ok(open_tree(place, c"", flags)?)
}

fn put(tree: &OwnedFd, target: BorrowedFd<'_>) -> io::Result<()> {
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH | MoveMountFlags::MOVE_MOUNT_T_EMPTY_PATH;
    Ok(move_mount(tree, c"", target, c"", flags)?)
}

/// A part of the root that stays writable when the root no longer is.
fn scratch(root: &OwnedFd, path: &CStr, exec: bool) -> io::Result<()> {
    let mut attributes = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
    attributes.set(MountAttrFlags::MOUNT_ATTR_NOEXEC, !exec);
    chmodat(root, path, Mode::from_raw_mode(0o1777), AtFlags::empty())?;
    let directory = place(root, path)?;
    let tree = clone(&directory)?;
    mount::set_attributes(&tree, attributes, MountDepth::One)?;
    put(&tree, directory.as_fd())
}

/// A part of what stays writable that does not. As a mount of its own it cannot be renamed or removed either.
fn close(root: &OwnedFd, path: &CStr) -> io::Result<()> {
    let attributes = MountAttrFlags::MOUNT_ATTR_RDONLY
        | MountAttrFlags::MOUNT_ATTR_NOSUID
        | MountAttrFlags::MOUNT_ATTR_NODEV
        | MountAttrFlags::MOUNT_ATTR_NOEXEC;
    let directory = place(root, path)?;
    let tree = clone(&directory)?;
    mount::set_attributes(&tree, attributes, MountDepth::One)?;
    put(&tree, directory.as_fd())
}

fn terminals(root: &OwnedFd) -> io::Result<()> {
    let options: [(&CStr, &str); 2] = [(c"ptmxmode", "0666"), (c"mode", "0620")];
    let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NOEXEC;
    let tree = file_system(c"devpts", &options, attributes)?;
    put(&tree, place(root, c"dev/pts")?.as_fd())
}

/// The processes of the sandbox and no others, and nothing of the kernel can be changed there.
fn proc(root: &OwnedFd, cover: bool, covers: &DeniedCovers) -> io::Result<()> {
    let attributes = MountAttrFlags::MOUNT_ATTR_RDONLY
        | MountAttrFlags::MOUNT_ATTR_NOSUID
        | MountAttrFlags::MOUNT_ATTR_NODEV
        | MountAttrFlags::MOUNT_ATTR_NOEXEC;
    let tree = file_system(c"proc", &[], attributes)?;
    put(&tree, place(root, c"proc")?.as_fd())?;
    if !cover {
        return Ok(());
    }
    for (paths, with) in [(PROC_FILES, &covers.file), (PROC_DIRECTORIES, &covers.directory)] {
        for path in paths {
            match place(root, path) {
                Ok(target) => covers.put(with, target.as_fd())?,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(())
}

/// Makes `root` the root, and lets go of the old one.
fn pivot(root: &OwnedFd) -> io::Result<()> {
    rustix::process::fchdir(root)?;
    rustix::process::pivot_root(c".", c".")?;
    unmount(c".", UnmountFlags::DETACH)?;
    Ok(rustix::process::chdir(c"/")?)
}
