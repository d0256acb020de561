//! `tools/NAME.json`: what is remembered of each tool (ATIP §3.5.2), one file per tool.
//!
//! A name is checked before it becomes a file name. An entry that cannot be read, whose checksum is wrong, or that
//! speaks of another tool is no entry: it is told, and written over by the next.

use std::path::{Path, PathBuf};

use argrail_spec::atip::check_tool_name;
use argrail_spec::registry::CacheEntry;
use jiff::Timestamp;

use super::stale::{Now, Stale, Wanted, is_stale};
use super::store_error::StoreError;
use crate::files::atomic::{self, Access, Durability};
use crate::files::untrusted::{self, FileError, Keeper, Links, Reading};
use crate::places::Places;

/// How entries are read: poisoned ones would speak for tools, so nobody else may have written them.
const READING: Reading = Reading {
    keeper: Keeper::Trusted,
    links: Links::Refuse,
    limit: CacheEntry::MAX_BYTES as u64,
};

/// What is remembered.
#[derive(Debug, Clone, PartialEq)]
pub enum Cached {
    /// An entry that is good, as far as its own dates say.
    Fresh(Box<CacheEntry>),
    /// An entry whose time is over.
    Expired(Box<CacheEntry>, Stale),
    /// Something that is no entry, and why.
    Corrupt(String),
    /// Nothing.
    Missing,
}

/// Returns where the entry of a tool lies.
///
/// # Errors
/// When the name is none.
pub fn path(places: &Places, name: &str) -> Result<PathBuf, StoreError> {
    path_in(&places.tools(), name)
}

fn path_in(folder: &Path, name: &str) -> Result<PathBuf, StoreError> {
    check_tool_name(name).map_err(|problem| StoreError::Name {
        given: name.to_owned(),
        problem,
    })?;
    Ok(folder.join(format!("{name}.json")))
}

/// Reads the entry of a tool. Whether its executable is still the same is [`is_stale`]'s to say.
///
/// # Errors
/// When the name is none.
pub fn load(places: &Places, name: &str, now: Timestamp) -> Result<Cached, StoreError> {
    let entry = match read(places, name) {
        Ok(Some(entry)) => entry,
        Ok(None) => return Ok(Cached::Missing),
        Err(error @ StoreError::Name { .. }) => return Err(error),
        // Whoever tells it names the file.
        Err(StoreError::Corrupt { problem, .. }) => return Ok(Cached::Corrupt(problem)),
        Err(error) => return Ok(Cached::Corrupt(error.to_string())),
    };
    let state = Now {
        identity: None,
        version: None,
        time: now,
        max_age: std::time::Duration::MAX,
        wanted: Wanted::Remembered,
    };
    let entry = Box::new(entry);
    Ok(match is_stale(&entry, &state) {
        Some(why) => Cached::Expired(entry, why),
        None => Cached::Fresh(entry),
    })
}

/// Writes the entry of a tool over the one before.
///
/// # Errors
/// When the name is none, or nothing can be written.
pub fn store(places: &Places, entry: &CacheEntry) -> Result<(), StoreError> {
    store_in(&places.tools(), entry)
}

/// Writes the entry of a tool into another folder.
///
/// # Errors
/// The same.
pub(in crate::catalog) fn store_in(folder: &Path, entry: &CacheEntry) -> Result<(), StoreError> {
    let path = path_in(folder, &entry.tool)?;
    let text = entry.emit();
    if text.len() > CacheEntry::MAX_BYTES {
        let limit = READING.limit;
        return Err(FileError::TooLong { path, limit }.into());
    }
    // Not synced: a torn entry has a wrong checksum, and a lost one is asked for again.
    Ok(atomic::replace(
        &path,
        text.as_bytes(),
        Access::Private,
        Durability::Cached,
    )?)
}

