//! A token in a file that only we can read: the bearer token of `serve`, and the one that answers for a person.
//!
//! The file is the secret's one home; it is never logged, and printed only by `serve`, once, when it was made.

use std::fmt;
use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// A token that is shorter could be guessed.
const SHORTEST: usize = 32;

/// No token is longer; the file may be anything.
const LONGEST: u64 = 4096;

/// Why a token file is of no use.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TokenFileError {
    /// Others could put a file of their own in its place.
    #[error("{}: {why}", path.display())]
    Place {
        /// The directory.
        path: PathBuf,
        /// What is wrong with it.
        why: &'static str,
    },
    /// It is not one that only we can have written and read.
    #[error("token file {}: {why}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: &'static str,
    },
    /// It cannot be read or written.
    #[error("token file {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
}

/// A secret string.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Token(String);

impl Token {
    #[cfg(test)]
    pub(crate) fn from_secret(secret: &str) -> Self {
        Self(secret.to_owned())
    }

    /// Returns the secret. Mind where it goes.
    pub(crate) fn secret(&self) -> &str {
        &self.0
    }

    /// Returns a fresh one.
    pub(crate) fn random() -> std::io::Result<Self> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// Where a token came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// It was in the file.
    Read,
    /// It was made just now.
    Made,
}

/// Makes a token in a new file; nothing if there is a file of this name.
pub(crate) fn make_new(path: &Path) -> Result<Option<Token>, TokenFileError> {
    let directory = directory_of(path);
    check_directory(directory)?;
    make(path, directory).map_err(|source| TokenFileError::Io {
        path: path.to_owned(),
        source,
    })
}

/// Reads the token at `path`, or makes one there. `us` is our own uid.
pub(crate) fn obtain(path: &Path, us: u32) -> Result<(Token, Origin), TokenFileError> {
    check_directory(directory_of(path))?;
    if let Some(token) = read(path, us)? {
        return Ok((token, Origin::Read));
    }
    if let Some(token) = make_new(path)? {
        return Ok((token, Origin::Made));
    }
    // Another server made it in between, whole: it only ever appears with its content.
    match read(path, us)? {
        Some(token) => Ok((token, Origin::Read)),
        None => Err(TokenFileError::Wrong {
            path: path.to_owned(),
            why: "appeared and vanished again",
        }),
    }
}

/// Reads a token; nothing if there is no file. `us` is our own uid.
pub(crate) fn read(path: &Path, us: u32) -> Result<Option<Token>, TokenFileError> {
    let failed = |source| TokenFileError::Io {
        path: path.to_owned(),
        source,
    };
    let wrong = |why| TokenFileError::Wrong {
        path: path.to_owned(),
        why,
    };
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_file() => {}
        Ok(_) => return Err(wrong("not a plain file")),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    }
    let file = File::open(path).map_err(failed)?;
    // Judged on the open file, so that nobody can change what stands at the path in between.
    let metadata = file.metadata().map_err(failed)?;
    if metadata.uid() != us {
        return Err(wrong("belongs to another user"));
    }
    if metadata.mode() & 0o077 != 0 {
        return Err(wrong("readable or writable by others"));
    }
    let mut text = String::new();
    file.take(LONGEST + 1).read_to_string(&mut text).map_err(failed)?;
    if text.len() as u64 > LONGEST {
        return Err(wrong("longer than 4096 bytes"));
    }
    let token = text.trim();
    if token.len() < SHORTEST {
        return Err(wrong("shorter than 32 characters"));
    }
    if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(wrong("not one word of plain ASCII"));
    }
    Ok(Some(Token(token.to_owned())))
}

/// Returns the directory in which the name of `path` stands.
pub(crate) fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// Makes the directory if it is not there, and refuses one in which others could put a file of their own
/// in place of ours.
fn check_directory(directory: &Path) -> Result<(), TokenFileError> {
    let failed = |source| TokenFileError::Io {
        path: directory.to_owned(),
        source,
    };
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)
        .map_err(failed)?;
    let mode = directory.metadata().map_err(failed)?.mode();
    // With the sticky bit, as on /tmp, they can only touch what is theirs.
    if mode & 0o022 != 0 && mode & 0o1000 == 0 {
        return Err(TokenFileError::Place {
            path: directory.to_owned(),
            why: "others can write to the directory of the token file",
        });
    }
    Ok(())
}

