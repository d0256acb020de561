//! Reading one file that may be hostile: bounded, never waiting, and only as trusted as its owner and mode.
//!
//! A FIFO, a device or a socket in a file's place is refused rather than waited for. A file that decides something
//! ([`Keeper::Trusted`]) must be ours or root's and closed to everybody else's writing, and so must be the directory
//! that it lies in: whoever may write there can put another file in its place.
//!
//! Never writes.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use argrail_acli::Text;
use rustix::fs::OFlags;

/// Who may be able to write a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keeper {
    /// Anybody: what it says is taken for a stranger's word.
    Anybody,
    /// We or root, and nobody else; the same holds for its directory.
    Trusted,
}

/// What a symlink in the place of a file means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// It is followed, and the checks hold for where it leads.
    Follow,
    /// It is refused.
    Refuse,
}

/// How a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// Who may be able to write it.
    pub keeper: Keeper,
    /// What a symlink means.
    pub links: Links,
    /// The most bytes it may have.
    pub limit: u64,
}

/// What was read, and of what.
#[derive(Debug)]
pub struct Contents {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// What the system says about the file that they came from.
    pub metadata: Metadata,
}

/// Why a file was not read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The system refuses.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is a FIFO, a device, a socket, a directory, or a symlink where none is followed.
    #[error("{}: not a regular file", path.display())]
    NotRegular {
        /// The file.
        path: PathBuf,
    },
    /// It has more bytes than we read.
    #[error("{}: longer than {limit} bytes", path.display())]
    TooLong {
        /// The file.
        path: PathBuf,
        /// How many we read.
        limit: u64,
    },
    /// Somebody else could have written it.
    #[error("{}: {problem}", path.display())]
    Untrusted {
        /// The file or its directory.
        path: PathBuf,
        /// Who else.
        problem: &'static str,
    },
    /// It became another while it was read.
    #[error("{}: changed while it was read", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
}

impl FileError {
    /// Wraps what the system said about `path`.
    pub fn io(path: &Path, source: io::Error) -> Self {
        Self::Io {
            path: path.to_owned(),
            source,
        }
    }

    /// Returns the file or directory that it is about.
    pub fn path(&self) -> &Path {
        match self {
            Self::Io { path, .. }
            | Self::NotRegular { path }
            | Self::TooLong { path, .. }
            | Self::Untrusted { path, .. }
            | Self::Changed { path } => path,
        }
    }

    /// Returns what a person can do about it.
    pub fn hint(&self) -> Text {
        let path = self.path().to_string_lossy();
        match self {
            Self::Io { .. } => Text::new("Look at its permissions with: ls -ld {}").value(path),
            Self::NotRegular { .. } | Self::TooLong { .. } => {
                Text::new("Move {} away, or put a plain file there").value(path)
            }
            Self::Untrusted { .. } => Text::new("Run: chown $(id -u) {} and chmod go-w the same").value(path),
            Self::Changed { .. } => Text::new("Run the same command again once {} is written").value(path),
        }
    }
}

/// Reads a file whole; `None` when nothing has this name.
///
/// # Errors
/// When something is there and it cannot be read, trusted or held in the limit.
pub fn read(path: &Path, reading: &Reading) -> Result<Option<Contents>, FileError> {
    let Some((file, metadata)) = open(path, reading)? else {
        return Ok(None);
    };
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default());
    // One byte more than is allowed tells that there is more, whatever the size said.
    file.take(reading.limit.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|error| FileError::io(path, error))?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > reading.limit {
        return Err(too_long(path, reading.limit));
    }
    Ok(Some(Contents { bytes, metadata }))
}

/// Opens a regular file for reading, after the same checks; `None` when nothing has this name.
///
/// # Errors
/// When something is there and it cannot be opened, trusted or held in the limit.
pub fn open(path: &Path, reading: &Reading) -> Result<Option<(File, Metadata)>, FileError> {
    let fail = |error| FileError::io(path, error);
    // Asked of the name itself: a link that leads nowhere today is a file that somebody meant to be there.
    let named = match path.symlink_metadata() {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(fail(error)),
    };
    let real = match (named.is_symlink(), reading.links) {
        (false, _) => path.to_owned(),
        (true, Links::Follow) => path.canonicalize().map_err(fail)?,
        (true, Links::Refuse) => return Err(not_regular(path)),
    };
    if reading.keeper == Keeper::Trusted {
        check_directory(path)?;
        check_directory(&real)?;
    }
    let mut options = OpenOptions::new();
    // Without waiting: a FIFO in its place would hold every verb up. Nor does a link that came in meanwhile count.
    let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY;
    options.read(true).custom_flags(flags.bits().cast_signed());
    let file = match options.open(&real) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(fail(error)),
    };
    let metadata = file.metadata().map_err(fail)?;
    if !metadata.is_file() {
        return Err(not_regular(path));
    }
    if reading.keeper == Keeper::Trusted {
        check_keeper(&metadata, path)?;
    }
    if metadata.len() > reading.limit {
        return Err(too_long(path, reading.limit));
    }
    Ok(Some((file, metadata)))
}

