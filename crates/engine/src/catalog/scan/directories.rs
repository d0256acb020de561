//! The directories that are scanned: those of `PATH`, or others in their place, without the ones that somebody else
//! can fill.
//!
//! A program of the same name found earlier wins, so a directory that others can write to decides what runs. Such a
//! directory is left out and said: world-writable, somebody else's, relative, or inside a project that nobody trusts.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::Metadata;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::skipped::Skipped;

/// The most directories that are looked at.
pub const MOST: usize = 512;
/// Anybody may write.
const WORLD: u32 = 0o002;
/// Only owners may rename and remove.
const STICKY: u32 = 0o1000;

/// What is scanned, in the order in which names win.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Directories {
    /// The directories, as they were named.
    pub list: Vec<PathBuf>,
    /// The others.
    pub skipped: Vec<Skipped>,
}

/// Who looks, and whose word counts.
pub struct Eyes<'e> {
    /// The user that scans.
    pub uid: u32,
    /// Whose a directory, without symlinks, is.
    pub belongs: &'e dyn Fn(&Path) -> Belongs,
}

/// Whose a directory is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Belongs {
    /// The machine's or the user's.
    Machine,
    /// A project's that somebody trusts: it comes last, so that it takes no name from the others.
    Trusted,
    /// A project's that nobody trusts.
    Untrusted,
}

impl Directories {
    /// Looks at each entry. The same directory under a second name is left out without a word.
    pub fn of(entries: impl IntoIterator<Item = PathBuf>, eyes: &Eyes<'_>) -> Self {
        let mut found = Self::default();
        let mut seen = HashSet::new();
        let mut named = HashSet::new();
        let mut projects = Vec::new();
        let mut beyond: Option<PathBuf> = None;
        for entry in entries {
            if !named.insert(entry.clone()) {
                continue;
            }
            if named.len() > MOST {
                beyond.get_or_insert(entry);
                continue;
            }
            match check(&entry, eyes) {
                Ok((meta, belongs)) if seen.insert((meta.dev(), meta.ino())) => match belongs {
                    Belongs::Machine => found.list.push(entry),
                    Belongs::Trusted => projects.push(entry),
                    Belongs::Untrusted => found.skipped.push(Skipped::new(entry, UNTRUSTED)),
                },
                Ok(_) => {}
                Err(reason) => found.skipped.push(Skipped::new(entry, reason)),
            }
        }
        found.list.extend(projects);
        if let Some(first) = beyond {
            let reason = format!(
                "there are {} directories, and only the first {MOST} are looked at: this one and those after it are not",
                named.len()
            );
            // Before those that are not there: it is what a person should know.
            found.skipped.insert(0, Skipped::new(first, reason));
        }
        found
    }
}

/// Returns how many directories `path`, a value of `PATH`, has, where those are more than are looked at.
pub fn too_many(path: &OsStr) -> Option<usize> {
    let named: HashSet<PathBuf> = std::env::split_paths(path).collect();
    Some(named.len()).filter(|count| *count > MOST)
}

const UNTRUSTED: &str = "inside a project that is not trusted; run 'argrail trust' there first";

fn check(entry: &Path, eyes: &Eyes<'_>) -> Result<(Metadata, Belongs), String> {
    if entry.as_os_str().is_empty() {
        return Err("an empty entry means the working directory, which anybody may have filled".to_owned());
    }
    if !entry.is_absolute() {
        return Err("a relative entry means something else in each directory".to_owned());
    }
    let real = entry.canonicalize().map_err(|error| missing(&error))?;
    let meta = real.metadata().map_err(|error| missing(&error))?;
    if !meta.is_dir() {
        return Err("not a directory".to_owned());
    }
    if meta.uid() != eyes.uid && meta.uid() != 0 {
        return Err(format!("belongs to somebody else (user {})", meta.uid()));
    }
    if meta.permissions().mode() & WORLD != 0 {
        return Err("anybody can write to it".to_owned());
    }
    if let Some(above) = real.ancestors().skip(1).find(|above| can_be_exchanged(above)) {
        return Err(format!(
            "anybody can put another in its place, in {}",
            above.display()
        ));
    }
    let belongs = (eyes.belongs)(&real);
    Ok((meta, belongs))
}

fn missing(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "not there".to_owned(),
        io::ErrorKind::NotADirectory => "not a directory".to_owned(),
        io::ErrorKind::PermissionDenied => "not readable".to_owned(),
        _ => format!("cannot be looked at: {error}"),
    }
}

/// Whether anybody may rename what is in a directory.
fn can_be_exchanged(directory: &Path) -> bool {
    directory
        .metadata()
        .is_ok_and(|meta| meta.permissions().mode() & (WORLD | STICKY) == WORLD)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use argrail_testkit::Home;

    use super::*;

    fn mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn only_directories_that_nobody_else_fills_are_scanned() {
        let home = Home::new();
        let root = home.root();
        let us = rustix::process::geteuid().as_raw();
        for name in ["ours", "good", "open", "project/bin", "loose/inner"] {
            fs::create_dir_all(root.join(name)).unwrap();
        }
        mode(&root.join("open"), 0o777);
        mode(&root.join("loose"), 0o777);
        fs::write(root.join("file"), "").unwrap();
        symlink("good", root.join("again")).unwrap();
        symlink("loop", root.join("loop")).unwrap();
        let project = root.join("project");
        let belongs = |path: &Path| {
            if path.starts_with(&project) {
                Belongs::Untrusted
            } else if path.ends_with("ours") {
                Belongs::Trusted
            } else {
                Belongs::Machine
            }
        };
        let names = [
            "ours",
            "good",
            "again",
            "good",
            "open",
            "project/bin",
            "loose/inner",
            "file",
            "gone",
            "loop",
        ];
        let absolute = names.iter().map(|name| root.join(name));
        let relative = ["", ".", "bin"].map(PathBuf::from);
        let look = |uid| {
            let eyes = Eyes {
                uid,
                belongs: &belongs,
            };
            Directories::of(absolute.clone().chain(relative.clone()), &eyes)
        };
        let found = look(us);
        assert_eq!(found.list, [root.join("good"), root.join("ours")]);
        let reasons: Vec<(String, &str)> = found
            .skipped
            .iter()
            .map(|skipped| {
                let path = skipped.path.strip_prefix(root).unwrap_or(&skipped.path);
                let start = skipped.reason.split([',', ';', '(', ':']).next().unwrap().trim();
                (path.display().to_string(), start)
            })
            .collect();
        let want = [
            ("open", "anybody can write to it"),
            ("project/bin", "inside a project that is not trusted"),
            ("loose/inner", "anybody can put another in its place"),
            ("file", "not a directory"),
            ("gone", "not there"),
        ];
        for (path, reason) in want {
            assert!(
                reasons.contains(&(path.to_owned(), reason)),
                "{path}: {reasons:?}"
            );
        }
        assert_eq!(reasons.len(), 9, "{reasons:?}");
        // To another user the same directories are somebody else's, unless they are root's.
        if us != 0 {
            assert_eq!(look(us + 1).list, Vec::<PathBuf>::new());
        }
    }
}
