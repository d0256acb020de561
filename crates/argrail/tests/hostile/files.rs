//! Files: 1 to 15 of the suite, but for mounts.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt, symlink};
use std::path::Path;

use crate::outcome::{Attack, Outcome, check, text, word};

/// The attacks of this file.
pub(crate) const ATTACKS: &[Attack] = &[
    Attack {
        name: "read",
        act: read,
    },
    Attack {
        name: "list",
        act: list,
    },
    Attack {
        name: "read-through-link",
        act: read_through_link,
    },
    Attack {
        name: "read-by-proc",
        act: read_by_proc,
    },
    Attack {
        name: "rename",
        act: rename,
    },
    Attack {
        name: "rename-and-read",
        act: rename_and_read,
    },
    Attack {
        name: "exchange",
        act: exchange,
    },
    Attack {
        name: "write",
        act: write,
    },
    Attack {
        name: "change-file",
        act: change_file,
    },
    Attack {
        name: "change-directory",
        act: change_directory,
    },
    Attack {
        name: "truncate",
        act: truncate,
    },
    Attack {
        name: "make-device",
        act: make_device,
    },
    Attack {
        name: "make-pipe",
        act: make_pipe,
    },
    Attack {
        name: "hard-link",
        act: hard_link,
    },
    Attack {
        name: "handle-of",
        act: handle_of,
    },
    Attack {
        name: "open-by-handle",
        act: open_by_handle,
    },
    Attack {
        name: "plant",
        act: plant,
    },
    Attack {
        name: "plant-beside",
        act: plant_beside,
    },
    Attack {
        name: "link-to",
        act: link_to,
    },
    Attack {
        name: "replace-link",
        act: replace_link,
    },
];

/// `read PATH`
fn read(args: &[String]) -> Result<Outcome, String> {
    let path = word(args, 0, "path")?;
    Ok(Outcome::of(fs::read_to_string(path), |text| text))
}

/// `list PATH`: the names in a directory, sorted.
fn list(args: &[String]) -> Result<Outcome, String> {
    let names = fs::read_dir(word(args, 0, "path")?).map(|entries| {
        let mut names: Vec<String> = entries
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    });
    Ok(Outcome::of(names, |names| names.join(" ")))
}

/// `read-through-link PATH LINK`: makes the link, relative and absolute, and reads through it.
fn read_through_link(args: &[String]) -> Result<Outcome, String> {
    let (path, link) = (word(args, 0, "path")?, word(args, 1, "link")?);
    let up = "../".repeat(Path::new(link).components().count());
    let relative = format!("{up}{}", path.trim_start_matches('/'));
    let mut ways = Vec::new();
    for (way, to) in [("absolute", path), ("relative", relative.as_str())] {
        symlink(to, link).map_err(|error| format!("no link could be made: {error}"))?;
        ways.push((way, Outcome::of(fs::read_to_string(link), |text| text)));
        fs::remove_file(link).map_err(|error| error.to_string())?;
    }
    Ok(Outcome::any(ways))
}

/// `read-by-proc PATH`: an absolute path, by every link of the kernel's that leads to a root or a directory.
fn read_by_proc(args: &[String]) -> Result<Outcome, String> {
    let path = word(args, 0, "path")?;
    let here = std::env::current_dir().map_err(|error| error.to_string())?;
    let up = "../".repeat(here.components().count());
    let relative = format!("{up}{}", path.trim_start_matches('/'));
    let ways = [
        format!("/proc/self/root{path}"),
        format!("/proc/thread-self/root{path}"),
        format!("/proc/self/task/{}/root{path}", std::process::id()),
        format!("/proc/1/root{path}"),
        format!("/proc/self/cwd/{relative}"),
        format!("/proc/1/cwd{path}"),
        format!("/proc/1/cwd/{relative}"),
        relative,
    ];
    Ok(Outcome::any(ways.map(|way| {
        let outcome = Outcome::of(fs::read_to_string(&way), |text| text);
        (way, outcome)
    })))
}

