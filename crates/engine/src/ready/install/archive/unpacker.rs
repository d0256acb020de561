//! Writes entries into the directory: files and directories as they come, links at the end.
//!
//! Links come last so that no entry is ever written through one. Modes are ours: files can be read, and started if
//! their owner could; nothing runs as somebody else.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use super::entry_name::EntryName;
use super::error::ArchiveError;

/// The most entries.
const ENTRIES: usize = 200_000;
/// Bits by which a file runs as its owner or its group.
const SETUID: u32 = 0o6000;

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Taken {
    Directory,
    File,
    Link,
}

/// A directory that is filled.
#[derive(Debug)]
pub(super) struct Unpacker<'d> {
    directory: &'d Path,
    taken: BTreeMap<EntryName, Taken>,
    links: Vec<(EntryName, String)>,
    entries: usize,
}

impl<'d> Unpacker<'d> {
    /// Fills a directory that is there and empty.
    pub(super) fn new(directory: &'d Path) -> Self {
        Self {
            directory,
            taken: BTreeMap::new(),
            links: Vec::new(),
            entries: 0,
        }
    }

    /// Makes a directory. One that is there is fine.
    pub(super) fn directory(&mut self, name: &EntryName) -> Result<(), ArchiveError> {
        self.count()?;
        self.parents(name)?;
        if name.is_top() {
            return Ok(());
        }
        match self.taken.insert(name.clone(), Taken::Directory) {
            None => make(&self.at(name)),
            Some(Taken::Directory) => Ok(()),
            Some(Taken::File | Taken::Link) => Err(twice(name)),
        }
    }

    /// Writes a file.
    pub(super) fn file(
        &mut self,
        name: &EntryName,
        mode: u32,
        contents: &mut dyn Read,
    ) -> Result<(), ArchiveError> {
        self.claim(name, Taken::File)?;
        if mode & SETUID != 0 {
            return Err(ArchiveError::Setuid { name: name.shown() });
        }
        let mode = if mode & 0o100 == 0 { 0o644 } else { 0o755 };
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(mode)
            .open(self.at(name))
            .map_err(ArchiveError::Disk)?;
        copy(contents, &mut file)?;
        file.set_permissions(Permissions::from_mode(mode))
            .map_err(ArchiveError::Disk)
    }

    /// Gives a file that was written another name.
    pub(super) fn hard_link(&mut self, name: &EntryName, target: &[u8]) -> Result<(), ArchiveError> {
        let target = EntryName::parse(target)?;
        if self.taken.get(&target) != Some(&Taken::File) {
            return Err(ArchiveError::Link {
                name: name.shown(),
                target: target.shown(),
                problem: "no file of that name came before it",
            });
        }
        self.claim(name, Taken::File)?;
        fs::hard_link(self.at(&target), self.at(name)).map_err(ArchiveError::Disk)
    }

    /// Remembers a symlink.
    pub(super) fn symlink(&mut self, name: &EntryName, target: &[u8]) -> Result<(), ArchiveError> {
        let target = name.check_target(target)?;
        self.claim(name, Taken::Link)?;
        self.links.push((name.clone(), target));
        Ok(())
    }

    /// Makes the links.
    pub(super) fn finish(self) -> Result<(), ArchiveError> {
        for (name, target) in &self.links {
            symlink(target, self.at(name)).map_err(ArchiveError::Disk)?;
        }
        Ok(())
    }

    fn at(&self, name: &EntryName) -> PathBuf {
        self.directory.join(name.path())
    }

    fn count(&mut self) -> Result<(), ArchiveError> {
        self.entries += 1;
        match self.entries > ENTRIES {
            true => Err(ArchiveError::TooMuch { what: "entries" }),
            false => Ok(()),
        }
    }

    fn claim(&mut self, name: &EntryName, as_what: Taken) -> Result<(), ArchiveError> {
        self.count()?;
        self.parents(name)?;
        if name.is_top() || self.taken.insert(name.clone(), as_what).is_some() {
            return Err(twice(name));
        }
        Ok(())
    }

    fn parents(&mut self, name: &EntryName) -> Result<(), ArchiveError> {
        for parent in name.parents() {
            match self.taken.get(&parent) {
                Some(Taken::Directory) => {}
                Some(Taken::File | Taken::Link) => return Err(twice(&parent)),
                None => {
                    make(&self.at(&parent))?;
                    self.count()?;
                    self.taken.insert(parent, Taken::Directory);
                }
            }
        }
        Ok(())
    }
}

fn twice(name: &EntryName) -> ArchiveError {
    ArchiveError::Twice { name: name.shown() }
}

fn make(path: &Path) -> Result<(), ArchiveError> {
    fs::create_dir(path).map_err(ArchiveError::Disk)?;
    fs::set_permissions(path, Permissions::from_mode(0o755)).map_err(ArchiveError::Disk)
}

/// Copies, and tells a fault of the archive from one of the disk.
fn copy(from: &mut dyn Read, to: &mut dyn io::Write) -> Result<(), ArchiveError> {
    let mut buffer = vec![0; 64 << 10];
    loop {
        let count = match from.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(ArchiveError::of_reading(&error)),
        };
        to.write_all(buffer.get(..count).unwrap_or_default())
            .map_err(ArchiveError::Disk)?;
    }
}
