//! `registry.json`: the index of known tools, read without a lock and changed under one (ATIP §3.3.2).
//!
//! Every change reads what is there, changes it, counts up and replaces the file whole, so that many processes may
//! change it at once and nothing is lost. A file that is not understood is told to readers; the next writer keeps it
//! beside the new one and starts from what `tools/` remembers.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use argrail_spec::doc::Diagnostic;
use argrail_spec::registry::{Entry, LATER, Loaded, Registry, Source, load};
use jiff::Timestamp;

use super::cache;
use super::store_error::StoreError;
use crate::files::atomic::{self, Access, Durability};
use crate::files::lock::{Lock, WAIT};
use crate::files::untrusted::{self, FileError, Keeper, Links, Reading};
use crate::places::Places;

/// How the index is read: it says where tools are, so nobody else may have written it.
const READING: Reading = Reading {
    keeper: Keeper::Trusted,
    links: Links::Follow,
    limit: Registry::MAX_BYTES as u64,
};

/// How many broken files are kept.
const KEPT: u32 = 9;

/// How many remembered tools an index is made from.
const REMEMBERED: usize = 20_000;

/// Reads the index; without one, nothing is known. Warnings say which entries were not understood.
///
/// # Errors
/// When it is there and cannot be read, trusted or understood.
pub fn read(places: &Places) -> Result<Loaded, StoreError> {
    let path = places.registry_file();
    let Some(found) = untrusted::read(&path, &READING)? else {
        return Ok(Loaded {
            registry: Registry::default(),
            warnings: Vec::new(),
        });
    };
    load(&found.bytes).map_err(|problem| not_understood(path, problem))
}

/// Changes the index under the writers' lock and returns it as it is then.
///
/// Nothing is written, and nothing counted, when `change` changes nothing.
///
/// # Errors
/// When it cannot be read or written, or another writer does not finish. The file is then as it was.
pub fn update(
    places: &Places,
    now: Timestamp,
    change: impl FnOnce(&mut Registry),
) -> Result<Registry, StoreError> {
    let path = places.registry_file();
    let _lock = Lock::of(&path, WAIT)?;
    let (before, start) = match read(places) {
        Ok(loaded) => (Some(loaded.registry.clone()), loaded.registry),
        Err(StoreError::Corrupt { .. }) => {
            set_aside(&path)?;
            (None, remembered(places))
        }
        Err(error) => return Err(error),
    };
    let mut registry = start;
    change(&mut registry);
    if before.as_ref() == Some(&registry) {
        return Ok(registry);
    }
    // How far a broken file had counted is lost; the clock is further than any count, so nobody sees a number twice.
    let last = before.map_or_else(
        || u64::try_from(now.as_second()).unwrap_or_default(),
        |before| before.revision,
    );
    registry.revision = registry.revision.max(last).saturating_add(1);
    registry.updated = Some(Timestamp::from_second(now.as_second()).unwrap_or(now));
    let text = registry.emit();
    if text.len() > Registry::MAX_BYTES {
        let limit = READING.limit;
        return Err(FileError::TooLong { path, limit }.into());
    }
    atomic::replace(&path, text.as_bytes(), Access::Private, Durability::Synced)?;
    // Once per change, and only here: with every entry it would be a walk over all of them.
    let clock = SystemTime::from(now);
    atomic::sweep(places.data(), clock);
    atomic::sweep(&places.tools(), clock);
    Ok(registry)
}

fn not_understood(path: PathBuf, problem: Diagnostic) -> StoreError {
    let (code, problem) = (problem.code, problem.message);
    if code == LATER {
        StoreError::Later { path, problem }
    } else {
        StoreError::Corrupt { path, problem }
    }
}

/// Keeps a broken file under the first free name; when all are taken, the last is given up.
fn set_aside(path: &Path) -> Result<(), StoreError> {
    let name = |number: u32| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".corrupt-{number}"));
        PathBuf::from(name)
    };
    let free = (1..KEPT)
        .map(name)
        .find(|path| path.symlink_metadata().is_err())
        .unwrap_or_else(|| name(KEPT));
    // A second name rather than another one: readers find a file at every moment, if a broken one.
    let _ = fs::remove_file(&free);
    fs::hard_link(path, &free)
        .or_else(|_| fs::rename(path, &free))
        .map_err(|error| FileError::io(path, error).into())
}

