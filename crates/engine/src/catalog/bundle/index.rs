//! The heads of the data home's bundles, remembered: a list of two hundred bundles reads no manifest that did not
//! change.
//!
//! The index is a cache: whatever is wrong with it, the manifests are read instead, and it is written anew.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use argrail_spec::cli_md;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::CLI;
use super::head::{About, BundleHead, BundleOrigin};
use crate::catalog::resolve::Problem;
use crate::files::atomic::{self, Access, Durability};
use crate::files::identity;
use crate::files::untrusted::{self, Keeper, Links, Reading};
use crate::places::Places;

/// How deep bundles may lie below their directory: categories in categories.
const DEEPEST: usize = 8;
/// The most folders that are looked into.
const FOLDERS: usize = 10_000;
/// The longest manifest, and the longest index.
const LONGEST: u64 = 1 << 20;
const LONGEST_INDEX: u64 = 64 << 20;
/// What the index is, so that another version's is none.
const VERSION: u32 = 1;

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Index {
    version: u32,
    /// By the folder, from the directory of bundles.
    bundles: BTreeMap<String, Entry>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Entry {
    /// Which file was read.
    file: Value,
    /// What it said, or why it could not be used.
    said: Result<About, String>,
}

/// Returns the heads of all bundles of the data home, and what could not be used.
pub(super) fn heads(places: &Places) -> (Vec<BundleHead>, Vec<Problem>) {
    // Pins name folders without symlinks.
    let top = places.bundles();
    let top = top.canonicalize().unwrap_or(top);
    let folders = folders(&top, CLI);
    if folders.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let file = places.discovery().join("bundles.json");
    let mut old = remembered(&file);
    let mut new = Index {
        version: VERSION,
        bundles: BTreeMap::new(),
    };
    let mut changed = old.bundles.len() != folders.len();
    for folder in &folders {
        let Some(name) = folder.strip_prefix(&top).ok().and_then(Path::to_str) else {
            continue;
        };
        let known = stamp(folder).and_then(|file| {
            let entry = old.bundles.remove(name)?;
            (entry.file == file).then_some(entry)
        });
        let entry = known.or_else(|| {
            changed = true;
            read(folder)
        });
        new.bundles.extend(entry.map(|entry| (name.to_owned(), entry)));
    }
    if changed && let Ok(text) = serde_json::to_vec(&new) {
        // Who cannot write a cache reads the manifests again next time.
        let _ = atomic::replace(&file, &text, Access::Private, Durability::Cached);
    }
    let (mut heads, mut problems) = (Vec::new(), Vec::new());
    for (name, entry) in new.bundles {
        let root = top.join(name);
        match entry.said {
            Ok(about) => heads.push(BundleHead {
                root,
                origin: BundleOrigin::Home,
                about,
            }),
            Err(why) => problems.push(Problem::new(&root.join(CLI), why)),
        }
    }
    (heads, problems)
}

/// Lists the folders below one that hold a manifest of this name, sorted. What lies below one of them is its own.
pub fn folders(top: &Path, manifest: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    find(top, manifest, 0, &mut FOLDERS.clone(), &mut found);
    found.sort();
    found
}

fn find(folder: &Path, manifest: &str, depth: usize, left: &mut usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let mut below = Vec::new();
    for entry in entries.flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_file() && entry.file_name() == manifest {
            found.push(folder.to_owned());
            return;
        }
        if kind.is_dir() && !entry.file_name().as_encoded_bytes().starts_with(b".") {
            below.push(entry.path());
        }
    }
    for folder in below {
        if depth == DEEPEST || *left == 0 {
            return;
        }
        *left -= 1;
        find(&folder, manifest, depth + 1, left, found);
    }
}

fn stamp(folder: &Path) -> Option<Value> {
    let meta = folder.join(CLI).symlink_metadata().ok()?;
    serde_json::to_value(identity::of(&meta)).ok()
}

fn read(folder: &Path) -> Option<Entry> {
    let file = stamp(folder)?;
    let said = read_text(folder, LONGEST).and_then(|text| {
        let loaded = cli_md::load(&text).map_err(|refused| refused.to_string())?;
        Ok(About::of(&loaded.manifest, &text))
    });
    Some(Entry { file, said })
}

fn read_text(folder: &Path, limit: u64) -> Result<Vec<u8>, String> {
    let reading = Reading {
        keeper: Keeper::Anybody,
        links: Links::Refuse,
        limit,
    };
    match untrusted::read(&folder.join(CLI), &reading) {
        Ok(Some(found)) => Ok(found.bytes),
        Ok(None) => Err("it is gone".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn remembered(path: &Path) -> Index {
    let reading = Reading {
        keeper: Keeper::Trusted,
        links: Links::Refuse,
        limit: LONGEST_INDEX,
    };
    let found = untrusted::read(path, &reading).ok().flatten();
    let index: Option<Index> = found.and_then(|found| serde_json::from_slice(&found.bytes).ok());
    index.filter(|index| index.version == VERSION).unwrap_or_default()
}
