//! The folder of one bundle's programs: one is built beside the others, and put in its place whole.
//!
//! `installed/gh@1/2.40.1-0a1b2c3d4e5f/…` is a program, `installed/gh@1/.building-…` one that is being made, and
//! `receipt.json` says which one counts. One process at a time holds the lock, so whatever is being built when the lock
//! is got was left by a process that died.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::installed::{folder, receipt};
use super::progress::Progress;
use super::recipe::Word;
use crate::files::atomic;
use crate::files::lock::{Lock, LockError};
use crate::files::untrusted::FileError;
use crate::places::Places;

/// How long another installation of the same bundle may take.
const WAIT: Duration = Duration::from_secs(2 * 60 * 60);
/// How the name of what is being built begins.
const BUILDING: &str = ".building-";
/// How many names are tried.
const ATTEMPTS: usize = 100;
/// Up to how many files are written out one by one.
const FEW: usize = 256;

/// The folder.
#[derive(Debug)]
pub(super) struct Shelf {
    path: PathBuf,
}

/// A program that is being made. What is dropped is removed.
#[derive(Debug)]
pub(super) struct Build {
    root: PathBuf,
    /// What will be kept.
    pub(super) own: PathBuf,
    /// What will not.
    pub(super) scratch: PathBuf,
}

impl Shelf {
    /// Returns the folder of a bundle; it is made when something is put in.
    pub(super) fn of(places: &Places, id: &str) -> Result<Self, FileError> {
        match folder(places, id) {
            Some(path) => Ok(Self { path }),
            None => Err(FileError::io(
                Path::new(id),
                io::ErrorKind::InvalidFilename.into(),
            )),
        }
    }

    /// Waits until nobody else installs this bundle.
    pub(super) fn lock(&self, progress: &dyn Progress) -> Result<Lock, LockError> {
        let path = self.path.join("install");
        match Lock::of(&path, Duration::ZERO) {
            Err(LockError::Busy { .. }) => {
                progress.step("waiting for another installation of the same program");
                Lock::of(&path, WAIT)
            }
            done => done,
        }
    }

    /// Removes what processes that died left behind, and programs that no receipt names. The lock is held.
    pub(super) fn sweep(&self, places: &Places, id: &str) {
        atomic::sweep_locked(&self.path);
        let kept = receipt(places, id).map(|installed| installed.program);
        let Ok(entries) = fs::read_dir(&self.path) else {
            return;
        };
        for entry in entries.filter_map(Result::ok) {
            let path = entry.path();
            let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_directory && !kept.as_ref().is_some_and(|program| program.starts_with(&path)) {
                remove(&path);
            }
        }
    }

    /// Makes room for a program. The lock is held.
    pub(super) fn build(&self) -> Result<Build, FileError> {
        atomic::make_directory(&self.path)?;
        let mut random = [0; 8];
        getrandom::fill(&mut random)
            .map_err(|error| FileError::io(&self.path, io::Error::other(error.to_string())))?;
        let name = format!("{BUILDING}{:016x}", u64::from_ne_bytes(random));
        // Programs that are told their own path want it without symlinks.
        let shelf = self
            .path
            .canonicalize()
            .map_err(|error| FileError::io(&self.path, error))?;
        let root = shelf.join(name);
        let build = Build {
            own: root.join("own"),
            scratch: root.join("scratch"),
            root,
        };
        for path in [&build.root, &build.own, &build.scratch] {
            fs::create_dir(path)
                .and_then(|()| fs::set_permissions(path, Permissions::from_mode(0o755)))
                .map_err(|error| FileError::io(path, error))?;
        }
        Ok(build)
    }

