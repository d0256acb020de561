//! Which file is which: by what the system says about it, and by its bytes.

use std::fs::Metadata;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use argrail_spec::digest::{Digest, Hasher};
pub use argrail_spec::identity::Identity;

use crate::files::untrusted::{self, FileError, Keeper, Links, Reading};

/// The largest executable whose bytes are read.
pub const MAX_EXECUTABLE: u64 = 4 << 30;

/// How much is read at once.
const CHUNK: usize = 1 << 16;

/// A file's bytes, and the file that had them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint {
    /// Which file it was.
    pub identity: Identity,
    /// What its bytes were.
    pub digest: Digest,
}

/// Returns the identity of a file that was looked at.
///
/// A time that nanoseconds in 64 bits cannot hold is the nearest that they can.
pub fn of(found: &Metadata) -> Identity {
    let nanoseconds = |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
    Identity {
        device: found.dev(),
        inode: found.ino(),
        size: found.size(),
        mtime: nanoseconds(found.mtime(), found.mtime_nsec()),
        ctime: nanoseconds(found.ctime(), found.ctime_nsec()),
    }
}

/// Looks at the file that `path` leads to; `None` when there is none.
///
/// # Errors
/// When something is there that cannot be looked at.
pub fn look(path: &Path) -> Result<Option<Identity>, FileError> {
    match path.metadata() {
        Ok(found) => Ok(Some(of(&found))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(FileError::io(path, error)),
    }
}

/// Reads the file that `path` leads to, piece by piece and at most `limit` bytes; `None` when there is none.
///
/// # Errors
/// When it is no regular file, longer than the limit, or changes meanwhile: half of one and half of another is the
/// digest of neither.
pub fn fingerprint(path: &Path, limit: u64) -> Result<Option<Fingerprint>, FileError> {
    fingerprint_of(path, Links::Follow, limit)
}

/// Reads a file in the same way; `links` says what a symlink in its place means.
///
/// # Errors
/// The same, and when it is a symlink that is not to be followed.
pub fn fingerprint_of(path: &Path, links: Links, limit: u64) -> Result<Option<Fingerprint>, FileError> {
    let reading = Reading {
        keeper: Keeper::Anybody,
        links,
        limit,
    };
    let Some((mut file, before)) = untrusted::open(path, &reading)? else {
        return Ok(None);
    };
    let fail = |error| FileError::io(path, error);
    let identity = of(&before);
    let mut hasher = Hasher::default();
    let mut buffer = vec![0; CHUNK];
    let mut total: u64 = 0;
    loop {
        let count = file.read(&mut buffer).map_err(fail)?;
        if count == 0 {
            break;
        }
        total = total.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
        if total > limit {
            return Err(FileError::TooLong {
                path: path.to_owned(),
                limit,
            });
        }
        hasher.update(buffer.get(..count).unwrap_or_default());
    }
    if of(&file.metadata().map_err(fail)?) != identity || total != identity.size {
        return Err(FileError::Changed {
            path: path.to_owned(),
        });
    }
    Ok(Some(Fingerprint {
        identity,
        digest: hasher.finish(),
    }))
}

#[cfg(test)]
pub(crate) mod testing {
    use std::fs::{self, File, FileTimes};

    use super::*;

    /// Rewrites a file in place and restores its modification time, once the kernel's clock of files has gone on: it
    /// counts in steps of milliseconds, and a test is faster than that.
    pub(crate) fn rewrite(path: &Path, text: &str) {
        let before = path.metadata().unwrap();
        let scratch = path.with_extension("scratch");
        loop {
            fs::write(&scratch, "x").unwrap();
            if of(&scratch.metadata().unwrap()).ctime > of(&before).ctime {
                break;
            }
        }
        fs::remove_file(scratch).unwrap();
        fs::write(path, text).unwrap();
        let times = FileTimes::new()
            .set_accessed(before.accessed().unwrap())
            .set_modified(before.modified().unwrap());
        File::options()
            .write(true)
            .open(path)
            .unwrap()
            .set_times(times)
            .unwrap();
        let after = path.metadata().unwrap();
        assert_eq!(before.len(), after.len());
        assert_eq!(before.modified().unwrap(), after.modified().unwrap());
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use argrail_testkit::Home;

    use super::testing::rewrite;
    use super::*;

    #[test]
    fn a_digest_is_that_of_the_bytes() {
        let home = Home::new();
        let path = home.work().join("tool");
        let bytes = vec![7; CHUNK * 2 + 1];
        fs::write(&path, &bytes).unwrap();
        let found = fingerprint(&path, MAX_EXECUTABLE).unwrap().unwrap();
        assert_eq!(found.digest, Digest::of(&bytes));
        assert_eq!(Some(found.identity), look(&path).unwrap());
        let error = fingerprint(&path, 10).unwrap_err();
        assert!(error.to_string().contains("longer than 10"), "{error}");
        assert_eq!(fingerprint(&home.work().join("missing"), 10).unwrap(), None);
        assert_eq!(look(&home.work().join("missing")).unwrap(), None);
        assert!(fingerprint(&home.work(), 10).is_err());
    }

    #[test]
    fn a_file_rewritten_in_place_with_size_and_mtime_kept_has_another_identity() {
        let home = Home::new();
        let path = home.work().join("tool");
        fs::write(&path, "#!/bin/sh\necho good\n").unwrap();
        let first = look(&path).unwrap().unwrap();
        rewrite(&path, "#!/bin/sh\necho evil\n");
        let second = look(&path).unwrap().unwrap();
        assert_eq!(first.inode, second.inode);
        assert_ne!(first, second);
    }
}
