//! What whoever may read a file does to those who use it too: halting, following, signalling them, and using up what the
//! kernel counts for all processes of a user together.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use crate::errno;
use crate::outcome::{Attack, Outcome, check, word};

/// The attacks of this file.
pub(crate) const ATTACKS: &[Attack] = &[
    Attack {
        name: "lease",
        act: lease,
    },
    Attack {
        name: "follow",
        act: follow,
    },
    Attack {
        name: "lock",
        act: lock,
    },
    Attack {
        name: "signal-by-descriptor",
        act: signal_by_descriptor,
    },
    Attack {
        name: "file-requests",
        act: file_requests,
    },
    Attack {
        name: "watches",
        act: watches,
    },
    Attack {
        name: "queue-signals",
        act: queue_signals,
    },
    Attack {
        name: "lock-memory",
        act: lock_memory,
    },
];

/// Newer than libc's list.
const F_SETDELEG: i32 = 1040;
const F_SETSIG: i32 = 10;

fn open(args: &[String]) -> Result<File, String> {
    let path = word(args, 0, "file")?;
    File::open(path).map_err(|error| format!("{path}: {error}"))
}

/// Calls `fcntl` with whatever number there is, wide as the registers are.
fn command(file: &impl AsRawFd, command: i64, argument: i64) -> io::Result<i64> {
    // SAFETY: no command that is used here takes more than a number, but for those of locks and delegations, which get
    // the address of one that lives across the call.
    check(unsafe { libc::syscall(libc::SYS_fcntl, i64::from(file.as_raw_fd()), command, argument) })
}

/// Takes a lease on a file that is open for reading: whoever wants to write it then waits.
fn lease(args: &[String]) -> Result<Outcome, String> {
    let file = open(args)?;
    let lease = i64::from(libc::F_SETLEASE);
    let read = i64::from(libc::F_RDLCK);
    let delegation = [0_u16, 0, libc::F_RDLCK as u16, 0];
    let taken = |result: io::Result<i64>| Outcome::of(result, |_| "taken".to_owned());
    Ok(Outcome::any([
        ("lease", taken(command(&file, lease, read))),
        // The kernel looks at the lower half of a command; so must a filter.
        ("with a high bit", taken(command(&file, lease | 1 << 32, read))),
        (
            "delegation",
            taken(command(
                &file,
                F_SETDELEG.into(),
                delegation.as_ptr().expose_provenance() as i64,
            )),
        ),
    ]))
}

/// Asks for a signal when something changes in a directory.
fn follow(args: &[String]) -> Result<Outcome, String> {
    const MODIFIED: i64 = 2;
    let directory = open(args)?;
    let asked = command(&directory, libc::F_NOTIFY.into(), MODIFIED);
    Ok(Outcome::of(asked, |_| "is told".to_owned()))
}

/// Locks a file that is open for reading, in every way that programs do.
fn lock(args: &[String]) -> Result<Outcome, String> {
    let file = open(args)?;
    // SAFETY: plain numbers, for which zero is a value.
    let mut part: libc::flock = unsafe { std::mem::zeroed() };
    part.l_type = libc::F_RDLCK as libc::c_short;
    part.l_len = 1;
    let part = (&raw const part).expose_provenance() as i64;
    // SAFETY: takes numbers.
    let whole = |how| check(unsafe { libc::flock(file.as_raw_fd(), how | libc::LOCK_NB) });
    let got = |result: io::Result<i64>| Outcome::of(result, |_| "got".to_owned());
    Ok(Outcome::any([
        ("shared", got(whole(libc::LOCK_SH))),
        ("exclusive", got(whole(libc::LOCK_EX))),
        ("part", got(command(&file, libc::F_SETLK.into(), part))),
        ("open file", got(command(&file, libc::F_OFD_SETLK.into(), part))),
    ]))
}

/// Lets a pipe send a signal of its choice to a process, and writes to the pipe.
fn signal_by_descriptor(args: &[String]) -> Result<Outcome, String> {
    let process: i64 = word(args, 0, "process")?
        .parse()
        .map_err(|_| "no number of a process".to_owned())?;
    let (reader, mut writer) = io::pipe().map_err(|error| error.to_string())?;
    let sent = command(&reader, libc::F_SETOWN.into(), process)
        .and_then(|_| command(&reader, F_SETSIG.into(), libc::SIGURG.into()))
        .and_then(|_| command(&reader, libc::F_SETFL.into(), libc::O_ASYNC.into()))
        .and_then(|_| io::Write::write_all(&mut writer, b"!"));
    Ok(Outcome::of(sent, |()| "sent".to_owned()))
}

