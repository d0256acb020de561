//! Where nothing may be started: new processes by every call that makes one, and the slot that the program came from.

use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

use crate::outcome::{Outcome, check, word};

/// Makes a process in each way that there is.
pub(super) fn fork(args: &[String]) -> Result<Outcome, String> {
    let program = CString::new(word(args, 0, "program")?).map_err(|error| error.to_string())?;
    let spawned = argrail_testkit::command(word(args, 0, "program")?).output();
    Ok(Outcome::any([
        ("fork", old("fork")),
        ("vfork", old("vfork")),
        ("clone", process(|| clone(i64::from(libc::SIGCHLD)))),
        (
            "clone-vfork",
            process(|| clone(i64::from(libc::CLONE_VFORK | libc::SIGCHLD))),
        ),
        (
            "clone-high",
            process(|| clone(1 << 40 | i64::from(libc::SIGCHLD))),
        ),
        ("clone3", process(clone3)),
        ("posix_spawn", posix_spawn(&program)),
        (
            "command",
            Outcome::of(spawned, |output| output.status.to_string()),
        ),
    ]))
}

/// Becomes another program in the place of this one.
pub(super) fn replace(args: &[String]) -> Result<Outcome, String> {
    let program = CString::new(word(args, 0, "program")?).map_err(|error| error.to_string())?;
    let argv = [program.as_ptr(), std::ptr::null()];
    let env = [std::ptr::null()];
    // SAFETY: the strings live across the call, and both lists end in a null.
    let result = check(unsafe { libc::execve(program.as_ptr(), argv.as_ptr(), env.as_ptr()) });
    Ok(Outcome::of(result, |_| "became it".to_owned()))
}

/// Starts threads, which everything may, and waits for what they count.
pub(super) fn threads(_: &[String]) -> Result<Outcome, String> {
    let threads: Vec<_> = (0..8_u64)
        .map(|number| std::thread::Builder::new().spawn(move || number))
        .collect();
    let sum = threads.into_iter().map(|thread| {
        let thread = thread.map_err(|error| format!("a thread was refused: {error}"))?;
        thread.join().map_err(|_| "a thread was lost".to_owned())
    });
    let sum: Result<Vec<u64>, String> = sum.collect();
    Ok(match sum {
        Ok(numbers) => Outcome::Escaped(format!("threads counted {}", numbers.iter().sum::<u64>())),
        Err(problem) => Outcome::Blocked(problem),
    })
}

fn process(make: impl FnOnce() -> io::Result<i64>) -> Outcome {
    match make() {
        // The new process has nothing to do.
        // SAFETY: ends it without running anything of the parent's.
        Ok(0) => unsafe { libc::_exit(0) },
        result => Outcome::of(result, |pid| format!("process {pid}")),
    }
}

fn clone(flags: i64) -> io::Result<i64> {
    // SAFETY: without memory in common and with no stack given, the new process has a copy of ours.
    check(unsafe { libc::syscall(libc::SYS_clone, flags, 0_i64, 0_i64, 0_i64, 0_i64) })
}

/// The calls from before `clone`. The new process ends before it touches the stack, which after `vfork` is the
/// parent's.
#[cfg(target_arch = "x86_64")]
fn old(name: &str) -> Outcome {
    let number = if name == "fork" {
        libc::SYS_fork
    } else {
        libc::SYS_vfork
    };
    let result: i64;
    // SAFETY: touches no memory; the new process makes one more call, which ends it.
    unsafe {
        std::arch::asm!(
            "syscall",
            "test rax, rax",
            "jnz 2f",
            "mov edi, 0",
            "mov eax, 231",
            "syscall",
            "2:",
            inlateout("rax") number => result,
            out("rdi") _,
            out("rcx") _,
            out("r11") _,
        );
    }
    let result = match i32::try_from(-result) {
        Ok(error) if error > 0 => Err(io::Error::from_raw_os_error(error)),
        _ => Ok(result),
    };
    Outcome::of(result, |pid| format!("process {pid}"))
}

#[cfg(not(target_arch = "x86_64"))]
fn old(_: &str) -> Outcome {
    Outcome::Blocked("there is no such call".to_owned())
}

fn clone3() -> io::Result<i64> {
    let mut arguments = [0_u64; 11];
    arguments[4] = libc::SIGCHLD as u64; // exit_signal
    // SAFETY: the structure lives across the call, with its true length; a null stack is a copy of ours.
    check(unsafe { libc::syscall(libc::SYS_clone3, arguments.as_ptr(), size_of_val(&arguments)) })
}

