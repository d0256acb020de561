//! Resources and staying alive: 62 to 73 of the suite.

mod linger;
mod memory;
mod under;

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use crate::errno;
use crate::outcome::{Attack, Outcome, check, word};

/// The attacks of this file and those below it.
pub(crate) const ATTACKS: &[Attack] = &[
    Attack {
        name: "fork-bomb",
        act: fork_bomb,
    },
    Attack {
        name: "thread-bomb",
        act: thread_bomb,
    },
    Attack {
        name: "allocate",
        act: memory::allocate,
    },
    Attack {
        name: "fill",
        act: fill,
    },
    Attack {
        name: "litter",
        act: litter,
    },
    Attack {
        name: "grow",
        act: grow,
    },
    Attack {
        name: "shout",
        act: shout,
    },
    Attack {
        name: "linger",
        act: linger::linger,
    },
    Attack {
        name: "under",
        act: under::under,
    },
];

const MIB: u64 = 1024 * 1024;

/// Makes this many processes that stay, which end with this one.
fn fork_bomb(args: &[String]) -> Result<Outcome, String> {
    let tries = number(args, 0, "number of tries")?;
    for made in 0..tries {
        // SAFETY: the child only waits to be killed.
        match check(unsafe { libc::fork() }) {
            Ok(0) => wait_for_the_end(),
            Ok(_) => {}
            Err(error) => return Ok(Outcome::Blocked(format!("{} after {made}", errno::name(&error)))),
        }
    }
    Ok(Outcome::Escaped(format!("{tries} processes")))
}

fn wait_for_the_end() -> ! {
    // SAFETY: plain numbers: without a sandbox it ends with its parent.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
    loop {
        // SAFETY: waits for a signal.
        unsafe { libc::pause() };
    }
}

/// Makes this many threads that stay.
fn thread_bomb(args: &[String]) -> Result<Outcome, String> {
    let tries = number(args, 0, "number of tries")?;
    for made in 0..tries {
        let thread = std::thread::Builder::new().stack_size(64 * 1024).spawn(|| {
            loop {
                std::thread::park();
            }
        });
        if let Err(error) = thread {
            return Ok(Outcome::Blocked(format!("{} after {made}", errno::name(&error))));
        }
    }
    Ok(Outcome::Escaped(format!("{tries} threads")))
}

/// Writes a file of that many MiB.
fn fill(args: &[String]) -> Result<Outcome, String> {
    let (path, size) = (word(args, 0, "path")?, number(args, 1, "size in MiB")?);
    let mut file = File::create(path).map_err(|error| format!("{path}: {error}"))?;
    let block = vec![0x5a; MIB as usize];
    for written in 0..size {
        if let Err(error) = file.write_all(&block) {
            return Ok(Outcome::Blocked(format!(
                "{} after {written}",
                errno::name(&error)
            )));
        }
    }
    Ok(Outcome::Escaped(format!("{size} MiB")))
}

/// Makes that many empty files in a directory.
fn litter(args: &[String]) -> Result<Outcome, String> {
    let (directory, files) = (word(args, 0, "directory")?, number(args, 1, "number of files")?);
    for made in 0..files {
        if let Err(error) = File::create(Path::new(directory).join(made.to_string())) {
            return Ok(Outcome::Blocked(format!("{} after {made}", errno::name(&error))));
        }
    }
    Ok(Outcome::Escaped(format!("{files} files")))
}

/// Makes a file of that many MiB which is all hole.
fn grow(args: &[String]) -> Result<Outcome, String> {
    let (path, size) = (word(args, 0, "path")?, number(args, 1, "size in MiB")?);
    let file = File::create(path).map_err(|error| format!("{path}: {error}"))?;
    ignore(libc::SIGXFSZ)?;
    Ok(Outcome::of(file.set_len(size * MIB), |()| format!("{size} MiB")))
}

/// Writes without end. With a word, nobody's asking ends it.
fn shout(args: &[String]) -> Result<Outcome, String> {
    if !args.is_empty() {
        ignore(libc::SIGTERM)?;
    }
    ignore(libc::SIGPIPE)?;
    let line = b"and another thing\n".repeat(1000);
    loop {
        // A reader who is gone is no reason to stop.
        let _ = io::stdout().write_all(&line);
    }
}

fn ignore(signal: i32) -> Result<(), String> {
    // SAFETY: sets an action that is no function.
    let before = unsafe { libc::signal(signal, libc::SIG_IGN) };
    if before == libc::SIG_ERR {
        Err(io::Error::last_os_error().to_string())
    } else {
        Ok(())
    }
}

fn number(args: &[String], index: usize, what: &str) -> Result<u64, String> {
    word(args, index, what)?
        .parse()
        .map_err(|_| format!("the {what} is no number"))
}
