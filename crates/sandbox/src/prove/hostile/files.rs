//! Reading what is secret, writing what is somebody else's.

use std::ffi::CString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::super::attempt::{Act, Acts, Attempt, Setting, allowed};
use super::super::facts::Facts;
use super::theft::read_secret;
use crate::sys::hostile;

pub(super) const ATTEMPTS: &[Attempt] = &[
    Attempt {
        name: "read-key-outside",
        attempted: "read a private key that no grant names",
        setting: Setting::Files,
        run: |facts| {
            readable(facts)?;
            Ok(vec![
                Act::new("read the key", read_secret(facts.key(), &facts.secret)),
                Act::new("list its directory", list(&facts.home().join(".ssh"))),
            ])
        },
    },
    Attempt {
        name: "read-denied-key",
        attempted: "read a private key that is denied inside a granted directory",
        setting: Setting::Denied,
        run: |facts| {
            readable(facts)?;
            let away = facts.out().join("moved");
            Ok(vec![
                Act::new("read the key", read_secret(facts.denied_key(), &facts.secret)),
                Act::new(
                    "move its directory",
                    fs::rename(facts.work().join("secret"), away),
                ),
            ])
        },
    },
    Attempt {
        name: "read-through-symlink",
        attempted: "read a private key through a symlink in a granted directory",
        setting: Setting::Files,
        run: |facts| {
            readable(facts)?;
            let own = facts.out().join("link");
            let made = std::os::unix::fs::symlink(facts.key(), &own);
            allowed("make a symlink in the writable directory", made)?;
            Ok(vec![
                Act::new(
                    "read through the host's symlink",
                    read_secret(facts.link(), &facts.secret),
                ),
                Act::new("read through an own symlink", read_secret(own, &facts.secret)),
            ])
        },
    },
    Attempt {
        name: "read-through-proc",
        attempted: "read a private key through the roots and directories that /proc shows",
        setting: Setting::Files,
        run: through_proc,
    },
    Attempt {
        name: "read-through-hard-link",
        attempted: "read a private key through a second name for it",
        setting: Setting::Files,
        run: |facts| {
            let own = facts.out().join("twin");
            let linked = fs::hard_link(facts.key(), &own).and_then(|()| read_secret(own, &facts.secret));
            Ok(vec![Act::new("link the key", linked)])
        },
    },
    Attempt {
        name: "write-outside",
        attempted: "write where no grant is",
        setting: Setting::Files,
        run: |facts| {
            writable(facts)?;
            let outside = facts.outside();
            let from = facts.out().join("from");
            allowed("write the writable directory", fs::write(&from, "changed"))?;
            Ok(vec![
                Act::new("make a file", fs::write(outside.join("new"), "made")),
                Act::new("change a file", append(&facts.file())),
                Act::new("let everybody write it", make_writable(&facts.file())),
                Act::new("move a file there", fs::rename(from, facts.file())),
            ])
        },
    },
    Attempt {
        name: "write-read-grant",
        attempted: "change what may only be read",
        setting: Setting::Files,
        run: |facts| {
            readable(facts)?;
            let readme = facts.readme();
            Ok(vec![
                Act::new("make a file", fs::write(facts.work().join("new"), "made")),
                Act::new("append", append(&readme)),
                Act::new(
                    "truncate",
                    OpenOptions::new().write(true).truncate(true).open(&readme),
                ),
                Act::new("make it writable", make_writable(&readme)),
                Act::new("remove it", fs::remove_file(&readme)),
                Act::new("move it away", fs::rename(&readme, facts.out().join("taken"))),
            ])
        },
    },
    Attempt {
        name: "change-start-up-file",
        attempted: "change a shell's start-up file in a home that may be written",
        setting: Setting::Home,
        run: |facts| {
            let notes = facts.home().join("notes");
            allowed("write another file of the home", fs::write(&notes, "changed"))?;
            let start_up = facts.start_up();
            Ok(vec![
                Act::new("append", append(&start_up)),
                Act::new("remove it", fs::remove_file(&start_up)),
                Act::new("put another in its place", fs::rename(&notes, &start_up)),
            ])
        },
    },
    Attempt {
        name: "plant-start-up-file",
        attempted: "leave a new start-up file in a home that may be written",
        setting: Setting::Home,
        run: |facts| {
            allowed(
                "write another file of the home",
                fs::write(facts.home().join("notes"), "x"),
            )?;
            Ok(vec![Act::told(
                "make it",
                fs::write(facts.absent_start_up(), "touch /tmp/pwned"),
            )])
        },
    },
    Attempt {
        name: "plant-git-hook",
        attempted: "leave a git hook in a workspace that may be written",
        setting: Setting::Home,
        run: |facts| {
            allowed(
                "write another file of the workspace",
                fs::write(facts.work().join("notes"), "x"),
            )?;
            let git = facts.work().join(".git");
            let instead = || {
                fs::rename(&git, facts.work().join("git"))?;
                fs::create_dir_all(git.join("hooks"))?;
                fs::write(facts.hook(), "#!/bin/sh")
            };
            Ok(vec![
                Act::new("make it", fs::write(facts.hook(), "#!/bin/sh")),
                Act::new("make another .git", instead()),
            ])
        },
    },
    Attempt {
        name: "write-host-tmp",
        attempted: "leave a file in the host's /tmp",
        setting: Setting::Files,
        run: |facts| {
            Ok(vec![Act::told(
                "write /tmp",
                fs::write(facts.temporary(), "made"),
            )])
        },
    },
    Attempt {
        name: "make-device",
        attempted: "make a device file for memory or a disk",
        setting: Setting::Files,
        run: |facts| {
            writable(facts)?;
            Ok(vec![
                Act::new(
                    "make /dev/mem",
                    make_device(&facts.out().join("mem"), rustix::fs::makedev(1, 1)),
                ),
                Act::new(
                    "make a disk",
                    make_device(&facts.out().join("disk"), rustix::fs::makedev(8, 0)),
                ),
            ])
        },
    },
    Attempt {
        name: "open-by-handle",
        attempted: "open a file by its number, past every directory",
        setting: Setting::Files,
        run: |facts| {
            readable(facts)?;
            let path = name(&facts.readme());
            Ok(vec![Act::new("open it", hostile::open_by_handle(&path))])
        },
    },
    Attempt {
        name: "write-core-pattern",
        attempted: "make the kernel run a program as root, by /proc/sys/kernel/core_pattern",
        setting: Setting::Files,
        run: |_| {
            Ok(vec![Act::new(
                "open it for writing",
                open_to_write("/proc/sys/kernel/core_pattern"),
            )])
        },
    },
    Attempt {
        name: "write-sysrq-trigger",
        attempted: "steer the machine by /proc/sysrq-trigger",
        setting: Setting::Files,
        run: |_| {
            Ok(vec![Act::new(
                "open it for writing",
                open_to_write("/proc/sysrq-trigger"),
            )])
        },
    },
];

