//! Lists of managers, read within bounds.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The longest list that is read.
const LONGEST: u64 = 8 << 20;
/// The most entries of a folder that are looked at.
const MOST: usize = 20_000;

/// Returns the beginning of a file, if it is one that can be read.
pub(super) fn read(path: &Path) -> Option<Vec<u8>> {
    let file = File::open(path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(LONGEST).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Returns the paths in a folder whose names fit, sorted.
pub(super) fn entries(folder: &Path, fits: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let Ok(read) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = read
        .take(MOST)
        .flatten()
        .filter(|entry| entry.file_name().to_str().is_some_and(&fits))
        .map(|entry| entry.path())
        .collect();
    paths.sort();
    paths
}

/// Whether one of the lines begins so and ends there, or goes on behind a comma.
pub(super) fn has_line(text: &[u8], line: &str) -> bool {
    text.split(|byte| *byte == b'\n').any(|row| {
        row.strip_prefix(line.as_bytes())
            .is_some_and(|rest| matches!(rest.first(), None | Some(b',' | b'\r')))
    })
}
