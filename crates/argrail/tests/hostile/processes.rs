//! Processes and the kernel: 16 to 28 of the suite.

use std::fs::{self, OpenOptions};
use std::io;

use crate::outcome::{Attack, Outcome, check, text, word};

/// The attacks of this file.
pub(crate) const ATTACKS: &[Attack] = &[
    Attack {
        name: "open-to-write",
        act: open_to_write,
    },
    Attack {
        name: "look-into",
        act: look_into,
    },
    Attack {
        name: "list-processes",
        act: list_processes,
    },
    Attack {
        name: "signal",
        act: signal,
    },
    Attack {
        name: "signal-all",
        act: signal_all,
    },
    Attack {
        name: "trace",
        act: trace,
    },
    Attack {
        name: "take-descriptor",
        act: take_descriptor,
    },
    Attack {
        name: "keys",
        act: keys,
    },
    Attack {
        name: "namespace",
        act: namespace,
    },
    Attack {
        name: "fork-plainly",
        act: fork_plainly,
    },
    Attack {
        name: "identity",
        act: identity,
    },
    Attack {
        name: "become",
        act: become_program,
    },
    Attack {
        name: "kernel-interfaces",
        act: kernel_interfaces,
    },
    #[cfg(target_arch = "x86_64")]
    Attack {
        name: "x32",
        act: x32,
    },
    #[cfg(target_arch = "x86_64")]
    Attack {
        name: "int80",
        act: int80,
    },
];

/// `open-to-write PATH…`: opens and writes nothing, since one that got through would harm the machine.
fn open_to_write(args: &[String]) -> Result<Outcome, String> {
    word(args, 0, "path")?;
    Ok(Outcome::any(args.iter().map(|path| {
        let opened = OpenOptions::new().write(true).open(path);
        (path, Outcome::of(opened, |_| "opened".to_owned()))
    })))
}

/// `look-into PID`: everything that tells what is in a process.
fn look_into(args: &[String]) -> Result<Outcome, String> {
    let process = format!("/proc/{}", word(args, 0, "process")?);
    let file = |name: &str| Outcome::of(fs::read(format!("{process}/{name}")), |_| "read".to_owned());
    let directory =
        |name: &str| Outcome::of(fs::read_dir(format!("{process}/{name}")), |_| "listed".to_owned());
    let link = |name: &str| {
        Outcome::of(fs::read_link(format!("{process}/{name}")), |_| {
            "followed".to_owned()
        })
    };
    let memory = OpenOptions::new()
        .read(true)
        .write(true)
        .open(format!("{process}/mem"));
    Ok(Outcome::any([
        ("environ", file("environ")),
        ("maps", file("maps")),
        ("auxv", file("auxv")),
        ("mem", Outcome::of(memory, |_| "opened".to_owned())),
        ("fd", directory("fd")),
        ("root", link("root")),
        ("cwd", link("cwd")),
        ("exe", link("exe")),
    ]))
}

/// `list-processes`: whether there is any but pid 1 of the sandbox and this.
fn list_processes(_: &[String]) -> Result<Outcome, String> {
    let own = std::process::id();
    let entries = fs::read_dir("/proc").map_err(|error| error.to_string())?;
    let pids: Vec<u32> = entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect();
    if !pids.contains(&own) {
        return Err(format!("this process, {own}, is not in the list: {pids:?}"));
    }
    let others: Vec<&u32> = pids.iter().filter(|pid| **pid != own && **pid != 1).collect();
    Ok(match others.is_empty() {
        true => Outcome::Blocked(format!("only {pids:?}")),
        false => Outcome::Escaped(format!("{} others", others.len())),
    })
}

