//! The key of this installation, with which argvs are hashed: 32 random bytes, for their owner alone.

use std::io::Read;
use std::path::Path;

use super::directory::open_to_read;
use super::error::RecordError;
use super::hash::Hash;
use crate::files::atomic::{Access, Durability, replace};
use crate::files::lock::{Lock, LockError, WAIT};
use crate::files::untrusted::FileError;

const NAME: &str = "argv.key";

/// Reads the key, or makes one.
///
/// # Errors
/// When it cannot be read and none can be made.
pub(super) fn read_or_make(directory: &Path) -> Result<Hash, RecordError> {
    let path = directory.join(NAME);
    if let Some(key) = read(&path)? {
        return Ok(key);
    }
    let _lock = Lock::of(&path, WAIT).map_err(|error| match error {
        LockError::File(FileError::Io { source, .. }) => RecordError::io(&path)(source),
        other => RecordError::Busy(other),
    })?;
    if let Some(key) = read(&path)? {
        return Ok(key);
    }
    let mut key = [0; 32];
    let fail = RecordError::io(&path);
    getrandom::fill(&mut key).map_err(|error| fail(std::io::Error::other(error)))?;
    let kept = replace(&path, &key, Access::Private, Durability::Synced);
    kept.map_err(|error| match error {
        FileError::Io { source, .. } => fail(source),
        other => fail(std::io::Error::other(other.to_string())),
    })?;
    Ok(key)
}

/// A key of another length is none: hashes by it would be worth nothing.
fn read(path: &Path) -> Result<Option<Hash>, RecordError> {
    let Some(file) = open_to_read(path)? else {
        return Ok(None);
    };
    let mut bytes = Vec::new();
    file.take(33)
        .read_to_end(&mut bytes)
        .map_err(RecordError::io(path))?;
    Ok(bytes.try_into().ok())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use argrail_testkit::Home;

    use super::*;

    #[test]
    fn a_key_is_made_once_and_is_its_owners() {
        let home = Home::new();
        let key = read_or_make(&home.state()).unwrap();
        assert_eq!(read_or_make(&home.state()).unwrap(), key);
        let path = home.state().join(NAME);
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        std::fs::write(&path, "short").unwrap();
        assert_ne!(read_or_make(&home.state()).unwrap(), key);
        assert_ne!(read_or_make(&Home::new().state()).unwrap(), key);
    }
}