/// Forgets a tool; it is no error if nothing was remembered.
///
/// # Errors
/// When the name is none, or the file cannot be removed.
pub fn remove(places: &Places, name: &str) -> Result<(), StoreError> {
    let path = path(places, name)?;
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(FileError::io(&path, error).into()),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Reads an entry whatever its age.
pub(in crate::catalog) fn read(places: &Places, name: &str) -> Result<Option<CacheEntry>, StoreError> {
    read_in(&places.tools(), name)
}

/// Reads an entry of another folder whatever its age.
pub(in crate::catalog) fn read_in(folder: &Path, name: &str) -> Result<Option<CacheEntry>, StoreError> {
    let path = path_in(folder, name)?;
    let Some(found) = untrusted::read(&path, &READING)? else {
        return Ok(None);
    };
    let corrupt = |problem| StoreError::Corrupt {
        path: path.clone(),
        problem,
    };
    let entry = CacheEntry::load(&found.bytes).map_err(|problem| corrupt(problem.message))?;
    if entry.tool != name {
        return Err(corrupt("speaks of another tool".to_owned()));
    }
    Ok(Some(entry))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use argrail_testkit::Home;
    use serde_json::json;

    use super::*;
    use crate::catalog::stale::MAX_AGE;
    use crate::places::testing::places_of;

    fn entry(name: &str) -> CacheEntry {
        let metadata = json!({"atip": "0.1", "name": name, "version": "1", "description": "x"});
        CacheEntry::new(name, metadata, "2026-01-05T10:30:00Z".parse().unwrap(), MAX_AGE)
    }

    #[test]
    fn an_entry_is_remembered_until_its_time_is_over() {
        let home = Home::new();
        let places = places_of(&home);
        let at = |time: &str| load(&places, "g++", time.parse().unwrap()).unwrap();
        assert_eq!(at("2026-01-05T10:30:00Z"), Cached::Missing);
        store(&places, &entry("g++")).unwrap();
        assert_eq!(at("2026-01-05T10:30:00Z"), Cached::Fresh(Box::new(entry("g++"))));
        assert_eq!(
            at("2026-02-05T10:30:00Z"),
            Cached::Expired(Box::new(entry("g++")), Stale::Age)
        );
        remove(&places, "g++").unwrap();
        remove(&places, "g++").unwrap();
        assert_eq!(at("2026-01-05T10:30:00Z"), Cached::Missing);
    }

    #[test]
    fn what_is_no_entry_is_told_and_written_over() {
        let home = Home::new();
        let places = places_of(&home);
        let now = "2026-01-05T10:30:00Z".parse().unwrap();
        let path = path(&places, "gh").unwrap();
        store(&places, &entry("gh")).unwrap();
        let check = |text: &str, want: &str| {
            fs::write(&path, text).unwrap();
            let Cached::Corrupt(problem) = load(&places, "gh", now).unwrap() else {
                panic!("{text} was taken for an entry");
            };
            assert!(problem.contains(want), "{problem}");
        };
        check("", "");
        check("{}", "tool is missing");
        check(
            &entry("gh").emit().replace("\"x\"", "\"y\""),
            "not what was written",
        );
        check(&entry("git").emit(), "speaks of another tool");
        store(&places, &entry("gh")).unwrap();
        assert!(matches!(load(&places, "gh", now).unwrap(), Cached::Fresh(_)));
        // Somebody's file elsewhere is not read through a link.
        let elsewhere = home.work().join("gh.json");
        fs::rename(&path, &elsewhere).unwrap();
        symlink(&elsewhere, &path).unwrap();
        assert!(matches!(load(&places, "gh", now).unwrap(), Cached::Corrupt(_)));
    }

    #[test]
    fn a_name_that_is_a_path_writes_nothing() {
        let home = Home::new();
        let places = places_of(&home);
        let now = Timestamp::UNIX_EPOCH;
        for name in ["../../x", "..", "", "a/b", "/x", &"a".repeat(300)] {
            let error = store(&places, &entry(name)).unwrap_err();
            assert!(matches!(error, StoreError::Name { .. }), "{error}");
            assert!(load(&places, name, now).is_err() && remove(&places, name).is_err());
        }
        assert!(!places.data().exists());
    }
}
