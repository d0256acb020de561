//! `trust.json` on disk: read without a lock, changed under one, refused on any doubt.
//!
//! Where the registry is made again when it is broken, this file is not: without it everything would be new, and
//! what a person denied would be forgotten.

use argrail_spec::trust::{TrustFile, load};

use crate::catalog::store_error::StoreError;
use crate::files::atomic::{self, Access, Durability};
use crate::files::lock::{Lock, WAIT};
use crate::files::untrusted::{self, FileError, Keeper, Links, Reading, check_keeper};
use crate::places::Places;

/// How the file is read: it decides what may run.
const READING: Reading = Reading {
    keeper: Keeper::Trusted,
    links: Links::Follow,
    limit: TrustFile::MAX_BYTES as u64,
};

/// Reads what a person trusts; without a file, nothing.
///
/// # Errors
/// When the file or its directory is there and cannot be read, trusted or understood.
pub fn read(places: &Places) -> Result<TrustFile, StoreError> {
    check_directory(places)?;
    let path = places.trust_file();
    let Some(found) = untrusted::read(&path, &READING)? else {
        return Ok(TrustFile::default());
    };
    load(&found.bytes).map_err(|problem| StoreError::Trust {
        path,
        problem: problem.message,
    })
}

/// Changes what a person trusts under the writers' lock, and returns it as it is then.
///
/// Nothing is written, and nothing counted, when `change` changes nothing.
///
/// # Errors
/// When the file cannot be read or written, or another writer does not finish. It is then as it was.
pub fn update(places: &Places, change: impl FnOnce(&mut TrustFile)) -> Result<TrustFile, StoreError> {
    let path = places.trust_file();
    check_directory(places)?;
    let _lock = Lock::of(&path, WAIT)?;
    let before = read(places)?;
    let mut trust = before.clone();
    change(&mut trust);
    if trust == before {
        return Ok(trust);
    }
    trust.revision = before.revision.saturating_add(1);
    let text = trust.emit();
    if text.len() > TrustFile::MAX_BYTES {
        let limit = READING.limit;
        return Err(FileError::TooLong { path, limit }.into());
    }
    atomic::replace(&path, text.as_bytes(), Access::Private, Durability::Synced)?;
    Ok(trust)
}

/// Asked also when there is no file: whoever may write the directory could put one there.
fn check_directory(places: &Places) -> Result<(), StoreError> {
    let directory = places.config();
    match directory.metadata() {
        Ok(found) => Ok(check_keeper(&found, directory)?),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(FileError::io(directory, error).into()),
    }
}
