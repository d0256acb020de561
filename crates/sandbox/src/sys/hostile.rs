//! What a hostile program would call. For the proofs of the sandbox: each call is made for its refusal, asks for
//! as little as it can, and leaves nothing behind where it succeeds.

use std::ffi::CStr;
use std::io;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd, RawFd};

use super::{check, check_long};

/// Reads from whatever descriptor has this number.
pub(crate) fn read_number(number: RawFd, into: &mut [u8]) -> io::Result<usize> {
    // SAFETY: `into` is a place to write to, of that length; a number that is not open gives an error.
    let read = unsafe { libc::pread(number, into.as_mut_ptr().cast(), into.len(), 0) };
    usize::try_from(read).map_err(|_| io::Error::last_os_error())
}

/// Sends a signal; zero asks only whether one could be sent. Negative numbers mean many processes.
pub(crate) fn kill(process: i32, signal: i32) -> io::Result<()> {
    // SAFETY: takes two numbers.
    check(unsafe { libc::kill(process, signal) }).map(drop)
}

/// Begins to trace a process, without stopping it. Tracing ends with the caller.
pub(crate) fn trace(process: i32) -> io::Result<()> {
    let nothing: *mut libc::c_void = std::ptr::null_mut();
    // SAFETY: seizing takes a process and no memory.
    check_long(unsafe { libc::ptrace(libc::PTRACE_SEIZE, process, nothing, nothing) }).map(drop)
}

/// Reads another process's memory.
pub(crate) fn read_memory(process: i32, address: u64, into: &mut [u8]) -> io::Result<usize> {
    let local = libc::iovec {
        iov_base: into.as_mut_ptr().cast(),
        iov_len: into.len(),
    };
    let remote = libc::iovec {
        iov_base: std::ptr::with_exposed_provenance_mut(usize::try_from(address).unwrap_or_default()),
        iov_len: into.len(),
    };
    // SAFETY: `local` is a place to write to; `remote` is only a number here, looked at in the other process.
    let read = unsafe { libc::process_vm_readv(process, &raw const local, 1, &raw const remote, 1, 0) };
    usize::try_from(read).map_err(|_| io::Error::last_os_error())
}

/// Takes a copy of another process's descriptor.
pub(crate) fn take_descriptor(process: impl AsFd, number: RawFd) -> io::Result<OwnedFd> {
    // SAFETY: takes a descriptor and two numbers.
    let taken =
        check_long(unsafe { libc::syscall(libc::SYS_pidfd_getfd, process.as_fd().as_raw_fd(), number, 0) })?;
    own_descriptor(taken)
}

/// Mounts an empty file system in memory, and takes it away again.
pub(crate) fn mount_memory(at: &CStr) -> io::Result<()> {
    let kind = c"tmpfs";
    // SAFETY: all strings are C strings, and no data is given.
    check(unsafe { libc::mount(kind.as_ptr(), at.as_ptr(), kind.as_ptr(), 0, std::ptr::null()) })?;
    // SAFETY: takes a C string and a number.
    check(unsafe { libc::umount2(at.as_ptr(), libc::MNT_DETACH) }).map(drop)
}

/// Asks for the session's keyring.
pub(crate) fn session_keyring() -> io::Result<()> {
    const GET_KEYRING: libc::c_long = 0;
    const SESSION: libc::c_long = -3;
    // SAFETY: takes numbers.
    check_long(unsafe { libc::syscall(libc::SYS_keyctl, GET_KEYRING, SESSION, 1_usize) }).map(drop)
}

/// Adds a key to the process's own keyring, which goes with it.
pub(crate) fn add_key() -> io::Result<()> {
    const PROCESS: libc::c_int = -2;
    let (kind, name) = (c"user", c"argrail-proof");
    // SAFETY: two C strings, and four bytes that live across the call.
    let added = unsafe {
        libc::syscall(
            libc::SYS_add_key,
            kind.as_ptr(),
            name.as_ptr(),
            c"none".as_ptr(),
            4_usize,
            PROCESS,
        )
    };
    check_long(added).map(drop)
}