/// `rename FROM TO`
fn rename(args: &[String]) -> Result<Outcome, String> {
    let (from, to) = (word(args, 0, "path")?, word(args, 1, "path")?);
    Ok(Outcome::of(fs::rename(from, to), |()| format!("renamed to {to}")))
}

/// `rename-and-read FROM TO FILE`: renames a directory and reads a file in it by its new name.
fn rename_and_read(args: &[String]) -> Result<Outcome, String> {
    let (from, to, file) = (
        word(args, 0, "path")?,
        word(args, 1, "path")?,
        word(args, 2, "file")?,
    );
    let result = fs::rename(from, to).and_then(|()| fs::read_to_string(Path::new(to).join(file)));
    Ok(Outcome::of(result, |text| text))
}

/// `exchange ONE OTHER`: each gets the other's name.
fn exchange(args: &[String]) -> Result<Outcome, String> {
    let (one, other) = (text(word(args, 0, "path")?)?, text(word(args, 1, "path")?)?);
    // SAFETY: both strings live until the call returns.
    let result = check(unsafe {
        libc::renameat2(
            libc::AT_FDCWD,
            one.as_ptr(),
            libc::AT_FDCWD,
            other.as_ptr(),
            libc::RENAME_EXCHANGE,
        )
    });
    Ok(Outcome::of(result, |_| "exchanged".to_owned()))
}

/// `write PATH TEXT`: makes the file if need be.
fn write(args: &[String]) -> Result<Outcome, String> {
    let (path, text) = (word(args, 0, "path")?, word(args, 1, "text")?);
    Ok(Outcome::of(fs::write(path, text), |()| format!("wrote {path}")))
}

/// `change-file PATH`: content, mode, times, attributes, by every way to write.
fn change_file(args: &[String]) -> Result<Outcome, String> {
    let path = word(args, 0, "path")?;
    let name = text(path)?;
    let put = |mut file: File| file.write_all(b"changed");
    let through_reader = File::open(path).and_then(|file| {
        let again = format!("/proc/self/fd/{}", file.as_raw_fd());
        OpenOptions::new().write(true).open(again).and_then(put)
    });
    let attribute = c"user.attack";
    // SAFETY: all strings live until the call returns, and one byte of the value is read.
    let attribute =
        check(unsafe { libc::setxattr(name.as_ptr(), attribute.as_ptr(), c"1".as_ptr().cast(), 1, 0) });
    let shared = OpenOptions::new()
        .read(true)
        .write(true)
        .open(path)
        .and_then(|file| map_and_write(&file));
    let mode = fs::metadata(path).map_or(0o600, |meta| meta.permissions().mode());
    let done = |()| "done".to_owned();
    Ok(Outcome::any([
        (
            "write",
            Outcome::of(OpenOptions::new().write(true).open(path).and_then(put), done),
        ),
        (
            "append",
            Outcome::of(OpenOptions::new().append(true).open(path).and_then(put), done),
        ),
        ("reopened", Outcome::of(through_reader, done)),
        ("mapped", Outcome::of(shared, done)),
        (
            "chmod",
            Outcome::of(fs::set_permissions(path, fs::Permissions::from_mode(mode)), done),
        ),
        ("xattr", Outcome::of(attribute.map(drop), done)),
        ("times", Outcome::of(set_times(&name), done)),
    ]))
}

fn map_and_write(file: &File) -> io::Result<()> {
    let access = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: a new mapping of an open file at no address of ours.
    let memory = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            1,
            access,
            libc::MAP_SHARED,
            file.as_raw_fd(),
            0,
        )
    };
    if memory == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the mapping is one byte long at least, and writable.
    unsafe { memory.cast::<u8>().write(b'X') };
    // SAFETY: the mapping is ours and used no more.
    check(unsafe { libc::munmap(memory, 1) }).map(drop)
}

fn set_times(name: &std::ffi::CStr) -> io::Result<()> {
    let zero = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    let times = [zero, zero];
    // SAFETY: the name and the two times live until the call returns.
    check(unsafe { libc::utimensat(libc::AT_FDCWD, name.as_ptr(), times.as_ptr(), 0) }).map(drop)
}

