//! Versions that programs were found to have, kept on disk by which file the program is.
//!
//! A file that changed (device, number, size, times) or a check that changed has to be asked again. What is kept is a
//! convenience: what cannot be read or written is asked again, too.

use std::path::{Path, PathBuf};

use argrail_spec::cli_md::VersionCheck;
use argrail_spec::digest::Hasher;
use argrail_spec::identity::Identity;
use serde::{Deserialize, Serialize};

use super::error::VersionError;
use super::observe::{Asking, Observed, observe};
use crate::files::atomic::{self, Access, Durability};
use crate::files::identity;
use crate::files::untrusted::{self, Keeper, Links, Reading};
use crate::places::Places;

/// The longest entry.
const LONGEST: u64 = 4096;

/// The place of known versions.
#[derive(Debug, Clone)]
pub struct Known {
    folder: PathBuf,
}

/// One entry.
#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    file: String,
    version: String,
}

impl Known {
    /// Returns that of a user.
    pub fn of(places: &Places) -> Self {
        Self {
            folder: places.versions(),
        }
    }

    /// Returns the version that this program was found to have, if it is still the same file. Judged anew: the range
    /// may have changed.
    pub fn recall(&self, check: &VersionCheck, program: &Path) -> Option<Observed> {
        let now = identity::look(program).ok()??;
        let reading = Reading {
            keeper: Keeper::Trusted,
            links: Links::Refuse,
            limit: LONGEST,
        };
        let found = untrusted::read(&self.path(check, program), &reading).ok()??;
        let entry: Entry = serde_json::from_slice(&found.bytes).ok()?;
        (entry.file == numbers(&now)).then_some(())?;
        Observed::judge(check, &entry.version)
    }

    /// Returns the version of a program: the known one, or what it says now, which is then known.
    ///
    /// # Errors
    /// When it is not known and cannot be asked.
    pub fn observe(&self, asking: &Asking<'_>) -> Result<Observed, VersionError> {
        if let Some(observed) = self.recall(asking.check, asking.program) {
            return Ok(observed);
        }
        let before = identity::look(asking.program).ok().flatten();
        let observed = observe(asking)?;
        if let Some(before) = before {
            self.remember(asking.check, asking.program, &before, &observed.version);
        }
        Ok(observed)
    }

    /// Remembers a version. `file` is what the program was before it was asked; if it is another now, nothing is kept.
    pub fn remember(&self, check: &VersionCheck, program: &Path, file: &Identity, version: &str) {
        if identity::look(program).ok().flatten().as_ref() != Some(file) {
            return;
        }
        let entry = Entry {
            file: numbers(file),
            version: version.to_owned(),
        };
        if let Ok(text) = serde_json::to_vec(&entry) {
            let path = self.path(check, program);
            let _ = atomic::replace(&path, &text, Access::Private, Durability::Cached);
        }
    }

    fn path(&self, check: &VersionCheck, program: &Path) -> PathBuf {
        let mut name = Hasher::default();
        name.field(program.as_os_str().as_encoded_bytes());
        name.field(check.cmd.as_str());
        name.field(check.parse.as_str());
        let digits = name.finish().to_string().replace("sha256:", "");
        self.folder.join(format!("{digits}.json"))
    }
}

fn numbers(file: &Identity) -> String {
    format!(
        "{}.{}.{}.{}.{}",
        file.device, file.inode, file.size, file.mtime, file.ctime
    )
}
