//! `hostile under KIND -- PROGRAM [ARG…]`: a machine that lacks something, and a program on it.
//!
//! Filters of system calls and mounts are inherited, so what is started here finds a kernel without user namespaces,
//! without Landlock, without further filters, or one that mounts no `/proc`. `small-disk` finds a disk of two megabytes
//! in the directory that is the program's last word.

use std::ffi::CString;
use std::fs;
use std::io;
use std::ptr;

use crate::outcome::{Outcome, check, word};

/// Takes something away and becomes the program. Returns only when that failed.
pub(super) fn under(args: &[String]) -> Result<Outcome, String> {
    let (kind, rest) = (word(args, 0, "kind")?, args.get(2..).unwrap_or_default());
    let taken = match kind {
        "userns" => filtered(&without_user_namespaces()),
        "landlock" => filtered(&always(libc::SYS_landlock_create_ruleset, libc::EOPNOTSUPP)),
        "seccomp" => filtered(&without_filters()),
        "proc" => without_proc(),
        "small-disk" => small_disk(rest),
        other => return Err(format!("there is no kind {other:?}")),
    };
    taken.map_err(|error| format!("{kind}: {error}"))?;
    let argv: Result<Vec<CString>, _> = rest.iter().map(|word| CString::new(word.as_bytes())).collect();
    let argv = argv.map_err(|error| error.to_string())?;
    let program = argv.first().ok_or("no program was given")?;
    let mut pointers: Vec<*const libc::c_char> = argv.iter().map(|word| word.as_ptr()).collect();
    pointers.push(ptr::null());
    // SAFETY: the strings and the list, which ends with a null, live until the call returns.
    unsafe { libc::execv(program.as_ptr(), pointers.as_ptr()) };
    Err(format!("{program:?}: {}", io::Error::last_os_error()))
}

/// One instruction: what, and how far to jump when it holds or does not.
const fn instruction(code: u32, yes: u8, no: u8, value: u32) -> libc::sock_filter {
    libc::sock_filter {
        code: code as u16,
        jt: yes,
        jf: no,
        k: value,
    }
}

const fn load(offset: u32) -> libc::sock_filter {
    instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, offset)
}

const fn fail(error: i32) -> libc::sock_filter {
    instruction(
        libc::BPF_RET | libc::BPF_K,
        0,
        0,
        libc::SECCOMP_RET_ERRNO | error as u32,
    )
}

/// Where the first argument stands in the record that a filter sees.
const FIRST: u32 = 16;

/// A call fails with this error.
fn always(call: libc::c_long, error: i32) -> Vec<libc::sock_filter> {
    let is = libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K;
    vec![load(0), instruction(is, 0, 1, call as u32), fail(error)]
}

/// A call fails with this error when its first argument has this bit, or is this value.
fn when(call: libc::c_long, test: u32, value: u32, error: i32) -> Vec<libc::sock_filter> {
    let is = libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K;
    vec![
        load(0),
        instruction(is, 0, 3, call as u32),
        load(FIRST),
        instruction(libc::BPF_JMP | test | libc::BPF_K, 0, 1, value),
        fail(error),
    ]
}

fn without_user_namespaces() -> Vec<libc::sock_filter> {
    let flag = libc::CLONE_NEWUSER as u32;
    [
        always(libc::SYS_clone3, libc::ENOSYS),
        when(libc::SYS_unshare, libc::BPF_JSET, flag, libc::EPERM),
        when(libc::SYS_clone, libc::BPF_JSET, flag, libc::EPERM),
    ]
    .concat()
}

fn without_filters() -> Vec<libc::sock_filter> {
    [
        when(
            libc::SYS_seccomp,
            libc::BPF_JEQ,
            libc::SECCOMP_SET_MODE_FILTER,
            libc::EINVAL,
        ),
        when(
            libc::SYS_prctl,
            libc::BPF_JEQ,
            libc::PR_SET_SECCOMP as u32,
            libc::EINVAL,
        ),
    ]
    .concat()
}

fn filtered(program: &[libc::sock_filter]) -> io::Result<()> {
    let allow = instruction(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ALLOW);
    let mut program = [program, &[allow]].concat();
    let filter = libc::sock_fprog {
        len: program.len() as u16,
        filter: program.as_mut_ptr(),
    };
    // SAFETY: plain numbers.
    check(unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) })?;
    // SAFETY: `filter` points at that many instructions, which live across the call.
    check(unsafe { libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const filter) })
        .map(drop)
}

/// Covers a part of `/proc`. The kernel mounts no fresh one for who could then see what was covered.
fn without_proc() -> io::Result<()> {
    own_mounts()?;
    mount(c"none", c"/proc/sys", c"tmpfs", 0, None)
}

/// Mounts a file system over a directory that is full soon.
fn small_disk(words: &[String]) -> io::Result<()> {
    let directory = words.last().map(|word| CString::new(word.as_bytes()));
    let directory = directory.transpose()?.unwrap_or_default();
    own_mounts()?;
    mount(c"none", &directory, c"tmpfs", 0, Some(c"size=2m,mode=0700"))
}

/// Mounts from here on are ours alone.
fn own_mounts() -> io::Result<()> {
    // SAFETY: no arguments.
    let (uid, gid) = unsafe { (libc::geteuid(), libc::getegid()) };
    let own_users = if uid == 0 { 0 } else { libc::CLONE_NEWUSER };
    // SAFETY: there is one thread, and plain numbers.
    check(unsafe { libc::unshare(libc::CLONE_NEWNS | own_users) })?;
    if own_users != 0 {
        fs::write("/proc/self/setgroups", "deny")?;
        fs::write("/proc/self/uid_map", format!("{uid} {uid} 1"))?;
        fs::write("/proc/self/gid_map", format!("{gid} {gid} 1"))?;
    }
    mount(c"none", c"/", c"", libc::MS_REC | libc::MS_PRIVATE, None)
}

fn mount(
    from: &std::ffi::CStr,
    at: &std::ffi::CStr,
    kind: &std::ffi::CStr,
    flags: libc::c_ulong,
    data: Option<&std::ffi::CStr>,
) -> io::Result<()> {
    let data = data.map_or(ptr::null(), |data| data.as_ptr().cast());
    // SAFETY: C strings that live across the call.
    check(unsafe { libc::mount(from.as_ptr(), at.as_ptr(), kind.as_ptr(), flags, data) }).map(drop)
}