/// `signal PID`: by every call that sends one. The signal is 0, which asks whether it could be sent.
fn signal(args: &[String]) -> Result<Outcome, String> {
    let pid: i32 = match word(args, 0, "process")? {
        "self" => std::process::id().cast_signed(),
        number => number.parse().map_err(|_| "no process number")?,
    };
    // SAFETY: numbers only.
    let killed = check(unsafe { libc::kill(pid, 0) });
    // SAFETY: numbers only.
    let thread = check(unsafe { libc::syscall(libc::SYS_tgkill, pid, pid, 0) });
    // SAFETY: numbers only.
    let handle = check(unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) });
    let sent = |_| "sent".to_owned();
    Ok(Outcome::any([
        ("kill", Outcome::of(killed, sent)),
        ("tgkill", Outcome::of(thread, sent)),
        ("pidfd_open", Outcome::of(handle, sent)),
    ]))
}

/// `signal-all PID`: really kills pid 1, one other process, and everybody. Whether it got through, only those outside can
/// tell; what is said here is whether this process could go on.
fn signal_all(args: &[String]) -> Result<Outcome, String> {
    let other: i32 = word(args, 0, "process")?
        .parse()
        .map_err(|_| "no process number")?;
    if std::process::id() > 9 {
        return Err("this is no namespace of its own, and everybody would really be killed".to_owned());
    }
    let mut ways = Vec::new();
    for signal in [libc::SIGTERM, libc::SIGKILL] {
        for pid in [other, -other, 1, -1] {
            // SAFETY: numbers only. No signal to everybody goes to its sender.
            let sent = check(unsafe { libc::kill(pid, signal) });
            ways.push(format!(
                "{pid}:{}",
                sent.map_or_else(|error| crate::errno::name(&error), |_| "0".into())
            ));
        }
    }
    Ok(Outcome::Blocked(ways.join(" ")))
}

/// `trace`: other processes' memory and registers, by way of this process, which is nobody else's.
fn trace(_: &[String]) -> Result<Outcome, String> {
    let own = std::process::id();
    let mut byte = 0u8;
    let local = libc::iovec {
        iov_base: (&raw mut byte).cast(),
        iov_len: 1,
    };
    let value = 7u8;
    let remote = libc::iovec {
        iov_base: (&raw const value).cast_mut().cast(),
        iov_len: 1,
    };
    let (local, remote) = (&raw const local, &raw const remote);
    // SAFETY: each vector names one byte of ours that lives until the call returns.
    let read = check(unsafe { libc::syscall(libc::SYS_process_vm_readv, own, local, 1, remote, 1, 0) });
    // SAFETY: as above.
    let wrote = check(unsafe { libc::syscall(libc::SYS_process_vm_writev, own, local, 1, local, 1, 0) });
    // SAFETY: asks to be traced; takes no pointers.
    let traced = check(unsafe { libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) });
    // SAFETY: the process is a number.
    let seized = check(unsafe { libc::ptrace(libc::PTRACE_SEIZE, 1, 0, 0) });
    Ok(Outcome::any([
        ("process_vm_readv", Outcome::of(read, |_| "read".to_owned())),
        ("process_vm_writev", Outcome::of(wrote, |_| "wrote".to_owned())),
        ("traceme", Outcome::of(traced, |_| "traced".to_owned())),
        ("seize", Outcome::of(seized, |_| "seized".to_owned())),
    ]))
}

/// `take-descriptor PID`
fn take_descriptor(args: &[String]) -> Result<Outcome, String> {
    let pid: u32 = match word(args, 0, "process")? {
        "self" => std::process::id(),
        number => number.parse().map_err(|_| "no process number")?,
    };
    // SAFETY: numbers only.
    let handle =
        check(unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) }).map_err(|error| error.to_string())?;
    // SAFETY: numbers only.
    let taken = check(unsafe { libc::syscall(libc::SYS_pidfd_getfd, handle, 0, 0) });
    Ok(Outcome::of(taken, |number| format!("took descriptor {number}")))
}

