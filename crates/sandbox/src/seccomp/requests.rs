//! Calls with a command in them: `fcntl` about a descriptor, `ioctl` to a device or a file system.
//!
//! Both reach the file behind a descriptor, and hardly any command asks whether it may be written. So whoever may only
//! read a file could halt, signal or slow down those who use it too. What a child may read it may lock, as anybody may:
//! databases and package managers cannot do without.

use super::rules::{always, differs, is, when};
use super::{CallAction, CallRule};

const EPERM: CallAction = CallAction::Fail(libc::EPERM as u16);
const EINVAL: CallAction = CallAction::Fail(libc::EINVAL as u16);
const ENOTTY: CallAction = CallAction::Fail(libc::ENOTTY as u16);

/// What a child has around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChildSurroundings {
    /// Namespaces of its own: no process of the machine has a number there, and what may not be written is on a read-only
    /// mount.
    Namespaces,
    /// The machine itself.
    Machine,
}

/// Linux's own commands of `fcntl`, beside those of POSIX, that reach no further than the child's own descriptors. All
/// others do not exist, those of later kernels among them. Two of them let whoever may read a file halt or follow those
/// who write it: leases (`F_SETLEASE`, and `F_SETDELEG` of newer kernels: a writer waits until the lease is given back, 45 s
/// by default) and notes about a directory (`F_NOTIFY`). Others change how its bytes are kept (`F_SET_RW_HINT`).
const FCNTL_COMMANDS: &[libc::c_int] = &[
    libc::F_DUPFD_CLOEXEC,
    libc::F_GETPIPE_SZ,
    libc::F_SETPIPE_SZ,
    libc::F_GET_SEALS,
    libc::F_ADD_SEALS,
    F_DUPFD_QUERY,
    F_CREATED_QUERY,
];
const F_DUPFD_QUERY: libc::c_int = 1027;
const F_CREATED_QUERY: libc::c_int = 1028;

/// The bits that a command of POSIX does not have: Linux's own begin at 1024.
const NOT_POSIX: u32 = !1023;

/// Commands that send signals to whatever process is named, when something happens to a descriptor.
const SIGNALLING: &[libc::c_int] = &[libc::F_SETOWN, F_SETSIG, F_SETOWN_EX];
const F_SETSIG: libc::c_int = 10;
const F_SETOWN_EX: libc::c_int = 15;

/// Requests that are made where no mount is read-only and no terminal is: about the descriptor itself, about what may be
/// read anyway, and copies to what is open for writing. A file system has many more that need no right to write and change
/// a file for good (`chattr`, verity, encryption, subvolumes), and Landlock looks at none.
const IOCTL_REQUESTS: &[u32] = &[
    libc::FIONREAD as u32,
    libc::FIONBIO as u32,
    libc::FIOCLEX as u32,
    libc::FIONCLEX as u32,
    0x0000_0002, // FIGETBSZ
    0x4004_9409, // FICLONE
    0x4020_940d, // FICLONERANGE
    0x8008_6601, // FS_IOC_GETFLAGS
    0x801c_581f, // FS_IOC_FSGETXATTR
    0xc020_660b, // FS_IOC_FIEMAP
];

/// Requests by which a user takes the key of a directory from all own processes, or adds one, through any file of the same
/// file system.
const KEYS: &[u32] = &[
    0xc050_6617, // FS_IOC_ADD_ENCRYPTION_KEY
    0xc040_6618, // FS_IOC_REMOVE_ENCRYPTION_KEY
];

/// Terminal requests that put words into somebody else's mouth.
const FORGING: &[u32] = &[
    libc::TIOCSTI as u32,
    libc::TIOCLINUX as u32,
    libc::TIOCCONS as u32,
];

/// Requests to devices and file systems.
pub(super) fn requests(around: ChildSurroundings) -> Vec<CallRule> {
    let each = |requests: &[u32], action| -> Vec<CallRule> {
        let one = |request: &u32| when(libc::SYS_ioctl, vec![is(1, *request)], action);
        requests.iter().map(one).collect()
    };
    match around {
        ChildSurroundings::Namespaces => [each(FORGING, EPERM), each(KEYS, EPERM)].concat(),
        ChildSurroundings::Machine => [
            each(IOCTL_REQUESTS, CallAction::Allow),
            vec![always(libc::SYS_ioctl, ENOTTY)],
        ]
        .concat(),
    }
}

/// Commands about descriptors. Locks are among those of POSIX: whoever may read a file may lock it, as anywhere.
pub(super) fn descriptor_commands(around: ChildSurroundings) -> Vec<CallRule> {
    let each = |commands: &'static [libc::c_int], action| {
        let one = move |command: &libc::c_int| when(libc::SYS_fcntl, vec![is(1, *command as u32)], action);
        commands.iter().map(one)
    };
    let mut rules: Vec<CallRule> = each(FCNTL_COMMANDS, CallAction::Allow).collect();
    match around {
        ChildSurroundings::Namespaces => {}
        ChildSurroundings::Machine => rules.extend(each(SIGNALLING, EPERM)),
    }
    rules.push(when(libc::SYS_fcntl, vec![differs(1, NOT_POSIX, 0)], EINVAL));
    rules
}
