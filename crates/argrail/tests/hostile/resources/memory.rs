//! More memory than one child should have. Nothing is touched that is not small: an address that may be had is enough.

use std::fs::File;
use std::io;
use std::os::fd::FromRawFd;

use super::{MIB, ignore, number};
use crate::errno;
use crate::outcome::{Outcome, check, word};

/// How much is asked for at once, in MiB, so that no heuristic of the kernel about one big request is what stops it.
const STEP: u64 = 512;

/// Maps that many MiB of one kind: `private`, `reserved`, `shared`, `segments`, `memory-file`.
pub(super) fn allocate(args: &[String]) -> Result<Outcome, String> {
    let (kind, size) = (word(args, 0, "kind")?, number(args, 1, "size in MiB")?);
    let step: fn(u64) -> io::Result<()> = match kind {
        "private" => private,
        "reserved" => reserved,
        "shared" => shared,
        "segments" => segment,
        "memory-file" => return memory_file(size),
        other => return Err(format!("there is no kind {other:?}")),
    };
    let mut had = 0;
    while had < size {
        let part = STEP.min(size - had);
        if let Err(error) = step(part * MIB) {
            return Ok(Outcome::Blocked(format!("{} after {had}", errno::name(&error))));
        }
        had += part;
    }
    Ok(Outcome::Escaped(format!("{size} MiB")))
}

fn private(bytes: u64) -> io::Result<()> {
    map(bytes, libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE).map(drop)
}

/// Reserves addresses first, which is free, and makes memory of them then.
fn reserved(bytes: u64) -> io::Result<()> {
    let at = map(bytes, libc::PROT_NONE, libc::MAP_PRIVATE)?;
    // SAFETY: the mapping was made a moment ago with that length, and nothing refers to it.
    check(unsafe { libc::mprotect(at, bytes as usize, libc::PROT_READ | libc::PROT_WRITE) }).map(drop)
}

fn shared(bytes: u64) -> io::Result<()> {
    map(bytes, libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED).map(drop)
}

fn map(bytes: u64, protection: i32, how: i32) -> io::Result<*mut libc::c_void> {
    let flags = how | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a new mapping of nothing at an address of the kernel's choice.
    let at = unsafe { libc::mmap(std::ptr::null_mut(), bytes as usize, protection, flags, -1, 0) };
    if at == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    if protection != libc::PROT_NONE {
        // SAFETY: the first page of what was just mapped for writing.
        unsafe { at.cast::<u8>().write_volatile(1) };
    }
    Ok(at)
}

/// A segment that stays when nobody has it mapped, and so counts for no process.
fn segment(bytes: u64) -> io::Result<()> {
    // SAFETY: plain numbers.
    let id = check(unsafe { libc::shmget(libc::IPC_PRIVATE, bytes as usize, libc::IPC_CREAT | 0o600) })?;
    let id = i32::try_from(id).map_err(io::Error::other)?;
    // SAFETY: maps the segment at an address of the kernel's choice.
    let at = unsafe { libc::shmat(id, std::ptr::null(), 0) };
    if at as isize == -1 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: it was mapped a moment ago, and nothing refers to it.
    check(unsafe { libc::shmdt(at) }).map(drop)
}

/// One file in memory of the whole size.
fn memory_file(size: u64) -> Result<Outcome, String> {
    ignore(libc::SIGXFSZ)?;
    // SAFETY: the name is a C string.
    let made = check(unsafe { libc::memfd_create(c"large".as_ptr(), libc::MFD_NOEXEC_SEAL) });
    let grown = made.and_then(|number| {
        let number = i32::try_from(number).map_err(io::Error::other)?;
        // SAFETY: the kernel just made it for us.
        let file = unsafe { File::from_raw_fd(number) };
        file.set_len(size * MIB)
    });
    Ok(Outcome::of(grown, |()| format!("{size} MiB")))
}
