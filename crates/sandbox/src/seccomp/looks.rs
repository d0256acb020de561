//! What the host looks at and leaves to the kernel: calls that would change or read files, and calls that would reach
//! somebody.
//!
//! These rules never decide. They stand behind all others, so that nothing is asked that is refused or allowed already,
//! and the host lets each call go on: what is not allowed fails by mounts, Landlock and the empty network, as if nobody
//! had looked. They are used where such a call is the exception, since a question costs some microseconds.

use super::rules::{always, differs, is, masked, when};
use super::{CallAction, CallRule};

/// Which acts the host is told of, beside starts of programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CallLooks {
    pub(crate) files: FileLooks,
    pub(crate) network: NetworkLooks,
}

impl CallLooks {
    /// The host is told of nothing beside starts of programs.
    pub(crate) const NONE: Self = Self {
        files: FileLooks::Nothing,
        network: NetworkLooks::Nothing,
    };
}

/// What of a child's dealings with files is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileLooks {
    Nothing,
    /// Calls that would change a file.
    Changes,
    /// That, and what is opened for reading by a path from the root or the working directory. Names in a directory that
    /// is open already are not looked at: whoever walks through a tree uses those.
    ChangesAndReads,
}

/// What of a child's dealings with a network is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NetworkLooks {
    Nothing,
    /// Whom it wants to reach.
    Addresses,
}

/// A call that changes what names in the file system mean.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChangingCall {
    pub(crate) call: libc::c_long,
    pub(crate) names: &'static [NameArgument],
}

/// A name among the arguments of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NameArgument {
    /// Which argument is the directory that it starts in, if one is.
    pub(crate) directory: Option<usize>,
    /// Which argument points at the path.
    pub(crate) path: usize,
    pub(crate) effect: NameEffect,
    pub(crate) last: LastSymlink,
}

/// What becomes of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameEffect {
    /// It is made, and must not be there before.
    Makes,
    /// The name must exist, and stays.
    Alters,
    /// It is made, or what is there is altered or replaced.
    Puts,
}

/// What happens when the last part of a path is a symlink.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LastSymlink {
    Followed,
    Itself,
}

const fn name(directory: Option<usize>, path: usize, effect: NameEffect, last: LastSymlink) -> NameArgument {
    NameArgument {
        directory,
        path,
        effect,
        last,
    }
}

use LastSymlink::{Followed, Itself};
use NameEffect::{Alters, Makes, Puts};

/// Every call that changes names, but for those that open files.
const CHANGES: &[ChangingCall] = &[
    ChangingCall {
        call: libc::SYS_unlinkat,
        names: &[name(Some(0), 1, Alters, Itself)],
    },
    ChangingCall {
        call: libc::SYS_mkdirat,
        names: &[name(Some(0), 1, Makes, Itself)],
    },
    ChangingCall {
        call: libc::SYS_mknodat,
        names: &[name(Some(0), 1, Makes, Itself)],
    },
    ChangingCall {
        call: libc::SYS_symlinkat,
        names: &[name(Some(1), 2, Makes, Itself)],
    },
    ChangingCall {
        call: libc::SYS_linkat,
        names: &[name(Some(2), 3, Makes, Itself)],
    },
    ChangingCall {
        call: libc::SYS_renameat,
        names: &[name(Some(0), 1, Alters, Itself), name(Some(2), 3, Puts, Itself)],
    },
    ChangingCall {
        call: libc::SYS_renameat2,
        names: &[name(Some(0), 1, Alters, Itself), name(Some(2), 3, Puts, Itself)],
    },
    ChangingCall {
        call: libc::SYS_truncate,
        names: &[name(None, 0, Alters, Followed)],
    },
    ChangingCall {
        call: libc::SYS_fchmodat,
        names: &[name(Some(0), 1, Alters, Followed)],
    },
    ChangingCall {
        call: libc::SYS_fchmodat2,
        names: &[name(Some(0), 1, Alters, Followed)],
    },
    ChangingCall {
        call: libc::SYS_fchownat,
        names: &[name(Some(0), 1, Alters, Itself)],
    },
    #[cfg(target_arch = "x86_64")]
    ChangingCall {
        call: libc::SYS_unlink,
        names: &[name(None, 0, Alters, Itself)],
    },
    #[cfg(target_arch = "x86_64")]
    ChangingCall {
        call: libc::SYS_rmdir,
        names: &[name(None, 0, Alters, Itself)],
    },
    #[cfg(target_arch = "x86_64")]
    ChangingCall {
        call: libc::SYS_mkdir,
        names: &[name(None, 0, Makes, Itself)],
    },
    #[cfg(target_arch = "x86_64")]
    ChangingCall {
        call: libc::SYS_mknod,
        names: &[name(None, 0, Makes, Itself)],
    },
    #[cfg(target_arch = "x86_64")]
    ChangingCall {
        call: libc::SYS_symlink,
        names: &[name(None, 1, Makes, Itself)],
    },
    #[cfg(target_arch = "x86_64")]
    ChangingCall {
        call: libc::SYS_link,
        names: &[name(None, 1, Makes, Itself)],
    },
    #[cfg(target_arch = "x86_64")]
    ChangingCall {
        call: libc::SYS_rename,
        names: &[name(None, 0, Alters, Itself), name(None, 1, Puts, Itself)],
    },
    #[cfg(target_arch = "x86_64")]
    ChangingCall {
        call: libc::SYS_chmod,
        names: &[name(None, 0, Alters, Followed)],
    },
    #[cfg(target_arch = "x86_64")]
    ChangingCall {
        call: libc::SYS_chown,
        names: &[name(None, 0, Alters, Followed)],
    },
    #[cfg(target_arch = "x86_64")]
    ChangingCall {
        call: libc::SYS_lchown,
        names: &[name(None, 0, Alters, Itself)],
    },
    #[cfg(target_arch = "x86_64")]
    ChangingCall {
        call: libc::SYS_creat,
        names: &[name(None, 0, Puts, Followed)],
    },
];