/// `change-directory PATH`: makes, moves and removes entries by every way. It holds a file `old` and one `older`.
fn change_directory(args: &[String]) -> Result<Outcome, String> {
    let path = Path::new(word(args, 0, "path")?);
    let unnamed = OpenOptions::new()
        .write(true)
        .custom_flags(libc::O_TMPFILE)
        .open(path);
    let done = |()| "done".to_owned();
    Ok(Outcome::any([
        ("create", Outcome::of(fs::write(path.join("new"), "new"), done)),
        ("mkdir", Outcome::of(fs::create_dir(path.join("folder")), done)),
        (
            "symlink",
            Outcome::of(symlink("/etc/passwd", path.join("link")), done),
        ),
        (
            "link",
            Outcome::of(fs::hard_link(path.join("old"), path.join("twin")), done),
        ),
        (
            "rename",
            Outcome::of(fs::rename(path.join("old"), path.join("moved")), done),
        ),
        ("unlink", Outcome::of(fs::remove_file(path.join("older")), done)),
        ("unnamed", Outcome::of(unnamed.map(drop), done)),
    ]))
}

/// `truncate PATH`: by every way to make a file shorter, also those that need no descriptor to write.
fn truncate(args: &[String]) -> Result<Outcome, String> {
    let path = word(args, 0, "path")?;
    let name = text(path)?;
    // SAFETY: the name lives until the call returns.
    let by_name = check(unsafe { libc::truncate(name.as_ptr(), 0) });
    // SAFETY: as above. The kernel truncates on opening, although only reading is asked for.
    let reading = check(unsafe { libc::open(name.as_ptr(), libc::O_RDONLY | libc::O_TRUNC) });
    let cut = |_| "done".to_owned();
    Ok(Outcome::any([
        ("truncate", Outcome::of(by_name, cut)),
        ("open to read", Outcome::of(reading, cut)),
        (
            "open to write",
            Outcome::of(File::create(path), |_| "done".to_owned()),
        ),
    ]))
}

/// `make-device PATH`: a memory device, a disk, by both calls.
fn make_device(args: &[String]) -> Result<Outcome, String> {
    let path = word(args, 0, "path")?;
    let name = text(path)?;
    let kinds = [
        ("null", libc::S_IFCHR, libc::makedev(1, 3)),
        ("mem", libc::S_IFCHR, libc::makedev(1, 1)),
        ("disk", libc::S_IFBLK, libc::makedev(8, 0)),
        // What overlay file systems take for "deleted"; anybody may make one, so the filter has to say no.
        ("whiteout", libc::S_IFCHR, 0),
    ];
    let mut ways = Vec::new();
    for (what, kind, number) in kinds {
        // SAFETY: the name lives until the call returns.
        let one = check(unsafe { libc::mknod(name.as_ptr(), kind | 0o600, number) });
        ways.push((format!("mknod {what}"), Outcome::of(one, |_| "made".to_owned())));
        // SAFETY: as above.
        let other = check(unsafe { libc::mknodat(libc::AT_FDCWD, name.as_ptr(), kind | 0o600, number) });
        ways.push((
            format!("mknodat {what}"),
            Outcome::of(other, |_| "made".to_owned()),
        ));
    }
    Ok(Outcome::any(ways))
}

/// `make-pipe PATH`: a pipe with a name, which is no device.
fn make_pipe(args: &[String]) -> Result<Outcome, String> {
    let name = text(word(args, 0, "path")?)?;
    // SAFETY: the name lives until the call returns.
    let made = check(unsafe { libc::mknod(name.as_ptr(), libc::S_IFIFO | 0o600, 0) });
    Ok(Outcome::of(made, |_| "made".to_owned()))
}

/// `hard-link FROM TO`: a second name, and what is read by it.
fn hard_link(args: &[String]) -> Result<Outcome, String> {
    let (from, to) = (word(args, 0, "path")?, word(args, 1, "path")?);
    Ok(Outcome::of(
        fs::hard_link(from, to).and_then(|()| fs::read_to_string(to)),
        |text| text,
    ))
}