/// Opens a file for reading without waiting for anybody: what was a file a moment ago may be a pipe now.
pub(crate) fn open_at_once(path: &Path) -> io::Result<File> {
    let flags = OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut options = OpenOptions::new();
    options
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(path)
}

/// Checks that nobody but us and root can write what `found` describes.
///
/// # Errors
/// Who else can.
pub fn check_keeper(found: &Metadata, path: &Path) -> Result<(), FileError> {
    let untrusted = |problem| FileError::Untrusted {
        path: path.to_owned(),
        problem,
    };
    if found.uid() != rustix::process::geteuid().as_raw() && found.uid() != 0 {
        return Err(untrusted("belongs to somebody else"));
    }
    if found.permissions().mode() & 0o022 != 0 {
        return Err(untrusted("others can write it"));
    }
    Ok(())
}

fn check_directory(path: &Path) -> Result<(), FileError> {
    let Some(directory) = path.parent() else {
        return Ok(());
    };
    let found = directory
        .metadata()
        .map_err(|error| FileError::io(directory, error))?;
    check_keeper(&found, directory)
}

fn not_regular(path: &Path) -> FileError {
    FileError::NotRegular {
        path: path.to_owned(),
    }
}

fn too_long(path: &Path, limit: u64) -> FileError {
    FileError::TooLong {
        path: path.to_owned(),
        limit,
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::symlink;

    use argrail_testkit::Home;
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    const TRUSTED: Reading = Reading {
        keeper: Keeper::Trusted,
        links: Links::Follow,
        limit: 10,
    };
    const PLAIN: Reading = Reading {
        keeper: Keeper::Anybody,
        ..TRUSTED
    };
    const NO_LINKS: Reading = Reading {
        links: Links::Refuse,
        ..PLAIN
    };

    fn chmod(path: &Path, mode: u32) {
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    /// Reads and returns the text, or the words of the refusal.
    fn told(path: &Path, reading: &Reading) -> Result<Option<String>, String> {
        match read(path, reading) {
            Ok(found) => Ok(found.map(|found| String::from_utf8(found.bytes).unwrap())),
            Err(error) => {
                assert!(
                    error
                        .hint()
                        .to_string()
                        .contains(&*error.path().to_string_lossy()),
                    "{error}"
                );
                Err(error.to_string())
            }
        }
    }

    #[test]
    fn what_others_can_write_is_no_trusted_file() {
        let home = Home::new();
        let folder = home.work();
        let file = folder.join("a");
        fs::write(&file, "hello").unwrap();
        let check = |file_mode: u32, folder_mode: u32, trusted: bool| {
            chmod(&file, file_mode);
            chmod(&folder, folder_mode);
            assert_eq!(told(&file, &PLAIN), Ok(Some("hello".to_owned())));
            assert_eq!(
                told(&file, &TRUSTED).is_ok(),
                trusted,
                "{file_mode:o} {folder_mode:o}"
            );
        };
        check(0o600, 0o700, true);
        check(0o644, 0o755, true);
        check(0o664, 0o700, false);
        check(0o602, 0o700, false);
        check(0o600, 0o770, false);
        check(0o600, 0o703, false);
        check(0o600, 0o1777, false);
    }

    #[test]
    fn only_regular_files_of_bounded_size_are_read() {
        let home = Home::new();
        let at = |name: &str| home.work().join(name);
        assert_eq!(told(&at("missing"), &TRUSTED), Ok(None));
        fs::write(at("full"), "0123456789").unwrap();
        assert_eq!(told(&at("full"), &TRUSTED), Ok(Some("0123456789".to_owned())));
        fs::write(at("long"), "0123456789x").unwrap();
        assert!(
            told(&at("long"), &TRUSTED)
                .unwrap_err()
                .contains("longer than 10")
        );
        fs::create_dir(at("folder")).unwrap();
        mknodat(CWD, at("fifo"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        symlink("/dev/zero", at("zeros")).unwrap();
        for name in ["folder", "fifo", "zeros"] {
            let error = told(&at(name), &PLAIN).unwrap_err();
            assert!(error.contains("not a regular file"), "{error}");
        }
        // The system gives no size for these; the bytes are counted all the same.
        let error = told(Path::new("/proc/self/status"), &PLAIN).unwrap_err();
        assert!(error.contains("longer than 10"), "{error}");
    }

    #[test]
    fn a_link_is_followed_with_the_checks_or_not_at_all() {
        let home = Home::new();
        let at = |name: &str| home.work().join(name);
        fs::create_dir(at("there")).unwrap();
        fs::write(at("there/a"), "hello").unwrap();
        symlink("there/a", at("link")).unwrap();
        symlink("nowhere", at("dangling")).unwrap();
        symlink("loop", at("loop")).unwrap();
        assert_eq!(told(&at("link"), &TRUSTED), Ok(Some("hello".to_owned())));
        assert!(
            told(&at("link"), &NO_LINKS)
                .unwrap_err()
                .contains("not a regular")
        );
        assert!(told(&at("dangling"), &PLAIN).is_err());
        assert!(told(&at("loop"), &PLAIN).is_err());
        chmod(&at("there"), 0o777);
        assert!(
            told(&at("link"), &TRUSTED)
                .unwrap_err()
                .contains("others can write it")
        );
    }
}