fn readable(facts: &Facts) -> Result<(), String> {
    allowed("read the granted file", fs::read(facts.readme())).map(drop)
}

fn writable(facts: &Facts) -> Result<(), String> {
    allowed(
        "write the writable directory",
        fs::write(facts.out().join("ok"), "ok"),
    )
}

fn through_proc(facts: &Facts) -> Acts {
    readable(facts)?;
    let key = facts.key();
    let below = key.strip_prefix("/").unwrap_or(&key);
    let up = Path::new("..").join(key.strip_prefix(&facts.root).unwrap_or(&key));
    let processes = ["self".to_owned(), "1".to_owned(), facts.victim.to_string()];
    let ways = processes.iter().flat_map(|process| {
        let process = Path::new("/proc").join(process);
        [process.join("root").join(below), process.join("cwd").join(&up)]
    });
    Ok(ways
        .map(|way: PathBuf| Act::new(way_of(&way), read_secret(&way, &facts.secret)))
        .collect())
}

/// The part of a path that tells the ways apart.
fn way_of(path: &Path) -> String {
    path.components()
        .take(4)
        .collect::<PathBuf>()
        .display()
        .to_string()
}

fn list(directory: &Path) -> io::Result<()> {
    match fs::read_dir(directory)?.next() {
        Some(entry) => entry.map(drop),
        None => Err(io::Error::other("empty")),
    }
}

fn append(path: &Path) -> io::Result<()> {
    File::options().append(true).open(path)?.write_all(b"changed")
}

fn make_writable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o666))
}

/// Opens, and writes nothing.
fn open_to_write(path: &str) -> io::Result<File> {
    OpenOptions::new().write(true).open(path)
}

fn make_device(path: &Path, device: u64) -> io::Result<()> {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    Ok(mknodat(
        CWD,
        path,
        FileType::CharacterDevice,
        Mode::from_raw_mode(0o600),
        device,
    )?)
}

fn name(path: &Path) -> CString {
    CString::new(path.as_os_str().as_bytes()).unwrap_or_default()
}
