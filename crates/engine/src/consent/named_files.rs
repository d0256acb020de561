//! The files that stand among the words of a call, as they are when a person is asked.
//!
//! Every path that may be meant is looked at ([`named_paths`]). What the call only reads is kept
//! with its bytes, and the run sees those; of everything else the digest is held against the file right before the run.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use argrail_acli::Error;
use argrail_spec::digest::Digest;
use argrail_spec::identity::Identity;

use super::named_paths::{By, named_paths};
use super::only_read::{is_writable, only_read};
use crate::files::identity;
use crate::files::untrusted::open_at_once;
use crate::policy::Facts;
use crate::profile::Profile;

/// The most bytes of one file that are kept, and of all.
const ONE: u64 = 16 << 20;
const ALL: u64 = 64 << 20;
/// The largest file whose bytes are looked at.
const LARGEST: u64 = 1 << 30;

/// What stands at a path.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Found {
    /// Nothing.
    Absent,
    /// A directory, and where it really is: a link to one can be made to lead elsewhere.
    Directory(Option<PathBuf>),
    /// A pipe, a socket, a device.
    Special,
    /// A file.
    File {
        /// What its bytes are.
        digest: Digest,
        /// How many.
        bytes: u64,
        /// The bytes, where the run sees these.
        kept: Option<Arc<[u8]>>,
    },
    /// A file whose bytes were not looked at: too many, or not ours to read.
    Unread(Identity),
}

/// A path among the words.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NamedFile {
    /// Absolute, as it is written.
    pub(crate) path: PathBuf,
    /// What stands there.
    pub(crate) found: Found,
}

/// The files of one call.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct NamedFiles(Vec<NamedFile>);

impl NamedFiles {
    /// Looks up every word of a call that starts in `directory` and runs in `profile`.
    ///
    /// # Errors
    /// When there are too many words for anybody to agree to.
    pub(crate) fn of(
        facts: &Facts,
        directory: &Path,
        home: &Path,
        profile: Option<&Profile>,
    ) -> Result<Self, Error> {
        let mut left = ALL;
        let mut files: Vec<NamedFile> = Vec::new();
        for named in named_paths(facts, directory, home)? {
            let path = named.path;
            let keeps = profile.is_some_and(|profile| {
                let reads = match named.by {
                    By::Word => only_read(facts, &path, directory, home, profile),
                    By::Chance => !is_writable(&path, profile),
                };
                reads && profile.shows(&path) && is_itself(&path)
            });
            let found = look(&path, keeps.then(|| left.min(ONE)));
            if let Found::File {
                bytes, kept: Some(_), ..
            } = &found
            {
                left = left.saturating_sub(*bytes);
            }
            files.push(NamedFile { path, found });
        }
        Ok(Self(files))
    }

    /// Returns the files as they are now. Kept bytes stay what they are: the run sees them, whatever became of the file.
    pub(crate) fn now(&self) -> Self {
        let again = |file: &NamedFile| match &file.found {
            Found::File { kept: Some(_), .. } => file.clone(),
            Found::File { kept: None, .. }
            | Found::Absent
            | Found::Directory(_)
            | Found::Special
            | Found::Unread(_) => NamedFile {
                path: file.path.clone(),
                found: look(&file.path, None),
            },
        };
        Self(self.0.iter().map(again).collect())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &NamedFile> {
        self.0.iter()
    }

    /// Returns the bytes that the run sees, by path.
    pub(crate) fn kept(&self) -> impl Iterator<Item = (&Path, &Arc<[u8]>)> {
        self.0.iter().filter_map(|file| match &file.found {
            Found::File {
                kept: Some(bytes), ..
            } => Some((file.path.as_path(), bytes)),
            Found::File { kept: None, .. }
            | Found::Absent
            | Found::Directory(_)
            | Found::Special
            | Found::Unread(_) => None,
        })
    }
}

/// Whether no link is on the way: one could be made to lead elsewhere meanwhile.
fn is_itself(path: &Path) -> bool {
    path.canonicalize().is_ok_and(|real| real == path)
}

/// Looks at a path. The bytes of a file are kept if there are no more than `most`; without that, in no case.
fn look(path: &Path, most: Option<u64>) -> Found {
    let Ok(meta) = path.metadata() else {
        return Found::Absent;
    };
    if meta.is_dir() {
        return Found::Directory(path.canonicalize().ok());
    }
    if !meta.is_file() {
        return Found::Special;
    }
    let most = most.filter(|most| meta.len() <= *most);
    let kept = most.and_then(|most| bytes(path, most));
    if let Some(kept) = kept {
        return Found::File {
            digest: Digest::of(&kept),
            bytes: u64::try_from(kept.len()).unwrap_or(u64::MAX),
            kept: Some(kept.into()),
        };
    }
    match identity::fingerprint(path, LARGEST) {
        Ok(Some(found)) => Found::File {
            digest: found.digest,
            bytes: found.identity.size,
            kept: None,
        },
        Ok(None) => Found::Absent,
        Err(_) => Found::Unread(identity::of(&meta)),
    }
}

fn bytes(path: &Path, most: u64) -> Option<Vec<u8>> {
    let file = open_at_once(path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes).ok()?;
    u64::try_from(bytes.len())
        .is_ok_and(|length| length <= most)
        .then_some(bytes)
}