/// Makes a map of one number in the kernel's BPF machine.
pub(crate) fn make_bpf_map() -> io::Result<OwnedFd> {
    const MAP_CREATE: libc::c_int = 0;
    const ARRAY: u32 = 2;
    // Kind, size of a key, size of a value, how many; the rest is zero.
    let mut attributes = [0_u32; 32];
    for (to, from) in attributes.iter_mut().zip([ARRAY, 4, 4, 1]) {
        *to = from;
    }
    // SAFETY: the attributes live across the call with their true size.
    let made = unsafe {
        libc::syscall(
            libc::SYS_bpf,
            MAP_CREATE,
            attributes.as_ptr(),
            std::mem::size_of_val(&attributes),
        )
    };
    own_descriptor(check_long(made)?)
}

/// Makes the rings of `io_uring`, by which calls are made where no filter looks.
pub(crate) fn make_io_uring() -> io::Result<OwnedFd> {
    // What the kernel fills is 120 bytes long.
    let mut parameters = [0_u64; 15];
    // SAFETY: the parameters are a place to read and write, of the size that the kernel knows.
    own_descriptor(check_long(unsafe {
        libc::syscall(libc::SYS_io_uring_setup, 1, parameters.as_mut_ptr())
    })?)
}

/// Opens a counter of this process's own processor time.
pub(crate) fn open_perf_event() -> io::Result<OwnedFd> {
    const SOFTWARE: u32 = 1;
    const CLOSE_ON_EXEC: libc::c_ulong = 8;
    // The first version of the structure: 64 bytes, kind and size first, the first software event.
    let mut attributes = [0_u32; 16];
    for (to, from) in attributes.iter_mut().zip([SOFTWARE, 64]) {
        *to = from;
    }
    // SAFETY: the attributes live across the call with the size that they say.
    own_descriptor(check_long(unsafe {
        libc::syscall(
            libc::SYS_perf_event_open,
            attributes.as_ptr(),
            0,
            -1,
            -1,
            CLOSE_ON_EXEC,
        )
    })?)
}

/// Opens the handling of page faults in user space.
pub(crate) fn open_userfaultfd() -> io::Result<OwnedFd> {
    const USER_MODE_ONLY: libc::c_int = 1;
    // SAFETY: takes a number.
    own_descriptor(check_long(unsafe {
        libc::syscall(libc::SYS_userfaultfd, libc::O_CLOEXEC | USER_MODE_ONLY)
    })?)
}

/// Makes a terminal request with one byte, whatever the upper half of the request's number is.
pub(crate) fn terminal_request(number: RawFd, request: u64) -> io::Result<()> {
    let byte = [b'x'; 16];
    // SAFETY: the requests that are made here read one byte at most, and sixteen live across the call.
    check_long(unsafe { libc::syscall(libc::SYS_ioctl, number, request, byte.as_ptr()) }).map(drop)
}

/// Names a file by the number that its file system knows it by, and opens it by that.
pub(crate) fn open_by_handle(path: &CStr) -> io::Result<OwnedFd> {
    const ROOM: u32 = 128;
    // Length, kind, then the handle itself.
    let mut handle = [0_u32; 2 + (ROOM as usize) / 4];
    if let Some(length) = handle.first_mut() {
        *length = ROOM;
    }
    let mut mount = 0;
    // SAFETY: the handle has room for as many bytes as it says; the path is a C string.
    check_long(unsafe {
        libc::syscall(
            libc::SYS_name_to_handle_at,
            libc::AT_FDCWD,
            path.as_ptr(),
            handle.as_mut_ptr(),
            &raw mut mount,
            0,
        )
    })?;
    let flags = rustix::fs::OFlags::RDONLY | rustix::fs::OFlags::CLOEXEC;
    let root = rustix::fs::open(c"/", flags, rustix::fs::Mode::empty())?;
    // SAFETY: the handle is as the kernel filled it.
    own_descriptor(check_long(unsafe {
        libc::syscall(
            libc::SYS_open_by_handle_at,
            root.as_raw_fd(),
            handle.as_mut_ptr(),
            libc::O_RDONLY | libc::O_CLOEXEC,
        )
    })?)
}