/// Makes requests to the file system that need no right to write, each with nothing in it.
fn file_requests(args: &[String]) -> Result<Outcome, String> {
    let file = open(args)?;
    let nothing = [0_u64; 32];
    let ask = |request: u64| {
        // SAFETY: what these requests read and write is shorter than what lives here.
        let asked =
            check(unsafe { libc::syscall(libc::SYS_ioctl, file.as_raw_fd(), request, nothing.as_ptr()) });
        match asked {
            // A kernel that does not know a request says the same as one that does not let it through.
            Err(error) if matches!(error.raw_os_error(), Some(libc::EPERM | libc::ENOTTY)) => {
                Outcome::Blocked(errno::name(&error))
            }
            Err(error) => Outcome::Escaped(format!("reached the kernel: {}", errno::name(&error))),
            Ok(_) => Outcome::Escaped("done".to_owned()),
        }
    };
    Ok(Outcome::any([
        ("flags", ask(0x4008_6602)),
        ("attributes", ask(0x401c_5820)),
        ("version", ask(0x4008_7602)),
        ("verity", ask(0x4080_6685)),
        ("encryption policy", ask(0x800c_6613)),
        ("add key", ask(0xc050_6617)),
        ("remove key", ask(0xc040_6618)),
        ("subvolume", ask(0x5000_940e)),
        ("same bytes", ask(0xc018_9436)),
    ]))
}

/// Makes this many watchers of files.
fn watches(args: &[String]) -> Result<Outcome, String> {
    let wanted: usize = word(args, 0, "number of watchers")?
        .parse()
        .map_err(|_| "no number of watchers".to_owned())?;
    let mut made: Vec<OwnedFd> = Vec::new();
    while made.len() < wanted {
        // SAFETY: takes a number.
        match check(unsafe { libc::inotify_init1(libc::IN_CLOEXEC) }) {
            // SAFETY: the kernel just made it.
            Ok(number) => made.push(unsafe { OwnedFd::from_raw_fd(number as i32) }),
            Err(error) => {
                return Ok(Outcome::Blocked(format!(
                    "{} after {}",
                    errno::name(&error),
                    made.len()
                )));
            }
        }
    }
    Ok(Outcome::Escaped(format!("made {wanted}")))
}

/// Lets this many signals wait.
fn queue_signals(args: &[String]) -> Result<Outcome, String> {
    let wanted: u64 = word(args, 0, "number of signals")?
        .parse()
        .map_err(|_| "no number of signals".to_owned())?;
    let signal = libc::SIGRTMIN();
    // SAFETY: the set is a place to write to, and given its meaning before it is used.
    let blocked = unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        libc::sigaddset(&raw mut set, signal);
        check(libc::sigprocmask(
            libc::SIG_BLOCK,
            &raw const set,
            std::ptr::null_mut(),
        ))
    };
    blocked.map_err(|error| error.to_string())?;
    let value = libc::sigval {
        sival_ptr: std::ptr::null_mut(),
    };
    for queued in 0..wanted {
        // SAFETY: takes numbers; the process is this one.
        if let Err(error) = check(unsafe { libc::sigqueue(libc::getpid(), signal, value) }) {
            return Ok(Outcome::Blocked(format!(
                "{} after {queued}",
                errno::name(&error)
            )));
        }
    }
    Ok(Outcome::Escaped(format!("queued {wanted}")))
}

/// Locks this many MiB of memory.
fn lock_memory(args: &[String]) -> Result<Outcome, String> {
    let mib: usize = word(args, 0, "number of MiB")?
        .parse()
        .map_err(|_| "no number of MiB".to_owned())?;
    let memory = vec![1_u8; mib << 20];
    // SAFETY: memory that lives across the call.
    let locked = check(unsafe { libc::mlock(memory.as_ptr().cast(), memory.len()) });
    Ok(Outcome::of(locked, |_| format!("locked {mib}")))
}