fn posix_spawn(program: &CString) -> Outcome {
    let argv = [program.as_ptr().cast_mut(), std::ptr::null_mut()];
    let env = [std::ptr::null_mut()];
    let mut pid = 0;
    // SAFETY: the strings live across the call, and both lists end in a null.
    let error = unsafe {
        libc::posix_spawn(
            &raw mut pid,
            program.as_ptr(),
            std::ptr::null(),
            std::ptr::null(),
            argv.as_ptr(),
            env.as_ptr(),
        )
    };
    let result = if error == 0 {
        Ok(pid)
    } else {
        Err(io::Error::from_raw_os_error(error))
    };
    Outcome::of(result, |pid| format!("process {pid}"))
}

/// Puts another program where the first one was, which is the one place that may be started from. `LIMIT` is that
/// place.
pub(super) fn top_descriptor(args: &[String]) -> Result<Outcome, String> {
    let path = word(args, 0, "program")?;
    let top: i32 = word(args, 1, "number")?
        .parse()
        .map_err(|_| "no number".to_owned())?;
    let file = File::open(path).map_err(|error| format!("{path}: {error}"))?;
    let number = file.as_raw_fd();
    // SAFETY: plain numbers, one of them an open descriptor.
    let below = check(unsafe { libc::dup2(number, top - 1) });
    below.map_err(|error| format!("the place below is not to be had either: {error}"))?;
    let ways = [
        ("raise", raise_limit(top)),
        ("raise-other-call", raise_limit_by_number(top)),
        // SAFETY: plain numbers, one of them an open descriptor.
        ("dup2", check(unsafe { libc::dup2(number, top) })),
        // SAFETY: as above.
        ("dup3", check(unsafe { libc::dup3(number, top, libc::O_CLOEXEC) })),
        // SAFETY: as above.
        ("dupfd", check(unsafe { libc::fcntl(number, libc::F_DUPFD, top) })),
        ("open-all", open_all(path, top)),
    ];
    let mut outcomes: Vec<_> = ways
        .into_iter()
        .map(|(way, result)| (way, Outcome::of(result, |number| number.to_string())))
        .collect();
    for (way, place) in [
        ("start", i64::from(top)),
        ("start-high", 1 << 32 | i64::from(top)),
    ] {
        outcomes.push((way, Outcome::of(start(place), |()| "became it".to_owned())));
    }
    outcomes.push((
        "start-below",
        Outcome::of(start(i64::from(top - 1)), |()| "became it".to_owned()),
    ));
    Ok(Outcome::any(outcomes))
}

fn limit(top: i32) -> libc::rlimit {
    let room = u64::from(top.unsigned_abs()) + 8;
    libc::rlimit {
        rlim_cur: room,
        rlim_max: room,
    }
}

fn raise_limit(top: i32) -> io::Result<i64> {
    let limit = limit(top);
    // SAFETY: the structure lives across the call.
    check(unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit) })
}

fn raise_limit_by_number(top: i32) -> io::Result<i64> {
    let limit = limit(top);
    // SAFETY: the structure lives across the call; the old limit is not asked for.
    check(unsafe {
        libc::prlimit(
            libc::getpid(),
            libc::RLIMIT_NOFILE,
            &raw const limit,
            std::ptr::null_mut(),
        )
    })
}

/// Opens files until there is no number left, and returns the last if that is the one.
fn open_all(path: &str, top: i32) -> io::Result<i64> {
    let mut files = Vec::new();
    loop {
        match File::open(path) {
            Ok(file) if file.as_raw_fd() >= top => return Ok(i64::from(file.as_raw_fd())),
            Ok(file) => files.push(file),
            Err(error) => return Err(error),
        }
    }
}

fn start(place: i64) -> io::Result<()> {
    let argv = [c"true".as_ptr(), std::ptr::null()];
    let env = [std::ptr::null::<libc::c_char>()];
    // SAFETY: the path is an empty C string, and both lists end in a null and live across the call.
    let result = unsafe {
        libc::syscall(
            libc::SYS_execveat,
            place,
            c"".as_ptr(),
            argv.as_ptr(),
            env.as_ptr(),
            libc::AT_EMPTY_PATH,
        )
    };
    check(result).map(drop)
}
