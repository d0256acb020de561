//! Reading what is secret, writing what is somebody else's.

use std::ffi::CString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, fcntl_lock, flock};

use super::super::attempt::{ActResults, AttemptPolicy, EscapeAttempt, HostileAct, allowed, read_secret};
use super::super::facts::GroundFacts;
use crate::sys::hostile;

pub(super) const ATTEMPTS: &[EscapeAttempt] = &[
    EscapeAttempt {
        name: "read-key-outside",
        attempted: "read a private key that no grant names",
        setting: AttemptPolicy::Files,
        run: |facts| {
            readable(facts)?;
            Ok(vec![
                HostileAct::new("read the key", read_secret(facts.key(), &facts.secret)),
                HostileAct::new("list its directory", list(&facts.home().join(".ssh"))),
            ])
        },
    },
    EscapeAttempt {
        name: "read-denied-key",
        attempted: "read a private key that is denied inside a granted directory",
        setting: AttemptPolicy::Denied,
        run: |facts| {
            readable(facts)?;
            let away = facts.out().join("moved");
            Ok(vec![
                HostileAct::new("read the key", read_secret(facts.denied_key(), &facts.secret)),
                HostileAct::new(
                    "move its directory",
                    fs::rename(facts.work().join("secret"), away),
                ),
            ])
        },
    },
    EscapeAttempt {
        name: "read-through-symlink",
        attempted: "read a private key through a symlink in a granted directory",
        setting: AttemptPolicy::Files,
        run: |facts| {
            readable(facts)?;
            let own = facts.out().join("link");
            let made = std::os::unix::fs::symlink(facts.key(), &own);
            allowed("make a symlink in the writable directory", made)?;
            Ok(vec![
                HostileAct::new(
                    "read through the host's symlink",
                    read_secret(facts.link(), &facts.secret),
                ),
                HostileAct::new("read through an own symlink", read_secret(own, &facts.secret)),
            ])
        },
    },
    EscapeAttempt {
        name: "read-through-proc",
        attempted: "read a private key through the roots and directories that /proc shows",
        setting: AttemptPolicy::Files,
        run: through_proc,
    },
    EscapeAttempt {
        name: "read-through-hard-link",
        attempted: "read a private key through a second name for it",
        setting: AttemptPolicy::Files,
        run: |facts| {
            let own = facts.out().join("twin");
            let linked = fs::hard_link(facts.key(), &own).and_then(|()| read_secret(own, &facts.secret));
            Ok(vec![HostileAct::new("link the key", linked)])
        },
    },
    EscapeAttempt {
        name: "write-outside",
        attempted: "write where no grant is",
        setting: AttemptPolicy::Files,
        run: |facts| {
            writable(facts)?;
            let outside = facts.outside();
            let from = facts.out().join("from");
            allowed("write the writable directory", fs::write(&from, "changed"))?;
            Ok(vec![
                HostileAct::new("make a file", fs::write(outside.join("new"), "made")),
                HostileAct::new("change a file", append(&facts.file())),
                HostileAct::new("let everybody write it", make_writable(&facts.file())),
                HostileAct::new("move a file there", fs::rename(from, facts.file())),
            ])
        },
    },
    EscapeAttempt {
        name: "write-read-grant",
        attempted: "change what may only be read",
        setting: AttemptPolicy::Files,
        run: |facts| {
            readable(facts)?;
            let readme = facts.readme();
            Ok(vec![
                HostileAct::new("make a file", fs::write(facts.work().join("new"), "made")),
                HostileAct::new("append", append(&readme)),
                HostileAct::new(
                    "truncate",
                    OpenOptions::new().write(true).truncate(true).open(&readme),
                ),
                HostileAct::new("make it writable", make_writable(&readme)),
                HostileAct::new("remove it", fs::remove_file(&readme)),
                HostileAct::new("move it away", fs::rename(&readme, facts.out().join("taken"))),
            ])
        },
    },
    EscapeAttempt {
        name: "change-start-up-file",
        attempted: "change a shell's start-up file in a home that may be written",
        setting: AttemptPolicy::Home,
        run: |facts| {
            let notes = facts.home().join("notes");
            allowed("write another file of the home", fs::write(&notes, "changed"))?;
            let start_up = facts.start_up();
            Ok(vec![
                HostileAct::new("append", append(&start_up)),
                HostileAct::new("remove it", fs::remove_file(&start_up)),
                HostileAct::new("put another in its place", fs::rename(&notes, &start_up)),
            ])
        },
    },
    EscapeAttempt {
        name: "plant-start-up-file",
        attempted: "leave a new start-up file in a home that may be written",
        setting: AttemptPolicy::Home,
        run: |facts| {
            allowed(
                "write another file of the home",
                fs::write(facts.home().join("notes"), "x"),
            )?;
            Ok(vec![HostileAct::told(
                "make it",
                fs::write(facts.absent_start_up(), "touch /tmp/pwned"),
            )])
        },
    },
    EscapeAttempt {
        name: "plant-git-hook",
        attempted: "leave a git hook in a workspace that may be written",
        setting: AttemptPolicy::Home,
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
                HostileAct::new("make it", fs::write(facts.hook(), "#!/bin/sh")),
                HostileAct::new("make another .git", instead()),
            ])
        },
    },
    EscapeAttempt {
        name: "write-host-tmp",
        attempted: "leave a file in the host's /tmp",
        setting: AttemptPolicy::Files,
        run: |facts| {
            Ok(vec![HostileAct::told(
                "write /tmp",
                fs::write(facts.temporary(), "made"),
            )])
        },
    },
    EscapeAttempt {
        name: "make-device",
        attempted: "make a device file for memory or a disk",
        setting: AttemptPolicy::Files,
        run: |facts| {
            writable(facts)?;
            Ok(vec![
                HostileAct::new(
                    "make /dev/mem",
                    make_device(&facts.out().join("mem"), rustix::fs::makedev(1, 1)),
                ),
                HostileAct::new(
                    "make a disk",
                    make_device(&facts.out().join("disk"), rustix::fs::makedev(8, 0)),
                ),
            ])
        },
    },
    EscapeAttempt {
        name: "open-by-handle",
        attempted: "open a file by its number, past every directory",
        setting: AttemptPolicy::Files,
        run: |facts| {
            readable(facts)?;
            let path = name(&facts.readme());
            Ok(vec![HostileAct::new("open it", hostile::open_by_handle(&path))])
        },
    },
    EscapeAttempt {
        name: "write-core-pattern",
        attempted: "make the kernel run a program as root, by /proc/sys/kernel/core_pattern",
        setting: AttemptPolicy::Files,
        run: |_| {
            Ok(vec![HostileAct::new(
                "open it for writing",
                open_to_write("/proc/sys/kernel/core_pattern"),
            )])
        },
    },
    EscapeAttempt {
        name: "write-sysrq-trigger",
        attempted: "steer the machine by /proc/sysrq-trigger",
        setting: AttemptPolicy::Files,
        run: |_| {
            Ok(vec![HostileAct::new(
                "open it for writing",
                open_to_write("/proc/sysrq-trigger"),
            )])
        },
    },
    EscapeAttempt {
        name: "stall-writers",
        attempted: "halt whoever writes a file, by a lease on it",
        setting: AttemptPolicy::Files,
        run: stall_writers,
    },
    EscapeAttempt {
        name: "follow-writers",
        attempted: "be told by a signal what others do in a directory",
        setting: AttemptPolicy::Files,
        run: |facts| {
            let directory = allowed("open a directory", File::open(facts.work()))?;
            Ok(vec![HostileAct::new(
                "F_NOTIFY",
                hostile::note_changes(directory),
            )])
        },
    },
];