/// Takes a lease on a file that is open for reading, and gives it back: while it is held, whoever wants to write the file
/// waits.
pub(crate) fn take_lease(file: impl AsFd) -> io::Result<()> {
    for kind in [libc::F_RDLCK, libc::F_UNLCK] {
        // SAFETY: takes numbers.
        check(unsafe {
            libc::fcntl(
                file.as_fd().as_raw_fd(),
                libc::F_SETLEASE,
                libc::c_long::from(kind),
            )
        })?;
    }
    Ok(())
}

/// The same by the interface of newer kernels (6.19).
pub(crate) fn take_delegation(file: impl AsFd) -> io::Result<()> {
    const F_SETDELEG: libc::c_int = 1040;
    for kind in [libc::F_RDLCK, libc::F_UNLCK] {
        // Flags, kind, and four bytes that are zero.
        let mut delegation = [0_u16; 4];
        if let (Some(to), Ok(kind)) = (delegation.get_mut(2), u16::try_from(kind)) {
            *to = kind;
        }
        // SAFETY: the kernel reads and writes eight bytes, which live across the call.
        check(unsafe { libc::fcntl(file.as_fd().as_raw_fd(), F_SETDELEG, delegation.as_mut_ptr()) })?;
    }
    Ok(())
}

/// Asks for a signal whenever something changes in a directory. It is asked for once, and goes with the descriptor.
pub(crate) fn note_changes(directory: impl AsFd) -> io::Result<()> {
    const MODIFIED_OR_CREATED: libc::c_long = 2 | 4;
    // SAFETY: takes numbers.
    check(unsafe { libc::fcntl(directory.as_fd().as_raw_fd(), libc::F_NOTIFY, MODIFIED_OR_CREATED) })
        .map(drop)
}

/// Becomes a program. Returns only when that failed.
pub(crate) fn execve(path: &CStr, argument: Option<&CStr>) -> io::Error {
    let end: *const libc::c_char = std::ptr::null();
    let argv = [path.as_ptr(), argument.map_or(end, CStr::as_ptr), end];
    let env = [end];
    // SAFETY: the path is a C string, and both lists are of C strings, end in a null pointer, and live across the call.
    unsafe { libc::execve(path.as_ptr(), argv.as_ptr(), env.as_ptr()) };
    io::Error::last_os_error()
}

/// Makes a process that ends at once, and waits for it.
pub(crate) fn fork_and_exit(code: i32) -> io::Result<()> {
    // SAFETY: the child makes one call, which may be made in a copy of any process.
    match check(unsafe { libc::fork() })? {
        // SAFETY: ends the process; nothing runs after.
        0 => unsafe { libc::_exit(code) },
        child => {
            // SAFETY: nothing is written.
            check(unsafe { libc::waitpid(child, std::ptr::null_mut(), 0) }).map(drop)
        }
    }
}

/// Enters a user namespace of its own. The kernel lets no process with several threads do that.
pub(crate) fn unshare_users() -> io::Result<()> {
    // SAFETY: takes a number.
    check(unsafe { libc::unshare(libc::CLONE_NEWUSER) }).map(drop)
}

/// Enters a mount namespace of its own: this thread alone.
pub(crate) fn unshare_mounts() -> io::Result<()> {
    // SAFETY: takes a number; no descriptor and no memory is any other than before.
    check(unsafe { libc::unshare(libc::CLONE_NEWNS) }).map(drop)
}

/// Becomes root of the user namespace, if that can be done.
pub(crate) fn become_root() -> io::Result<()> {
    // SAFETY: takes three numbers.
    check(unsafe { libc::setresuid(0, 0, 0) }).map(drop)
}

fn own_descriptor(number: libc::c_long) -> io::Result<OwnedFd> {
    let number = RawFd::try_from(number).map_err(io::Error::other)?;
    // SAFETY: every caller just got it from the kernel as a new descriptor.
    Ok(unsafe { OwnedFd::from_raw_fd(number) })
}