/// As the kernel has it, with room for any handle.
#[repr(C)]
struct Handle {
    length: u32,
    kind: i32,
    bytes: [u8; 128],
}

/// `handle-of PATH`: the number by which the kernel finds a file without its path.
fn handle_of(args: &[String]) -> Result<Outcome, String> {
    let name = text(word(args, 0, "path")?)?;
    let mut handle = Handle {
        length: 128,
        kind: 0,
        bytes: [0; 128],
    };
    let mut mount = 0i32;
    // SAFETY: the structure says how much room it has, and lives until the call returns.
    let result = check(unsafe {
        libc::syscall(
            libc::SYS_name_to_handle_at,
            libc::AT_FDCWD,
            name.as_ptr(),
            &raw mut handle,
            &raw mut mount,
            0,
        )
    });
    Ok(Outcome::of(result, |_| {
        let used = handle.bytes.iter().take(handle.length as usize);
        let hex: String = used.map(|byte| format!("{byte:02x}")).collect();
        format!("{}:{hex}", handle.kind)
    }))
}

/// `open-by-handle PATH HANDLE`: reads the file of a handle, wherever it lies in the file system of `PATH`.
fn open_by_handle(args: &[String]) -> Result<Outcome, String> {
    let place = File::open(word(args, 0, "path")?).map_err(|error| format!("the granted place: {error}"))?;
    let (kind, hex) = word(args, 1, "handle")?
        .split_once(':')
        .ok_or("a handle is KIND:HEX")?;
    let mut handle = Handle {
        length: 0,
        kind: kind.parse().map_err(|_| "no kind")?,
        bytes: [0; 128],
    };
    let digits = hex
        .as_bytes()
        .chunks(2)
        .map(|pair| std::str::from_utf8(pair).unwrap_or_default());
    for (to, pair) in handle.bytes.iter_mut().zip(digits) {
        *to = u8::from_str_radix(pair, 16).map_err(|error| error.to_string())?;
        handle.length += 1;
    }
    // SAFETY: the structure says how long its handle is, and lives until the call returns.
    let opened = check(unsafe {
        libc::syscall(
            libc::SYS_open_by_handle_at,
            place.as_raw_fd(),
            &raw const handle,
            libc::O_RDONLY,
        )
    });
    let read = opened.and_then(|number| {
        let mut text = String::new();
        File::open(format!("/proc/self/fd/{number}"))?.read_to_string(&mut text)?;
        Ok(text)
    });
    Ok(Outcome::of(read, |text| text))
}

/// `plant PATH`: writes a program at a path, with the directories it needs.
fn plant(args: &[String]) -> Result<Outcome, String> {
    let path = Path::new(word(args, 0, "path")?);
    Ok(Outcome::of(plant_at(path), |()| "planted".to_owned()))
}

fn plant_at(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    fs::write(path, "#!/bin/sh\necho owned\n")?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

/// `plant-beside DIRECTORY ASIDE PATH`: moves a directory away, makes it anew, and plants a program in it.
fn plant_beside(args: &[String]) -> Result<Outcome, String> {
    let (directory, aside) = (word(args, 0, "directory")?, word(args, 1, "path")?);
    let path = Path::new(word(args, 2, "path")?);
    let result = fs::rename(directory, aside).and_then(|()| plant_at(path));
    Ok(Outcome::of(result, |()| "planted".to_owned()))
}

/// `link-to PATH LINK`: makes a symlink.
fn link_to(args: &[String]) -> Result<Outcome, String> {
    let (path, link) = (word(args, 0, "path")?, word(args, 1, "link")?);
    Ok(Outcome::of(symlink(path, link), |()| "linked".to_owned()))
}

/// `replace-link LINK TEXT`: a file in the place of a link.
fn replace_link(args: &[String]) -> Result<Outcome, String> {
    let (link, text) = (word(args, 0, "link")?, word(args, 1, "text")?);
    let result = fs::remove_file(link).and_then(|()| fs::write(link, text));
    Ok(Outcome::of(result, |()| "replaced".to_owned()))
}