/// Makes the file, with its content, in one step; `None` if there is one already.
fn make(path: &Path, directory: &Path) -> std::io::Result<Option<Token>> {
    let token = Token::random()?;
    let draft = draft_beside(directory)?;
    let linked = write_private(&draft, &token).and_then(|()| std::fs::hard_link(&draft, path));
    let removed = std::fs::remove_file(&draft);
    match linked {
        Ok(()) => removed.map(|()| Some(token)),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns an unused name in `directory`.
pub(crate) fn draft_beside(directory: &Path) -> std::io::Result<PathBuf> {
    Ok(directory.join(format!(".{:08x}", getrandom::u32()?)))
}

fn write_private(path: &Path, token: &Token) -> std::io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)?;
    // A umask can only have taken bits away from that, and 0600 is what we promise.
    file.set_permissions(Permissions::from_mode(0o600))?;
    writeln!(file, "{}", token.secret())?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory that is gone with the value.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new() -> Self {
            let path = std::env::temp_dir().join(format!("argrail-token-{:016x}", getrandom::u64().unwrap()));
            DirBuilder::new().mode(0o700).create(&path).unwrap();
            Self(path)
        }

        fn file(&self, text: &str, mode: u32) -> PathBuf {
            let path = draft_beside(&self.0).unwrap();
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            path
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_token_is_made_once_and_read_after() {
        let scratch = Scratch::new();
        let us = rustix::process::geteuid().as_raw();
        let path = scratch.0.join("state/argrail/http-token");
        let (made, origin) = obtain(&path, us).unwrap();
        assert_eq!((made.secret().len(), origin), (64, Origin::Made));
        assert_eq!(path.metadata().unwrap().mode() & 0o777, 0o600);
        assert_eq!(obtain(&path, us).unwrap(), (made.clone(), Origin::Read));
        assert_eq!(
            std::fs::read_dir(path.parent().unwrap()).unwrap().count(),
            1,
            "a draft is left"
        );
        assert_eq!(format!("{made:?}"), "***");
    }

    #[test]
    fn a_token_that_others_may_know_is_refused() {
        let scratch = Scratch::new();
        let us = rustix::process::geteuid().as_raw();
        let long = "x".repeat(32);
        assert!(obtain(&scratch.file(&long, 0o600), us).is_ok());
        assert!(obtain(&scratch.file(&long, 0o640), us).is_err());
        assert!(obtain(&scratch.file(&long, 0o602), us).is_err());
        assert!(obtain(&scratch.file("short", 0o600), us).is_err());
        assert!(obtain(&scratch.file(&"x".repeat(4096), 0o600), us).is_ok());
        assert!(obtain(&scratch.file(&"x".repeat(4097), 0o600), us).is_err());
        assert!(obtain(&scratch.file(&format!("{long}{}", " ".repeat(5000)), 0o600), us).is_err());
        assert!(obtain(&scratch.file(&format!("{long} {long}"), 0o600), us).is_err());
        assert!(obtain(&scratch.file(&long, 0o600), us + 1).is_err());
        let link = scratch.0.join("link");
        std::os::unix::fs::symlink(scratch.file(&long, 0o600), &link).unwrap();
        assert!(obtain(&link, us).is_err());
        assert!(obtain(&scratch.0, us).is_err());
    }

    #[test]
    fn a_directory_that_others_can_write_to_is_refused() {
        let scratch = Scratch::new();
        let us = rustix::process::geteuid().as_raw();
        let there = scratch.file(&"x".repeat(32), 0o600);
        for (mode, fine) in [
            (0o755, true),
            (0o775, false),
            (0o757, false),
            (0o1777, true),
            (0o700, true),
        ] {
            std::fs::set_permissions(&scratch.0, Permissions::from_mode(mode)).unwrap();
            let absent = draft_beside(&scratch.0).unwrap();
            assert_eq!(obtain(&there, us).is_ok(), fine, "{mode:o}");
            assert_eq!(obtain(&absent, us).is_ok(), fine, "{mode:o}");
        }
    }
}