    /// Puts what was built in its place, and returns that and where `program` is then. The name says the version and the
    /// file.
    pub(super) fn place(
        &self,
        build: &Build,
        program: &Path,
        version: &str,
        digits: &str,
    ) -> Result<(PathBuf, PathBuf), FileError> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
        let version: String = version.chars().filter(|c| plain(*c)).take(64).collect();
        let version = version.trim_start_matches('.');
        let digits: String = digits.chars().take(12).collect();
        let shelf = self
            .path
            .canonicalize()
            .map_err(|error| FileError::io(&self.path, error))?;
        let mut names = (0..ATTEMPTS).map(|count| match count {
            0 => format!("{version}-{digits}"),
            count => format!("{version}-{digits}-{count}"),
        });
        let free = names.find(|name| shelf.join(name).symlink_metadata().is_err());
        let place = shelf.join(free.unwrap_or_else(|| format!("{version}-{digits}-x")));
        let fail = |error| FileError::io(&place, error);
        let below = program
            .strip_prefix(&build.own)
            .map_err(|_| fail(io::Error::from(io::ErrorKind::NotFound)))?;
        retell(program, &build.own, &place)?;
        sync(&build.own).map_err(fail)?;
        fs::rename(&build.own, &place).map_err(fail)?;
        File::open(&shelf)
            .and_then(|shelf| shelf.sync_all())
            .map_err(fail)?;
        let program = place.join(below);
        Ok((place, program))
    }
}

impl Build {
    /// Returns a word with the two folders filled in.
    pub(super) fn fill(&self, word: &Word) -> std::ffi::OsString {
        match word {
            Word::Text(text) => text.into(),
            Word::Own(below) => below_of(&self.own, below).into_os_string(),
            Word::Scratch(below) => below_of(&self.scratch, below).into_os_string(),
        }
    }

    /// Returns the path that a word means.
    pub(super) fn path(&self, word: &Word) -> PathBuf {
        self.fill(word).into()
    }
}

impl Drop for Build {
    fn drop(&mut self) {
        remove(&self.root);
    }
}

fn below_of(top: &Path, below: &str) -> PathBuf {
    match below {
        "" => top.to_owned(),
        below => top.join(below),
    }
}

/// Removes a directory, also one whose parts cannot be written. What cannot be removed is left to the next sweep.
fn remove(path: &Path) {
    if fs::remove_dir_all(path).is_err() {
        open_up(path, 0);
        let _ = fs::remove_dir_all(path);
    }
}

fn open_up(path: &Path, depth: usize) {
    let _ = fs::set_permissions(path, Permissions::from_mode(0o700));
    let Ok(entries) = fs::read_dir(path) else { return };
    for entry in entries.filter_map(Result::ok).filter(|_| depth < 128) {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_up(&entry.path(), depth + 1);
        }
    }
}

/// Scripts beside the program may hold the path of the folder that they were made in (those of a virtual environment
/// do): it is replaced by the one that they will be in.
fn retell(program: &Path, from: &Path, to: &Path) -> Result<(), FileError> {
    /// The longest script.
    const LONGEST: u64 = 1 << 20;
    let (Some(from), Some(to), Some(folder)) = (from.to_str(), to.to_str(), program.parent()) else {
        return Ok(());
    };
    let Ok(entries) = fs::read_dir(folder) else {
        return Ok(());
    };
    for entry in entries.filter_map(Result::ok) {
        let path = entry.path();
        let fits = |found: &fs::Metadata| found.is_file() && found.len() <= LONGEST;
        if !path.symlink_metadata().is_ok_and(|found| fits(&found)) {
            continue;
        }
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        if text.contains(from) {
            fs::write(&path, text.replace(from, to)).map_err(|error| FileError::io(&path, error))?;
        }
    }
    Ok(())
}

/// Writes everything below `path` out to the disk.
fn sync(path: &Path) -> io::Result<()> {
    let mut all = Vec::new();
    gather(path, &mut all)?;
    if all.len() > FEW {
        return Ok(rustix::fs::syncfs(File::open(path)?)?);
    }
    all.iter().try_for_each(|path| File::open(path)?.sync_all())
}

/// Lists files and directories, until there are too many to be written out one by one.
fn gather(path: &Path, all: &mut Vec<PathBuf>) -> io::Result<()> {
    all.push(path.to_owned());
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if all.len() > FEW {
            return Ok(());
        }
        if kind.is_dir() {
            gather(&entry.path(), all)?;
        } else if kind.is_file() {
            all.push(entry.path());
        }
    }
    Ok(())
}
