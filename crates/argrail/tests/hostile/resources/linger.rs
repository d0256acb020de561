//! A tree of processes that will not go.

use std::fs::File;
use std::io::{Read, Write};

use super::ignore;
use crate::outcome::{Outcome, check, word};

/// Holds a pipe open, says `ready` into it, and stays, in the ways that the words ask for:
///
/// - `deaf`: asking does not end it,
/// - `mute`: it has closed its output,
/// - `daemon`: a grandchild in a session of its own holds the pipe too and is deaf,
/// - `leave`: the first process ends at once.
///
/// The pipe is at its end when none of them is left.
pub(super) fn linger(args: &[String]) -> Result<Outcome, String> {
    let path = word(args, 0, "pipe")?;
    let has = |name: &str| args.iter().skip(1).any(|word| word == name);
    let mut pipe = File::options()
        .write(true)
        .open(path)
        .map_err(|error| format!("{path}: {error}"))?;
    if has("deaf") {
        ignore(libc::SIGTERM)?;
    }
    if has("mute") {
        // SAFETY: nothing is written to these any more.
        unsafe { libc::close(1) };
        // SAFETY: as above.
        unsafe { libc::close(2) };
    }
    if has("daemon") {
        make_daemon(&mut pipe)?;
    } else {
        pipe.write_all(b"ready\n").map_err(|error| error.to_string())?;
    }
    if has("leave") {
        return Ok(Outcome::Blocked("the first of them left".to_owned()));
    }
    stay()
}

/// The usual way out of a session and a process group: two forks with a new session in between.
fn make_daemon(pipe: &mut File) -> Result<(), String> {
    let (mut settled, settling) = std::io::pipe().map_err(|error| error.to_string())?;
    // SAFETY: there is one thread, and the child goes on as this program.
    let child = check(unsafe { libc::fork() }).map_err(|error| format!("fork: {error}"))?;
    if child > 0 {
        drop(settling);
        // At its end when the daemon has said that it is ready.
        return settled
            .read_to_end(&mut Vec::new())
            .map(drop)
            .map_err(|error| error.to_string());
    }
    // SAFETY: no arguments.
    unsafe { libc::setsid() };
    // SAFETY: as above.
    if unsafe { libc::fork() } != 0 {
        // SAFETY: ends the one in between.
        unsafe { libc::_exit(0) };
    }
    for signal in [libc::SIGTERM, libc::SIGHUP, libc::SIGINT] {
        ignore(signal)?;
    }
    let _ = pipe.write_all(b"ready\n");
    drop(settling);
    stay()
}

fn stay() -> ! {
    loop {
        // SAFETY: waits for a signal.
        unsafe { libc::pause() };
    }
}