/// `keys`: the kernel's key rings, which no namespace holds apart.
fn keys(_: &[String]) -> Result<Outcome, String> {
    const PROCESS_RING: i32 = -2;
    const GET_RING: i32 = 0;
    let (kind, name) = (c"user".as_ptr(), c"argrail-attack".as_ptr());
    // SAFETY: strings live until the calls return, and one byte of the value is read.
    let calls = unsafe {
        [
            (
                "add_key",
                check(libc::syscall(
                    libc::SYS_add_key,
                    kind,
                    name,
                    name,
                    1,
                    PROCESS_RING,
                )),
            ),
            (
                "keyctl",
                check(libc::syscall(libc::SYS_keyctl, GET_RING, PROCESS_RING, 1)),
            ),
            (
                "request_key",
                check(libc::syscall(
                    libc::SYS_request_key,
                    kind,
                    name,
                    0usize,
                    PROCESS_RING,
                )),
            ),
        ]
    };
    Ok(Outcome::any(
        calls.map(|(call, result)| (call, Outcome::of_refusal(result))),
    ))
}

/// `namespace`: a new one of users, by each call that makes one.
fn namespace(_: &[String]) -> Result<Outcome, String> {
    let flags = libc::CLONE_NEWUSER | libc::SIGCHLD;
    let null = 0usize;
    // SAFETY: without a stack of its own the child goes on with a copy of everything, and ends at once.
    let cloned = end_child(check(unsafe {
        libc::syscall(libc::SYS_clone, flags, null, null, null, null)
    }));
    let mut record = [0u64; 8];
    record[0] = u64::from(libc::CLONE_NEWUSER.cast_unsigned());
    record[4] = u64::from(libc::SIGCHLD.cast_unsigned());
    // SAFETY: the record lives until the call returns; the child is as above.
    let cloned3 = end_child(check(unsafe {
        libc::syscall(libc::SYS_clone3, record.as_ptr(), size_of_val(&record))
    }));
    // SAFETY: numbers only.
    let unshared = check(unsafe { libc::unshare(libc::CLONE_NEWUSER) });
    let made = |_| "made".to_owned();
    Ok(Outcome::any([
        ("clone", Outcome::of(cloned, made)),
        ("clone3", Outcome::of(cloned3, made)),
        ("unshare", Outcome::of(unshared, made)),
    ]))
}

/// `fork-plainly`: a child in no new namespace.
fn fork_plainly(_: &[String]) -> Result<Outcome, String> {
    let null = 0usize;
    // SAFETY: as in `namespace`.
    let cloned = check(unsafe { libc::syscall(libc::SYS_clone, libc::SIGCHLD, null, null, null, null) });
    Ok(Outcome::of(end_child(cloned), |_| "forked".to_owned()))
}

/// Ends the process if it is the child; else waits for the child.
fn end_child(forked: io::Result<i64>) -> io::Result<i64> {
    match forked {
        // SAFETY: ends this process and nothing else.
        Ok(0) => unsafe { libc::_exit(0) },
        Ok(pid) => {
            // SAFETY: no status is asked for.
            unsafe { libc::waitpid(i32::try_from(pid).unwrap_or(-1), std::ptr::null_mut(), 0) };
            Ok(pid)
        }
        Err(error) => Err(error),
    }
}

/// `identity`: whether this process is more than a plain user: another user in effect, root, any capability.
fn identity(_: &[String]) -> Result<Outcome, String> {
    let status = fs::read_to_string("/proc/self/status").map_err(|error| error.to_string())?;
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.map(|rest| {
            rest.trim_start_matches(':')
                .split_whitespace()
                .collect::<Vec<_>>()
        })
        .unwrap_or_default()
    };
    let plain = |ids: &[&str]| ids.iter().all(|id| Some(id) == ids.first() && *id != "0") && !ids.is_empty();
    let powerless = |name: &str| {
        field(name)
            .iter()
            .all(|set| set.bytes().all(|digit| digit == b'0'))
    };
    let held = plain(&field("Uid"))
        && plain(&field("Gid"))
        && ["CapInh", "CapPrm", "CapEff", "CapAmb"].map(powerless) == [true; 4];
    let told = format!(
        "uid {:?} gid {:?} capabilities {:?}",
        field("Uid"),
        field("Gid"),
        field("CapEff")
    );
    Ok(if held {
        Outcome::Blocked(told)
    } else {
        Outcome::Escaped(told)
    })
}

