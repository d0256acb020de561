//! Programs without a path: in memory, in a file that has no name, in pages that are mapped.

use std::ffi::CStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};

use crate::errno;
use crate::outcome::{Outcome, check, word};

/// Newer than the list in libc.
const MFD_EXEC: u32 = 0x10;

/// Puts a program into memory with each set of flags that leaves it executable, and becomes it.
pub(super) fn exec_memory(args: &[String]) -> Result<Outcome, String> {
    let program = read(word(args, 0, "program")?)?;
    let flags = [
        ("plain", 0),
        ("close-on-exec", libc::MFD_CLOEXEC),
        ("sealing", libc::MFD_ALLOW_SEALING),
        ("exec", MFD_EXEC),
        ("exec-and-seal", MFD_EXEC | libc::MFD_NOEXEC_SEAL),
    ];
    Ok(Outcome::any(
        flags.map(|(way, flags)| (way, ran_from_memory(&program, flags))),
    ))
}

/// Puts a program into memory that is sealed against execution, undoes that if it can, and becomes it.
pub(super) fn exec_sealed_memory(args: &[String]) -> Result<Outcome, String> {
    let program = read(word(args, 0, "program")?)?;
    make_memory(libc::MFD_NOEXEC_SEAL).map_err(|error| format!("no memory at all: {error}"))?;
    Ok(ran_from_memory(&program, libc::MFD_NOEXEC_SEAL))
}

/// Writes a program into a file without a name in a directory, and becomes it.
pub(super) fn exec_nameless(args: &[String]) -> Result<Outcome, String> {
    let (program, directory) = (read(word(args, 0, "program")?)?, word(args, 1, "directory")?);
    let file = File::options()
        .read(true)
        .write(true)
        .mode(0o755)
        .custom_flags(libc::O_TMPFILE)
        .open(directory);
    let mut file = file.map_err(|error| format!("{directory}: {error}"))?;
    file.write_all(&program).map_err(|error| error.to_string())?;
    // Nobody starts what somebody may still write to.
    let path = format!("/proc/self/fd/{}", file.as_raw_fd());
    let reader = File::open(path).map_err(|error| error.to_string())?;
    drop(file);
    Ok(ran(&reader.into()))
}

fn ran_from_memory(program: &[u8], flags: u32) -> Outcome {
    let memory = match make_memory(flags) {
        Ok(memory) => memory,
        Err(error) => return Outcome::Blocked(errno::name(&error)),
    };
    let mut file = File::from(memory);
    if let Err(error) = file.write_all(program) {
        return Outcome::Blocked(errno::name(&error));
    }
    // Refused for what is sealed; the attempt to start it then shows whether that matters.
    let _ = file.set_permissions(fs::Permissions::from_mode(0o755));
    ran(&file.into())
}

fn make_memory(flags: u32) -> io::Result<OwnedFd> {
    // SAFETY: the name is a C string.
    let number = check(unsafe { libc::memfd_create(c"hostile".as_ptr(), flags) })?;
    let number = i32::try_from(number).map_err(io::Error::other)?;
    // SAFETY: the kernel just made it for us.
    Ok(unsafe { OwnedFd::from_raw_fd(number) })
}

/// Becomes what a descriptor refers to, by the descriptor and by its name in `/proc`. Returning is being stopped; to
/// get through is to become `true`, which says nothing and exits with 0, so it is done in a child where one may be had.
fn ran(program: &OwnedFd) -> Outcome {
    // SAFETY: the child calls nothing but exec and _exit.
    let child = unsafe { libc::fork() };
    if child == 0 {
        become_program(program);
        // SAFETY: ends the child.
        unsafe { libc::_exit(99) };
    }
    if child > 0 {
        let mut status = 0;
        // SAFETY: `status` is a place to write to.
        unsafe { libc::waitpid(child, &raw mut status, 0) };
        return match libc::WEXITSTATUS(status) {
            99 => Outcome::Blocked("not started".to_owned()),
            _ => Outcome::Escaped("it ran".to_owned()),
        };
    }
    // Where nothing may be forked: a success would make this process silent, which no test takes for a block.
    become_program(program);
    Outcome::Blocked(errno::name(&io::Error::last_os_error()))
}

fn become_program(program: &OwnedFd) {
    let argv = [c"true".as_ptr(), std::ptr::null()];
    let env = [std::ptr::null::<libc::c_char>()];
    let number = program.as_raw_fd();
    // SAFETY: the path is an empty C string, and both lists end in a null and live across the call.
    unsafe {
        libc::syscall(
            libc::SYS_execveat,
            number,
            c"".as_ptr(),
            argv.as_ptr(),
            env.as_ptr(),
            libc::AT_EMPTY_PATH,
        )
    };
    let path = format!("/proc/self/fd/{number}\0");
    if let Ok(path) = CStr::from_bytes_with_nul(path.as_bytes()) {
        // SAFETY: as above.
        unsafe { libc::execve(path.as_ptr(), argv.as_ptr(), env.as_ptr()) };
        // By the number that the child's own program came from, which an absolute path makes meaningless.
        // SAFETY: as above.
        unsafe {
            libc::syscall(
                libc::SYS_execveat,
                libc::sysconf(libc::_SC_OPEN_MAX),
                path.as_ptr(),
                argv.as_ptr(),
                env.as_ptr(),
                libc::AT_EMPTY_PATH,
            )
        };
    }
}

/// Maps a program's code, to jump into it: executable at once, and readable first.
pub(super) fn map_code(args: &[String]) -> Result<Outcome, String> {
    let path = word(args, 0, "program")?;
    let file = File::open(path).map_err(|error| format!("{path}: {error}"))?;
    let map = |protection: i32| {
        // SAFETY: a new mapping of an open file at an address of the kernel's choice.
        let at = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                4096,
                protection,
                libc::MAP_PRIVATE,
                file.as_raw_fd(),
                0,
            )
        };
        if at == libc::MAP_FAILED {
            Err(io::Error::last_os_error())
        } else {
            Ok(at)
        }
    };
    let at_once = map(libc::PROT_READ | libc::PROT_EXEC);
    let later = map(libc::PROT_READ).and_then(|at| {
        // SAFETY: the mapping was made a moment ago, and nothing refers to it.
        check(unsafe { libc::mprotect(at, 4096, libc::PROT_READ | libc::PROT_EXEC) })
    });
    Ok(Outcome::any([
        ("at once", Outcome::of(at_once, |_| "mapped".to_owned())),
        ("later", Outcome::of(later, |_| "made executable".to_owned())),
    ]))
}

fn read(path: &str) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{path}: {error}"))
}
