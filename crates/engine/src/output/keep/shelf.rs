//! The directory of kept outputs.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustix::fs::{Mode, OFlags, openat};
use rustix::process::geteuid;
use serde::{Deserialize, Serialize};

use super::draft::Draft;
use super::error::KeepError;
use super::id::OutputId;
use super::page::{self, Page, Want};
use super::sweep::sweep;
use crate::output::Stream;

/// The file that says whose an output is.
pub(super) const ABOUT: &str = "about.json";

/// The longest such file that is read.
const ABOUT_BYTES: u64 = 64 * 1024;

/// How much is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeepLimits {
    /// Of one output, both streams together.
    pub output: u64,
    /// Of all together.
    pub total: u64,
    /// How many outputs.
    pub count: usize,
    /// For how long.
    pub age: Duration,
}

impl Default for KeepLimits {
    fn default() -> Self {
        Self {
            output: 256 << 20,
            total: 1 << 30,
            count: 1024,
            age: Duration::from_secs(24 * 60 * 60),
        }
    }
}

/// Where outputs are kept.
#[derive(Debug, Clone)]
pub struct Keep {
    pub(super) directory: PathBuf,
    pub(super) limits: KeepLimits,
}

/// Whose an output is, and how long it was.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct About {
    pub(super) account: String,
    pub(super) stdout: u64,
    pub(super) stderr: u64,
}

impl Keep {
    /// Keeps outputs in `directory`, which is made when the first one comes.
    pub fn new(directory: PathBuf) -> Self {
        Self::with_limits(directory, KeepLimits::default())
    }

    /// Keeps no more than this.
    pub fn with_limits(directory: PathBuf, limits: KeepLimits) -> Self {
        Self { directory, limits }
    }

    /// Returns a place for the output of one call. Nothing is made before something is written.
    pub fn draft(&self, account: &str) -> Draft {
        Draft::new(self.clone(), account)
    }

    /// Removes what is too old, what was left behind, and what is too much.
    pub(crate) fn sweep_expired(&self, now: SystemTime) {
        sweep(self, now);
    }

    /// Reads a part of an output.
    ///
    /// # Errors
    /// When there is no such output for this caller, or the part is not there.
    pub fn read(&self, account: &str, id: &str, want: Want) -> Result<Page, KeepError> {
        self.read_at(account, id, want, SystemTime::now())
    }

    pub(super) fn read_at(
        &self,
        account: &str,
        id: &str,
        want: Want,
        now: SystemTime,
    ) -> Result<Page, KeepError> {
        let missing = || KeepError::Missing { given: id.to_owned() };
        let id = OutputId::parse(id).ok_or_else(missing)?;
        let (about, file) = self.open(&id, want.stream, now).ok_or_else(missing)?;
        if about.account != account {
            return Err(missing());
        }
        let total = match want.stream {
            Stream::Stdout => about.stdout,
            Stream::Stderr => about.stderr,
        };
        page::read(file, total, want)
    }

    /// Opens what an output consists of, following no link. A stream that was empty has no file.
    fn open(&self, id: &OutputId, stream: Stream, now: SystemTime) -> Option<(About, Option<File>)> {
        let folder = OpenOptions::new()
            .read(true)
            .custom_flags((OFlags::NOFOLLOW | OFlags::DIRECTORY).bits().cast_signed())
            .open(self.directory.join(id.as_str()))
            .ok()?;
        let found = folder.metadata().ok()?;
        if found.uid() != geteuid().as_raw() || is_older(found.modified().ok()?, self.limits.age, now) {
            return None;
        }
        let open = |name: &str| {
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
            let file = File::from(openat(&folder, name, flags, Mode::empty()).ok()?);
            file.metadata().ok()?.is_file().then_some(file)
        };
        let mut text = Vec::new();
        open(ABOUT)?.take(ABOUT_BYTES).read_to_end(&mut text).ok()?;
        let about = serde_json::from_slice(&text).ok()?;
        Some((about, open(stream.as_str())))
    }

    /// Makes the directory, for its owner alone.
    pub(super) fn make(&self) -> io::Result<()> {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.directory)?;
        let found = fs::symlink_metadata(&self.directory)?;
        if !found.is_dir() || found.uid() != geteuid().as_raw() {
            return Err(io::Error::other("the directory of outputs is not ours"));
        }
        if found.permissions().mode() & 0o077 != 0 {
            fs::set_permissions(&self.directory, Permissions::from_mode(0o700))?;
        }
        Ok(())
    }
}

/// Whether something is older than `age`. A clock that was set back makes nothing old.
pub(super) fn is_older(modified: SystemTime, age: Duration, now: SystemTime) -> bool {
    now.duration_since(modified).is_ok_and(|passed| passed > age)
}

/// Makes a file that nobody else has.
pub(super) fn create(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .custom_flags(OFlags::NOFOLLOW.bits().cast_signed())
        .open(path)
}
