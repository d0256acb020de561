//! Files by their real paths, reached without following a link: what was checked is what is opened.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::path::{Component, Path};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{
    AtFlags, FileType, Gid, Mode, OFlags, Uid, fchmod, fchown, fstat, fsync, mkdirat, openat, renameat,
    statat, unlinkat,
};
use rustix::io::Errno;

/// Names that are tried for a file that is being written.
const ATTEMPTS: u64 = 100;

/// Makes names differ within this process.
static COUNTER: AtomicU64 = AtomicU64::new(0);

/// Whether directories that are missing are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Missing {
    Made,
    Told,
}

/// Reads a regular file of at most so many bytes; nothing if there is none.
///
/// # Errors
/// When it is no such file, is longer, or the system refuses.
pub(super) fn read(real: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let (directory, name) = match beside(real, Missing::Told) {
        Ok(found) => found,
        Err(Errno::NOENT) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    // A pipe that nobody writes to is not waited for.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let file = match openat(&directory, name, flags, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(Errno::NOENT) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    match u64::try_from(bytes.len()).is_ok_and(|length| length <= most) {
        true => Ok(Some(bytes)),
        false => Err(io::Error::other(format!("it is longer than {most} bytes"))),
    }
}

/// Puts a file with these bytes in the place of what is there, whole or not at all. Mode and owner stay.
///
/// # Errors
/// When the system refuses, or something is there that is no regular file; that is then untouched.
pub(super) fn write(real: &Path, bytes: &[u8]) -> io::Result<()> {
    let (directory, name) = beside(real, Missing::Made)?;
    let before = match statat(&directory, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile => Some(stat),
        Ok(_) => return Err(io::Error::other("it is no regular file")),
        Err(Errno::NOENT) => None,
        Err(error) => return Err(error.into()),
    };
    // Never readable by more than what it replaces, not even while it is written.
    let mode = match before {
        Some(_) => Mode::from_raw_mode(0o600),
        None => Mode::from_raw_mode(0o666),
    };
    let (file, temporary) = create(&directory, mode)?;
    let written = (|| {
        let mut file = File::from(file);
        file.write_all(bytes)?;
        if let Some(before) = &before {
            let made = fstat(&file)?;
            if (made.st_uid, made.st_gid) != (before.st_uid, before.st_gid) {
                let (owner, group) = (Uid::from_raw(before.st_uid), Gid::from_raw(before.st_gid));
                fchown(&file, Some(owner), Some(group))?;
            }
            // Bits that lend somebody's rights are for whoever sets them.
            fchmod(&file, Mode::from_raw_mode(before.st_mode & 0o777))?;
        }
        fsync(&file)?;
        renameat(&directory, &temporary, &directory, name)?;
        Ok(())
    })();
    if written.is_err() {
        // Nothing is left of what did not work.
        let _ = unlinkat(&directory, &temporary, AtFlags::empty());
    }
    written
}

/// A new file that only we know, beside the one that it will replace.
fn create(directory: &OwnedFd, mode: Mode) -> io::Result<(OwnedFd, String)> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    for _ in 0..ATTEMPTS {
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let name = format!(".{}-{number}.argrail-tmp", std::process::id());
        match openat(directory, &name, flags, mode) {
            Ok(file) => return Ok((file, name)),
            Err(Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Opens the directory that a path is in, step by step.
fn beside(real: &Path, missing: Missing) -> Result<(OwnedFd, &OsStr), Errno> {
    let (parent, name) = real.parent().zip(real.file_name()).ok_or(Errno::INVAL)?;
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut at = openat(rustix::fs::CWD, "/", flags, Mode::empty())?;
    for part in parent.components() {
        let part = match part {
            Component::RootDir => continue,
            Component::Normal(part) => part,
            Component::Prefix(_) | Component::CurDir | Component::ParentDir => return Err(Errno::INVAL),
        };
        at = match (openat(&at, part, flags, Mode::empty()), missing) {
            (Err(Errno::NOENT), Missing::Made) => {
                match mkdirat(&at, part, Mode::from_raw_mode(0o777)) {
                    Ok(()) | Err(Errno::EXIST) => {}
                    Err(error) => return Err(error),
                }
                openat(&at, part, flags, Mode::empty())?
            }
            (opened, Missing::Made | Missing::Told) => opened?,
        };
    }
    Ok((at, name))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use argrail_testkit::Home;

    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_keeps_its_mode() {
        let home = Home::new().file("a", "old");
        let work = home.work();
        fs::set_permissions(work.join("a"), fs::Permissions::from_mode(0o4751)).unwrap();
        write(&work.join("a"), b"new").unwrap();
        let meta = fs::metadata(work.join("a")).unwrap();
        assert_eq!(
            (fs::read(work.join("a")).unwrap().as_slice(), meta.mode() & 0o7777),
            (&b"new"[..], 0o751)
        );
        write(&work.join("b/c/d"), b"x").unwrap();
        assert_eq!(read(&work.join("b/c/d"), 1).unwrap(), Some(b"x".to_vec()));
        assert_eq!(fs::read_dir(&work).unwrap().count(), 2, "nothing is left behind");
    }

    #[test]
    fn no_link_is_followed_whoever_put_it_there() {
        let home = Home::new().file("in/a", "in");
        let (work, outside) = (home.work(), home.root().join("outside"));
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("a"), "out").unwrap();
        symlink(&outside, work.join("way")).unwrap();
        symlink(outside.join("a"), work.join("link")).unwrap();
        assert!(read(&work.join("way/a"), 9).is_err());
        assert!(read(&work.join("link"), 9).is_err());
        assert!(write(&work.join("way/a"), b"x").is_err());
        assert!(write(&work.join("way/new"), b"x").is_err());
        assert!(write(&work.join("link"), b"x").is_err());
        assert_eq!(fs::read(outside.join("a")).unwrap(), b"out");
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
    }

    #[test]
    fn only_files_and_only_so_much_is_read() {
        let home = Home::new().file("a", "12345");
        let work = home.work();
        rustix::fs::mkfifoat(rustix::fs::CWD, work.join("pipe"), Mode::from_raw_mode(0o666)).unwrap();
        assert!(read(&work.join("a"), 4).is_err());
        assert!(read(&work.join("pipe"), 4).is_err());
        assert!(write(&work.join("pipe"), b"x").is_err());
        assert!(read(&work, 4).is_err());
        assert_eq!(read(&work.join("none"), 4).unwrap(), None);
        assert_eq!(read(&work.join("none/none"), 4).unwrap(), None);
    }
}