/// Makes an index from the entries that are remembered and whole.
fn remembered(places: &Places) -> Registry {
    let mut registry = Registry::default();
    let Ok(files) = fs::read_dir(places.tools()) else {
        return registry;
    };
    for file in files.filter_map(Result::ok).take(REMEMBERED) {
        let name = file.file_name();
        let Some(name) = name.to_str().and_then(|name| name.strip_suffix(".json")) else {
            continue;
        };
        let Ok(Some(cached)) = cache::read(places, name) else {
            continue;
        };
        let entry = Entry {
            path: cached.binary.and_then(|binary| binary.path),
            version: cached.version,
            atip_version: cached.atip_version,
            last_checked: Some(cached.cached_at),
            metadata_path: Some(format!("./tools/{name}.json")),
            ..Entry::new(cached.source.unwrap_or(Source::Native))
        };
        registry.tools.insert(name.to_owned(), entry);
    }
    registry.tools.sort_unstable_keys();
    registry
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use argrail_spec::registry::CacheEntry;
    use argrail_testkit::Home;
    use serde_json::json;

    use super::*;
    use crate::catalog::stale::MAX_AGE;
    use crate::places::testing::places_of;

    fn now() -> Timestamp {
        "2026-01-05T10:30:00.5Z".parse().unwrap()
    }

    fn put(name: &str) -> impl FnOnce(&mut Registry) {
        let name = name.to_owned();
        |registry| {
            registry.tools.insert(name, Entry::new(Source::Native));
        }
    }

    #[test]
    fn a_change_is_counted_and_no_change_is_not_written() {
        let home = Home::new();
        let places = places_of(&home);
        assert_eq!(read(&places).unwrap().registry, Registry::default());
        update(&places, now(), |_| {}).unwrap();
        assert!(!places.registry_file().exists());
        let first = update(&places, now(), put("gh")).unwrap();
        assert_eq!(first.revision, 1);
        assert_eq!(read(&places).unwrap().registry, first);
        let second = update(&places, now(), put("gh")).unwrap();
        assert_eq!(second.revision, 1);
        let third = update(&places, now(), put("curl")).unwrap();
        assert_eq!((third.revision, third.tools.len()), (2, 2));
        assert_eq!(third.updated.unwrap().to_string(), "2026-01-05T10:30:00Z");
        let mode = places.registry_file().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_broken_file_is_told_kept_and_made_again_from_what_is_remembered() {
        let home = Home::new();
        let places = places_of(&home);
        let metadata = json!({"atip": "0.1", "name": "gh", "version": "2"});
        cache::store(&places, &CacheEntry::new("gh", metadata, now(), MAX_AGE)).unwrap();
        fs::write(places.tools().join("broken.json"), "{").unwrap();
        for number in 1..=2 {
            fs::write(places.registry_file(), "{\"version\":\"0.1\",\"to").unwrap();
            let error = read(&places).unwrap_err();
            assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
            assert!(error.hint().to_string().contains("argrail scan"));
            let made = update(&places, now(), put("curl")).unwrap();
            assert_eq!(made.tools.keys().collect::<Vec<_>>(), ["gh", "curl"]);
            assert_eq!(made.tools["gh"].version.as_deref(), Some("2"));
            assert!(made.revision > u64::try_from(now().as_second()).unwrap());
            let kept = places.data().join(format!("registry.json.corrupt-{number}"));
            assert_eq!(fs::read_to_string(kept).unwrap(), "{\"version\":\"0.1\",\"to");
            assert_eq!(read(&places).unwrap().registry, made);
        }
    }

    #[test]
    fn what_a_later_program_or_somebody_else_wrote_is_left_alone() {
        let home = Home::new();
        let places = places_of(&home);
        update(&places, now(), put("gh")).unwrap();
        let file = places.registry_file();
        fs::write(&file, r#"{"version":"2.0","tools":[]}"#).unwrap();
        assert!(matches!(read(&places), Err(StoreError::Later { .. })));
        assert!(matches!(
            update(&places, now(), put("x")),
            Err(StoreError::Later { .. })
        ));
        assert_eq!(
            fs::read_to_string(&file).unwrap(),
            r#"{"version":"2.0","tools":[]}"#
        );
        fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
        let error = update(&places, now(), put("x")).unwrap_err();
        assert!(error.to_string().contains("others can write it"), "{error}");
    }
}
