//! Dropping what is old or too much. Many processes may do it at once: what another removed is gone.

use std::fs::{self, DirEntry, File};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use rustix::fs::{FlockOperation, flock};

use super::id::OutputId;
use super::shelf::{Keep, is_older};

/// How the name of an output begins that is still coming.
pub(super) const DRAFT: &str = ".draft-";

/// Between making a directory and locking it nobody may take it for abandoned.
const YOUNG: Duration = Duration::from_secs(60);

struct Entry {
    modified: SystemTime,
    path: PathBuf,
    bytes: u64,
}

/// Removes what is too old, what was left behind, and the oldest of what is too much. Returns how many bytes stay, those
/// among them that are still coming.
pub(super) fn sweep(keep: &Keep, now: SystemTime) -> u64 {
    let Ok(entries) = fs::read_dir(&keep.directory) else {
        return 0;
    };
    let mut total = 0;
    let mut kept = Vec::new();
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if OutputId::parse(&name).is_some() {
            if let Some(entry) = measured(&entry) {
                total += entry.bytes;
                kept.push(entry);
            }
        } else if name.starts_with(DRAFT) {
            total += abandon(&entry, now);
        }
    }
    kept.sort_by(|a, b| (a.modified, &a.path).cmp(&(b.modified, &b.path)));
    let mut count = kept.len();
    for entry in kept {
        let surplus = total > keep.limits.total || count > keep.limits.count;
        if surplus || is_older(entry.modified, keep.limits.age, now) {
            let _ = fs::remove_dir_all(&entry.path);
            total = total.saturating_sub(entry.bytes);
            count -= 1;
        }
    }
    total
}

fn measured(entry: &DirEntry) -> Option<Entry> {
    let path = entry.path();
    let found = fs::symlink_metadata(&path).ok()?;
    let files = fs::read_dir(&path).ok()?.filter_map(Result::ok);
    let bytes = files
        .filter_map(|file| file.metadata().ok())
        .map(|file| file.len())
        .sum();
    Some(Entry {
        modified: found.modified().ok()?,
        path,
        bytes,
    })
}

/// Removes a draft whose process is gone; returns how much one takes that is still coming.
fn abandon(entry: &DirEntry, now: SystemTime) -> u64 {
    let Some(measured) = measured(entry) else { return 0 };
    let dead = is_older(measured.modified, YOUNG, now)
        && File::open(&measured.path).is_ok_and(|folder| {
            let ours = folder
                .metadata()
                .is_ok_and(|found| found.uid() == rustix::process::geteuid().as_raw());
            ours && flock(&folder, FlockOperation::NonBlockingLockExclusive).is_ok()
        });
    if dead {
        let _ = fs::remove_dir_all(&measured.path);
        return 0;
    }
    measured.bytes
}
