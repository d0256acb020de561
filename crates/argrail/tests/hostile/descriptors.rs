//! Descriptors, variables and terminals: 29 to 36 of the suite.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::os::fd::FromRawFd;

use crate::outcome::{Attack, Outcome, check, word};

/// The attacks of this file.
pub(crate) const ATTACKS: &[Attack] = &[
    Attack {
        name: "read-descriptor",
        act: read_descriptor,
    },
    Attack {
        name: "enter-descriptor",
        act: enter_descriptor,
    },
    Attack {
        name: "list-descriptors",
        act: list_descriptors,
    },
    Attack {
        name: "variable",
        act: variable,
    },
    Attack {
        name: "find-in-environment",
        act: find_in_environment,
    },
    Attack {
        name: "forge-input",
        act: forge_input,
    },
    Attack {
        name: "terminal-size",
        act: terminal_size,
    },
    Attack {
        name: "foreign-terminals",
        act: foreign_terminals,
    },
    Attack {
        name: "own-terminal",
        act: own_terminal,
    },
    Attack {
        name: "steer-terminal",
        act: steer_terminal,
    },
];

/// `read-descriptor NUMBER`
fn read_descriptor(args: &[String]) -> Result<Outcome, String> {
    let number: i32 = word(args, 0, "number")?.parse().map_err(|_| "no number")?;
    // SAFETY: asks about a number; nothing is read or written.
    if let Err(error) = check(unsafe { libc::fcntl(number, libc::F_GETFD) }) {
        return Ok(Outcome::Blocked(crate::errno::name(&error)));
    }
    // SAFETY: the descriptor is open, and nothing else in this program knows of it.
    let mut file = unsafe { File::from_raw_fd(number) };
    let mut text = String::new();
    Ok(Outcome::of(file.read_to_string(&mut text), |_| text))
}

/// `enter-descriptor NUMBER FILE`: reads a file below a directory that is open.
fn enter_descriptor(args: &[String]) -> Result<Outcome, String> {
    let number: i32 = word(args, 0, "number")?.parse().map_err(|_| "no number")?;
    let file = word(args, 1, "file")?;
    let magic = fs::read_to_string(format!("/proc/self/fd/{number}/{file}"));
    // SAFETY: numbers only.
    let entered = check(unsafe { libc::fchdir(number) }).and_then(|_| fs::read_to_string(file));
    Ok(Outcome::any([
        ("fchdir", Outcome::of(entered, |text| text)),
        ("/proc/self/fd", Outcome::of(magic, |text| text)),
    ]))
}

/// `list-descriptors`: whether any is open but the three streams.
fn list_descriptors(_: &[String]) -> Result<Outcome, String> {
    let mut more = Vec::new();
    for number in 3..4096 {
        // SAFETY: asks about a number; nothing is read or written.
        if check(unsafe { libc::fcntl(number, libc::F_GETFD) }).is_ok() {
            more.push(number);
        }
    }
    Ok(match more.is_empty() {
        true => Outcome::Blocked("0, 1 and 2 only".to_owned()),
        false => Outcome::Escaped(format!("{more:?}")),
    })
}

/// `variable NAME`
fn variable(args: &[String]) -> Result<Outcome, String> {
    let name = word(args, 0, "name")?;
    Ok(match std::env::var(name) {
        Ok(value) => Outcome::Escaped(value),
        Err(error) => Outcome::Blocked(error.to_string()),
    })
}

/// `find-in-environment TEXT`: in any variable, as it is now and as it was at the start.
fn find_in_environment(args: &[String]) -> Result<Outcome, String> {
    let wanted = word(args, 0, "text")?;
    let first = fs::read("/proc/self/environ").map_err(|error| error.to_string())?;
    let mut all: Vec<String> = std::env::vars()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    all.extend(
        first
            .split(|byte| *byte == 0)
            .map(|entry| String::from_utf8_lossy(entry).into_owned()),
    );
    Ok(match all.iter().find(|entry| entry.contains(wanted)) {
        Some(entry) => Outcome::Escaped(entry.clone()),
        None => Outcome::Blocked(format!("not in {} variables", all.len())),
    })
}

