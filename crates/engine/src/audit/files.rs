//! All files of the record as they are at one moment, the oldest first.
//!
//! The file that is written is opened before the others are listed, so that one which becomes full meanwhile is not
//! missed and not read twice.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::directory::{Directory, Identity, identity, open_to_read};
use super::error::RecordError;
use crate::files::lock::{WAIT, locked};

/// How often the file that is written may become another while we wait for its writer.
const TRIES: u32 = 100;

/// The files of the record.
#[derive(Debug)]
pub(super) struct Files {
    /// Full ones, the oldest first.
    full: Vec<PathBuf>,
    /// The one that is written, and how long it was.
    log: Option<(File, u64)>,
    /// Which file that is.
    which: Option<Identity>,
    path: PathBuf,
}

/// One of the files, open.
#[derive(Debug)]
pub(super) struct Source {
    /// What it is called.
    pub(super) name: String,
    pub(super) path: PathBuf,
    pub(super) file: File,
    /// How much of it counts.
    pub(super) size: u64,
}

impl Files {
    /// Finds them, without waiting for writers. The last line may be one that is just being written.
    pub(super) fn find(directory: &Path) -> Result<Self, RecordError> {
        let directory = Directory::new(directory);
        let path = directory.log();
        let mut written: Option<Identity> = None;
        let log = match open_to_read(path)? {
            Some(file) => {
                let (which, size) = identity(&file, path)?;
                written = Some(which);
                Some((file, size))
            }
            None => None,
        };
        let mut full = Vec::new();
        for segment in directory.segments()? {
            let same = open_to_read(&segment.path)?
                .map(|file| identity(&file, &segment.path))
                .transpose()?;
            if same.is_some_and(|(which, _)| Some(which) != written) {
                full.push(segment.path);
            }
        }
        Ok(Self {
            full,
            log,
            which: written,
            path: path.to_owned(),
        })
    }

    /// Finds them between two writers: every line is whole.
    pub(super) fn settled(directory: &Path) -> Result<Self, RecordError> {
        if !directory.is_dir() {
            return Self::find(directory);
        }
        let directory = Directory::new(directory);
        let log = directory.log();
        for _ in 0..TRIES {
            let Some(file) = open_to_read(log)? else { break };
            let (before, _) = identity(&file, log)?;
            let _held = locked(file, log, WAIT)?;
            let files = Self::find(directory.path())?;
            if files.which == Some(before) {
                return Ok(files);
            }
        }
        Self::find(directory.path())
    }

    /// How long the file is that is written; none if there is none.
    pub(super) fn written(&self) -> Option<u64> {
        self.log.as_ref().map(|(_, size)| *size)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.full.len() + usize::from(self.log.is_some())
    }

    /// Opens one of them. `None`: there are no more, or it is gone.
    pub(super) fn open(&self, index: usize) -> Result<Option<Source>, RecordError> {
        let (path, opened) = match self.full.get(index) {
            Some(path) => {
                let Some(file) = open_to_read(path)? else {
                    return Ok(None);
                };
                let (_, size) = identity(&file, path)?;
                (path, (file, size))
            }
            None => match self.log.as_ref().filter(|_| index == self.full.len()) {
                Some((file, size)) => {
                    let file = file.try_clone().map_err(RecordError::io(&self.path))?;
                    (&self.path, (file, *size))
                }
                None => return Ok(None),
            },
        };
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let (file, size) = opened;
        Ok(Some(Source {
            name,
            path: path.clone(),
            file,
            size,
        }))
    }
}
