//! `hostile start [--user UID] [--alone] [--open FD=PATH]… [--own ADDRESS:PORT]… -- PROGRAM [ARG…]`: a careless parent.
//!
//! It becomes another user for good, may see to it that no process can be made from then on, opens files at numbers of its own without close-on-exec, and becomes the
//! program, which inherits all that.

use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;

use crate::outcome::check;
use crate::own_network;

/// Becomes the program. Returns only when that failed, with the reason.
pub(crate) fn start(args: &[String]) -> String {
    let mut words = args.iter();
    let mut user = None;
    let mut alone = false;
    let mut own = Vec::new();
    while let Some(word) = words.next() {
        let result = match word.as_str() {
            "--user" => {
                user = words.next().and_then(|uid| uid.parse().ok());
                user.map(|_: libc::uid_t| ())
                    .ok_or_else(|| "--user wants a number".to_owned())
            }
            "--open" => words
                .next()
                .map_or(Err("--open wants FD=PATH".to_owned()), |open| open_at(open)),
            "--own" => match words.next().and_then(|address| address.parse().ok()) {
                Some(address) => {
                    own.push(address);
                    Ok(())
                }
                None => Err("--own wants ADDRESS:PORT".to_owned()),
            },
            "--alone" => {
                alone = true;
                Ok(())
            }
            "--" => break,
            other => Err(format!("unknown word {other:?}")),
        };
        if let Err(problem) = result {
            return problem;
        }
    }
    if !own.is_empty()
        && let Err(error) = own_network::enter(&own)
    {
        return format!("cannot have a network of {own:?}: {error}");
    }
    if let Some(uid) = user
        && let Err(error) = become_user(uid)
    {
        return format!("cannot become user {uid}: {error}");
    }
    // After that: the kernel starts no program for whoever became a user that has too many.
    if alone && let Err(error) = limit_processes() {
        return format!("cannot limit processes: {error}");
    }
    let argv: Result<Vec<CString>, _> = words.map(|word| CString::new(word.as_bytes())).collect();
    let Ok(argv) = argv else {
        return "an argument holds a NUL".to_owned();
    };
    become_program(&argv)
}

/// Opens `FD=PATH` for reading, a directory too, to be inherited.
fn open_at(text: &str) -> Result<(), String> {
    let (number, path) = text.split_once('=').ok_or("--open wants FD=PATH")?;
    let number: i32 = number.parse().map_err(|_| format!("{number:?} is no number"))?;
    let file = std::fs::File::open(path).map_err(|error| format!("{path}: {error}"))?;
    // SAFETY: the first descriptor is open, and dup2 takes any number for the second.
    let result = unsafe { libc::dup2(std::os::fd::AsRawFd::as_raw_fd(&file), number) };
    check(result)
        .map(drop)
        .map_err(|error| format!("{path} at {number}: {error}"))
}

/// Lets this user have one process: what runs goes on, and no fork or thread succeeds any more. Root is not held to it.
fn limit_processes() -> io::Result<()> {
    let one = libc::rlimit {
        rlim_cur: 1,
        rlim_max: 1,
    };
    // SAFETY: the limits are read while the call lasts.
    check(unsafe { libc::setrlimit(libc::RLIMIT_NPROC, &one) }).map(drop)
}

/// Becomes a plain user: no groups but its own, no way back.
fn become_user(uid: libc::uid_t) -> io::Result<()> {
    // SAFETY: a list of no groups is read from nowhere.
    check(unsafe { libc::setgroups(0, std::ptr::null()) })?;
    // SAFETY: plain numbers.
    check(unsafe { libc::setresgid(uid, uid, uid) })?;
    // SAFETY: plain numbers.
    check(unsafe { libc::setresuid(uid, uid, uid) })?;
    Ok(())
}

fn become_program(argv: &[CString]) -> String {
    let Some(program) = argv.first() else {
        return "no program was given".to_owned();
    };
    let mut pointers: Vec<*const libc::c_char> = argv.iter().map(|word| word.as_ptr()).collect();
    pointers.push(std::ptr::null());
    // SAFETY: the strings and the list, which ends with a null, live until the call returns.
    unsafe { libc::execv(program.as_ptr(), pointers.as_ptr()) };
    let error = io::Error::last_os_error();
    format!(
        "{}: {error}",
        std::ffi::OsStr::from_bytes(program.as_bytes()).display()
    )
}