/// `forge-input`: requests that type for somebody else. A kernel looks at the lower half of the number only.
fn forge_input(_: &[String]) -> Result<Outcome, String> {
    const HIGH: u64 = 0xdead_beef_0000_0000;
    // SAFETY: asks about a descriptor.
    if unsafe { libc::isatty(0) } == 0 {
        return Err("standard input is no terminal".to_owned());
    }
    let requests = [
        ("TIOCSTI", libc::TIOCSTI),
        ("TIOCLINUX", libc::TIOCLINUX),
        ("TIOCCONS", libc::TIOCCONS),
    ];
    let mut ways = Vec::new();
    for (name, request) in requests {
        for (which, number) in [("plain", request), ("high", request | HIGH)] {
            // The first byte is what is typed, and a harmless question to the console.
            let byte = [12u8, 0, 0, 0];
            // SAFETY: the bytes live until the call returns.
            let done = check(unsafe { libc::syscall(libc::SYS_ioctl, 0, number, byte.as_ptr()) });
            ways.push((format!("{name} {which}"), Outcome::of_refusal(done)));
        }
    }
    Ok(Outcome::any(ways))
}

/// `terminal-size`: a request that is nobody's harm.
fn terminal_size(_: &[String]) -> Result<Outcome, String> {
    let mut size = libc::winsize {
        ws_row: 0,
        ws_col: 0,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    // SAFETY: the record is what the request fills, and lives until the call returns.
    let asked = check(unsafe { libc::ioctl(0, libc::TIOCGWINSZ, &raw mut size) });
    Ok(Outcome::of(asked, |_| {
        format!("{} by {}", size.ws_row, size.ws_col)
    }))
}

/// `foreign-terminals`: any terminal but this process's own.
fn foreign_terminals(_: &[String]) -> Result<Outcome, String> {
    let own = fs::read_link("/proc/self/fd/0").unwrap_or_default();
    let entries = fs::read_dir("/dev/pts").map_err(|error| error.to_string())?;
    let listed = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| !path.ends_with("ptmx") && *path != own);
    let mut ways: Vec<(String, Outcome)> = listed
        .map(|path| {
            (
                path.display().to_string(),
                Outcome::Escaped("is there".to_owned()),
            )
        })
        .collect();
    let guessed = (0..64).map(|number| format!("/dev/pts/{number}"));
    let known = [
        "/dev/console",
        "/dev/tty0",
        "/dev/tty1",
        "/dev/vcs",
        "/dev/vcsa1",
        "/dev/ttyS0",
    ];
    for path in guessed
        .chain(known.map(str::to_owned))
        .filter(|path| own != std::path::Path::new(path))
    {
        let opened = OpenOptions::new().read(true).write(true).open(&path);
        ways.push((path, Outcome::of(opened, |_| "opened".to_owned())));
    }
    Ok(Outcome::any(ways))
}

/// `own-terminal`: the terminal of this session.
fn own_terminal(_: &[String]) -> Result<Outcome, String> {
    let opened = OpenOptions::new()
        .read(true)
        .write(true)
        .open("/proc/self/fd/0")
        .and_then(|mut file| {
            // SAFETY: asks about a descriptor.
            let terminal = unsafe { libc::isatty(0) } == 1;
            if terminal {
                file.write_all(b"")
            } else {
                Err(std::io::Error::from_raw_os_error(libc::ENOTTY))
            }
        });
    Ok(Outcome::of(opened, |()| "opened".to_owned()))
}

/// `steer-terminal`: a title, a cleared screen, colours, a clipboard, a line written over, text that runs backwards.
fn steer_terminal(_: &[String]) -> Result<Outcome, String> {
    let steering = "\x1b]0;owned\x07\x1b]52;c;b3duZWQ=\x07\x1b[2J\x1b[31mred\u{9b}1m\x1bP+q\x1b\\\u{202e}drow\x08\x08\rover";
    let errors = writeln!(std::io::stderr(), "{steering} errors-end");
    errors.map_err(|error| error.to_string())?;
    Ok(Outcome::Blocked(format!("{steering} words-end")))
}
