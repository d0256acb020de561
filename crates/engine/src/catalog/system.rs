//! The directories of definitions for all users (ATIP §3.3.1), and which of them count.
//!
//! Their words may relax what is known about a tool, so only root may have been able to write them: the directory
//! and all above it belong to root and are closed to others.

use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::files::untrusted::FileError;
use crate::places::Places;

/// Which system directories count, and which do not.
#[derive(Debug, Default)]
pub struct SystemDirectories {
    /// Those that count, in the order in which they are asked; symlinks resolved.
    pub trusted: Vec<PathBuf>,
    /// Those that are there and do not count, with the reason.
    pub refused: Vec<FileError>,
}

/// Looks at the system directories. What is not there is left out.
pub fn system_directories(places: &Places) -> SystemDirectories {
    let mut all = SystemDirectories::default();
    for path in places.system() {
        match check(path) {
            Ok(Some(real)) if !all.trusted.contains(&real) => all.trusted.push(real),
            Ok(_) => {}
            Err(problem) => all.refused.push(problem),
        }
    }
    all
}

fn check(path: &Path) -> Result<Option<PathBuf>, FileError> {
    let real = match path.canonicalize() {
        Ok(real) => real,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(FileError::io(path, error)),
    };
    for folder in real.ancestors() {
        let found = folder.metadata().map_err(|error| FileError::io(folder, error))?;
        let untrusted = |problem| FileError::Untrusted {
            path: folder.to_owned(),
            problem,
        };
        if !found.is_dir() {
            return Err(untrusted("not a directory"));
        }
        if found.uid() != 0 {
            return Err(untrusted("does not belong to root"));
        }
        if found.permissions().mode() & 0o022 != 0 {
            return Err(untrusted("others can write it"));
        }
    }
    Ok(Some(real))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::fs;

    use argrail_testkit::Home;

    use super::*;

    #[test]
    fn only_what_root_alone_can_write_counts() {
        let home = Home::new();
        let share = home.work().join("share");
        fs::create_dir_all(share.join("agent-tools")).unwrap();
        let dirs = std::env::join_paths([share.as_path(), Path::new("/nowhere")]).unwrap();
        let places = Places::new(|name| match name {
            "HOME" => Some(OsString::from("/h")),
            "XDG_DATA_DIRS" => Some(dirs.clone()),
            _ => None,
        });
        let found = system_directories(&places.unwrap());
        // Ours when we are a plain user; root's when we are root, and then below a directory that all may write.
        assert_eq!(found.refused.len(), 1, "{found:?}");
        assert!(
            found
                .refused
                .iter()
                .all(|error| matches!(error, FileError::Untrusted { .. }))
        );
        assert!(!found.trusted.iter().any(|path| path.starts_with(home.root())));
        assert_eq!(check(Path::new("/usr")).unwrap(), Some(PathBuf::from("/usr")));
        assert!(check(Path::new("/dev/null")).is_err());
    }
}