fn readable(facts: &GroundFacts) -> Result<(), String> {
    allowed("read the granted file", fs::read(facts.readme())).map(drop)
}

fn writable(facts: &GroundFacts) -> Result<(), String> {
    allowed(
        "write the writable directory",
        fs::write(facts.out().join("ok"), "ok"),
    )
}

fn through_proc(facts: &GroundFacts) -> ActResults {
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
        .map(|way: PathBuf| HostileAct::new(way_of(&way), read_secret(&way, &facts.secret)))
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

fn stall_writers(facts: &GroundFacts) -> ActResults {
    let file = allowed("open a file", File::open(facts.readme()))?;
    // Databases and package managers cannot do without.
    allowed("lock it as a whole", lock_whole(&file))?;
    allowed("lock a part of it", lock_part(facts))?;
    Ok(vec![
        HostileAct::new("F_SETLEASE", hostile::take_lease(&file)),
        HostileAct::new("F_SETDELEG", hostile::take_delegation(&file)),
    ])
}

fn lock_whole(file: &File) -> io::Result<()> {
    flock(file, FlockOperation::LockShared)?;
    Ok(flock(file, FlockOperation::Unlock)?)
}

fn lock_part(facts: &GroundFacts) -> io::Result<()> {
    // Locks of this kind go with any descriptor of the file that is closed.
    let file = File::open(facts.readme())?;
    Ok(fcntl_lock(file, FlockOperation::LockShared)?)
}