/// A call that opens a file: which arguments are its directory, path and flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OpeningCall {
    pub(crate) call: libc::c_long,
    pub(crate) directory: Option<usize>,
    pub(crate) path: usize,
    pub(crate) flags: usize,
}

const OPENINGS: &[OpeningCall] = &[
    OpeningCall {
        call: libc::SYS_openat,
        directory: Some(0),
        path: 1,
        flags: 2,
    },
    #[cfg(target_arch = "x86_64")]
    OpeningCall {
        call: libc::SYS_open,
        directory: None,
        path: 0,
        flags: 1,
    },
];

/// The flags of an opening that may change something.
pub(crate) const WRITING: i32 = libc::O_ACCMODE | libc::O_CREAT | libc::O_TRUNC;

/// Returns what a call changes, by its number.
pub(crate) fn change(call: i64) -> Option<&'static ChangingCall> {
    CHANGES.iter().find(|change| change.call == call)
}

/// Returns how a call opens a file, by its number.
pub(crate) fn opening(call: i64) -> Option<&'static OpeningCall> {
    OPENINGS.iter().find(|opening| opening.call == call)
}

/// Returns the rules. They belong behind all others.
pub(super) fn looks(looks: CallLooks) -> Vec<CallRule> {
    let mut rules = Vec::new();
    match looks.files {
        FileLooks::Nothing => {}
        FileLooks::Changes => rules.extend(changes()),
        FileLooks::ChangesAndReads => {
            rules.extend(changes());
            rules.extend(OPENINGS.iter().map(reads));
        }
    }
    match looks.network {
        NetworkLooks::Nothing => {}
        NetworkLooks::Addresses => rules.extend([
            always(libc::SYS_connect, CallAction::Ask),
            // Without an address it goes where the socket is connected to.
            when(libc::SYS_sendto, vec![differs(4, u32::MAX, 0)], CallAction::Ask),
            // What the launcher itself says is marked so: nobody listens yet whom the filter could ask.
            when(
                libc::SYS_sendmsg,
                vec![masked(2, libc::MSG_EOR as u32, 0)],
                CallAction::Ask,
            ),
            always(libc::SYS_sendmmsg, CallAction::Ask),
        ]),
    }
    rules
}

fn changes() -> impl Iterator<Item = CallRule> {
    let writing = |opening: &OpeningCall| {
        let flags = u8::try_from(opening.flags).unwrap_or_default();
        when(
            opening.call,
            vec![differs(flags, WRITING as u32, 0)],
            CallAction::Ask,
        )
    };
    let changes = CHANGES.iter().map(|change| always(change.call, CallAction::Ask));
    changes.chain(OPENINGS.iter().map(writing))
}

fn reads(opening: &OpeningCall) -> CallRule {
    let flags = u8::try_from(opening.flags).unwrap_or_default();
    let mut conditions = vec![masked(flags, (libc::O_DIRECTORY | libc::O_PATH) as u32, 0)];
    if let Some(directory) = opening.directory {
        let directory = u8::try_from(directory).unwrap_or_default();
        conditions.push(is(directory, libc::AT_FDCWD as u32));
    }
    when(opening.call, conditions, CallAction::Ask)
}
