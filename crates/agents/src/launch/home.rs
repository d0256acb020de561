//! The home that an agent has to itself: `HOME` and `~` in its sandbox, and nobody else's.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use argrail_acli::{Error, Text};

/// Makes the home if it is not there, for its owner alone, and returns it without symlinks.
pub(super) fn make(home: &Path) -> Result<PathBuf, Error> {
    let failed = |error: io::Error| {
        let what = Text::new("the agent's home {} cannot be used: {}")
            .value(home.to_string_lossy())
            .value(error.to_string());
        Error::new(argrail_acli::Code::ExecutionError, what)
            .hint("See that the directory belongs to you and that nobody else can write it")
    };
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(home)
        .map_err(failed)?;
    let meta = home.symlink_metadata().map_err(failed)?;
    // A link leads somewhere that somebody else chose.
    if !meta.is_dir() || meta.uid() != rustix::process::geteuid().as_raw() {
        return Err(failed(io::ErrorKind::PermissionDenied.into()));
    }
    if meta.permissions().mode() & 0o077 != 0 {
        fs::set_permissions(home, fs::Permissions::from_mode(0o700)).map_err(failed)?;
    }
    home.canonicalize().map_err(failed)
}

/// Lists the homes of the other agents beside one.
pub(super) fn beside(home: &Path) -> Vec<PathBuf> {
    let entries = home.parent().and_then(|top| fs::read_dir(top).ok());
    let entries = entries.into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .filter(|path| path != home)
        .collect()
}