/// `become PROGRAM WORD`: becomes a program, which then answers.
fn become_program(args: &[String]) -> Result<Outcome, String> {
    let (program, attack) = (text(word(args, 0, "program")?)?, text(word(args, 1, "word")?)?);
    let argv = [program.as_ptr(), attack.as_ptr(), std::ptr::null()];
    // SAFETY: the strings and the list, which ends with a null, live until the call returns.
    unsafe { libc::execv(program.as_ptr(), argv.as_ptr()) };
    Err(format!("not started: {}", io::Error::last_os_error()))
}

/// `kernel-interfaces`: those with a long history of holes.
fn kernel_interfaces(_: &[String]) -> Result<Outcome, String> {
    let mut record = [0u8; 128];
    // The size of the first version, where both records have it.
    record[4] = 64;
    let at = record.as_mut_ptr();
    // SAFETY: the record lives until the calls return and is longer than any of them looks at.
    let calls = unsafe {
        [
            ("bpf", check(libc::syscall(libc::SYS_bpf, 0, at, 48))),
            (
                "perf_event_open",
                check(libc::syscall(libc::SYS_perf_event_open, at, 0, -1, -1, 0)),
            ),
            ("userfaultfd", check(libc::syscall(libc::SYS_userfaultfd, 1))),
            (
                "io_uring_setup",
                check(libc::syscall(libc::SYS_io_uring_setup, 1, at)),
            ),
            (
                "init_module",
                check(libc::syscall(libc::SYS_init_module, at, 1, c"".as_ptr())),
            ),
            (
                "kexec_load",
                check(libc::syscall(libc::SYS_kexec_load, 0, 0, 0, 1)),
            ),
            (
                "fanotify_init",
                check(libc::syscall(libc::SYS_fanotify_init, 0, 0)),
            ),
            ("kcmp", check(libc::syscall(libc::SYS_kcmp, 1, 1, 0, 0, 0))),
            (
                "personality",
                check(libc::syscall(libc::SYS_personality, 0x0040_0000)),
            ),
        ]
    };
    Ok(Outcome::any(
        calls.map(|(call, result)| (call, Outcome::of_refusal(result))),
    ))
}

/// `x32`: numbers that mean the same calls to a kernel with that interface, and nothing to a careless filter.
#[cfg(target_arch = "x86_64")]
fn x32(_: &[String]) -> Result<Outcome, String> {
    const X32: libc::c_long = 0x4000_0000;
    let native = std::process::id();
    // SAFETY: numbers only.
    let calls = unsafe {
        [
            ("getpid", check(libc::syscall(X32 | libc::SYS_getpid))),
            (
                "unshare",
                check(libc::syscall(X32 | libc::SYS_unshare, libc::CLONE_NEWUSER)),
            ),
            ("keyctl", check(libc::syscall(X32 | libc::SYS_keyctl, 0, -2, 1))),
            // ptrace has a number of its own there.
            ("ptrace", check(libc::syscall(X32 | 521, 0, 0, 0, 0))),
        ]
    };
    let ways = calls.map(|(call, result)| (call, Outcome::of_refusal(result)));
    if native == 0 {
        Err("the native call does not work".to_owned())
    } else {
        Ok(Outcome::any(ways))
    }
}

/// `int80`: the door of 32-bit programs, behind which every call has another number.
#[cfg(target_arch = "x86_64")]
fn int80(_: &[String]) -> Result<Outcome, String> {
    const GETPID: i64 = 20;
    let result: i64;
    // SAFETY: the call takes no arguments and touches no memory; what it may change is named.
    unsafe {
        std::arch::asm!(
            "int 0x80",
            inlateout("rax") GETPID => result,
            lateout("r8") _,
            lateout("r9") _,
            lateout("r10") _,
            lateout("r11") _,
        );
    }
    Ok(match u32::try_from(result) {
        Ok(pid) if pid == std::process::id() => Outcome::Escaped(format!("is process {pid}")),
        _ => Outcome::Blocked(format!("returned {result}")),
    })
}
