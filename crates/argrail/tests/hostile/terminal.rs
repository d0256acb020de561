//! Sitting down at a terminal of one's own making, to give the answers that only people give.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::process::Stdio;

use argrail_testkit::command;

use crate::errno;
use crate::outcome::{Attack, Outcome, check, word};

/// The attacks of this file.
pub(crate) const ATTACKS: &[Attack] = &[Attack {
    name: "at-own-terminal",
    act: at_own_terminal,
}];

/// `at-own-terminal PROGRAM [ARG…]`: starts a program on a new terminal and says yes there. It gets through if the program ends with 0.
fn at_own_terminal(args: &[String]) -> Result<Outcome, String> {
    let program = word(args, 0, "program")?;
    let (ours, theirs) = match pair() {
        Ok(pair) => pair,
        Err(error) => return Ok(Outcome::Blocked(format!("no terminal: {}", errno::name(&error)))),
    };
    let side = || {
        theirs
            .try_clone()
            .map(Stdio::from)
            .map_err(|error| error.to_string())
    };
    let mut child = command(program);
    child
        .args(args.iter().skip(1))
        .stdin(side()?)
        .stdout(side()?)
        .stderr(side()?);
    let started = child.spawn();
    // Ours alone is left then, and ends when the program does.
    drop((child, theirs));
    let mut child = match started {
        Ok(child) => child,
        Err(error) => return Ok(Outcome::Blocked(errno::name(&error))),
    };
    let shown = answered(File::from(ours));
    let status = child.wait().map_err(|error| error.to_string())?;
    let shown = String::from_utf8_lossy(&shown).replace(['\r', '\n'], " ");
    Ok(match status.success() {
        true => Outcome::Escaped(shown),
        false => Outcome::Blocked(format!("{status}: {shown}")),
    })
}

/// Says yes where that is asked for; returns all that was shown.
fn answered(mut terminal: File) -> Vec<u8> {
    const QUESTION: &[u8] = b"Type y for yes:";
    let (mut shown, mut asked) = (Vec::new(), false);
    let mut buffer = [0; 4096];
    // A terminal whose other side is gone is an error.
    while let Ok(count @ 1..) = terminal.read(&mut buffer) {
        shown.extend(&buffer[..count]);
        if !asked && shown.windows(QUESTION.len()).any(|part| part == QUESTION) {
            asked = terminal.write_all(b"y\n").is_ok();
        }
    }
    shown
}

/// Makes a terminal: our side and theirs.
fn pair() -> io::Result<(OwnedFd, OwnedFd)> {
    // SAFETY: plain numbers.
    let ours = check(unsafe { libc::posix_openpt(libc::O_RDWR | libc::O_NOCTTY | libc::O_CLOEXEC) })?;
    let ours = i32::try_from(ours).map_err(io::Error::other)?;
    // SAFETY: the descriptor was opened just now, and nobody else has it.
    let ours = unsafe { OwnedFd::from_raw_fd(ours) };
    // SAFETY: the descriptor is open.
    check(unsafe { libc::unlockpt(ours.as_raw_fd()) })?;
    // SAFETY: the descriptor is open, and flags are a plain number.
    let theirs =
        check(unsafe { libc::ioctl(ours.as_raw_fd(), libc::TIOCGPTPEER, libc::O_RDWR | libc::O_NOCTTY) })?;
    let theirs = i32::try_from(theirs).map_err(io::Error::other)?;
    // SAFETY: the descriptor was opened just now, and nobody else has it.
    Ok((ours, unsafe { OwnedFd::from_raw_fd(theirs) }))
}
