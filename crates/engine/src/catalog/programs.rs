//! Which file a name starts: the programs of `PATH`, in directories that only we and the system can fill.
//!
//! A directory of a project that nobody trusts has no word, and one of a trusted project comes last: neither takes a
//! name from the machine's own programs.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsStr;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use argrail_spec::atip::check_tool_name;

use super::scan::{Belongs, Directories, Eyes, user};
use crate::files::is_program;

/// The most names of one directory that are listed.
const MAX_LISTED_NAMES: usize = 20_000;

/// Where programs are looked for, as it was when the first was.
#[derive(Debug, Clone, Default)]
pub struct Programs {
    directories: Vec<PathBuf>,
    /// Files that the configuration names, by the name that starts them. They win.
    named: BTreeMap<String, PathBuf>,
    /// Read when a name is looked for first. Asking for each of some hundred names in each directory would be thousands of
    /// system calls.
    listed: OnceLock<Arc<PathListing>>,
}

/// What the directories hold.
#[derive(Debug, Default)]
struct PathListing {
    /// In which directories a name stands, in their order.
    names: HashMap<String, Vec<usize>>,
    /// Directories that cannot be listed, or not as a whole. They are asked for each name.
    unlisted: Vec<usize>,
}

impl PathListing {
    fn of(directories: &[PathBuf]) -> Self {
        let mut listing = Self::default();
        let mut seen = HashSet::new();
        for (index, directory) in directories.iter().enumerate() {
            // `/bin` leads to `/usr/bin` on most machines: what stands there was found in the first of the two.
            let same = directory.metadata().map(|meta| (meta.dev(), meta.ino()));
            if same.is_ok_and(|identity| !seen.insert(identity)) {
                continue;
            }
            let Ok(mut entries) = std::fs::read_dir(directory) else {
                listing.unlisted.push(index);
                continue;
            };
            for entry in entries.by_ref().take(MAX_LISTED_NAMES).flatten() {
                if let Ok(name) = entry.file_name().into_string()
                    && check_tool_name(&name).is_ok()
                {
                    listing.names.entry(name).or_default().push(index);
                }
            }
            if entries.next().is_some() {
                listing.unlisted.push(index);
            }
        }
        listing
    }

    /// Returns the directories in which a name may stand, in their order.
    fn places(&self, name: &str) -> Vec<usize> {
        let known = self.names.get(name).map(Vec::as_slice).unwrap_or_default();
        let mut places = [known, &self.unlisted].concat();
        places.sort_unstable();
        places.dedup();
        places
    }
}

impl PartialEq for Programs {
    fn eq(&self, other: &Self) -> bool {
        (&self.directories, &self.named) == (&other.directories, &other.named)
    }
}

impl Eq for Programs {}

impl Programs {
    /// Checks the directories of `path`, the value of `PATH`. `belongs` says whose a directory is.
    pub fn of(path: Option<&OsStr>, belongs: &dyn Fn(&Path) -> Belongs) -> Self {
        let entries = path.map(std::env::split_paths).into_iter().flatten();
        let eyes = Eyes { uid: user(), belongs };
        Self {
            directories: Directories::of(entries, &eyes).list,
            named: BTreeMap::new(),
            listed: OnceLock::new(),
        }
    }

    /// Adds files that the user's configuration names. One in a project that nobody trusts has no word, and no more has
    /// one that others can write.
    #[must_use]
    pub fn with_named(
        mut self,
        named: impl IntoIterator<Item = (String, PathBuf)>,
        belongs: &dyn Fn(&Path) -> Belongs,
    ) -> Self {
        let eyes = Eyes { uid: user(), belongs };
        self.named = named
            .into_iter()
            .filter(|(_, path)| is_kept(path, &eyes) && is_program(path))
            .collect();
        self
    }

    /// Returns the files that the configuration names, by name.
    pub fn named(&self) -> impl Iterator<Item = (&str, &Path)> {
        let named = self.named.iter();
        named.map(|(name, path)| (name.as_str(), path.as_path()))
    }

    /// Returns the directories, in the order in which names win.
    pub fn directories(&self) -> &[PathBuf] {
        &self.directories
    }

    /// Returns the file that `name` starts.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        check_tool_name(name).ok()?;
        if let Some(path) = self.named.get(name).filter(|path| is_program(path)) {
            return Some(path.clone());
        }
        let places = self.listing().places(name).into_iter();
        let mut files = places.filter_map(|index| Some(self.directories.get(index)?.join(name)));
        files.find(|file| is_program(file))
    }

    /// Returns the name of everything that looks like a program, each once.
    pub fn names(&self) -> Vec<String> {
        let listed = self.listing().names.keys();
        let mut names: Vec<String> = listed.chain(self.named.keys()).cloned().collect();
        names.sort_unstable();
        names.dedup();
        names.truncate(MAX_LISTED_NAMES);
        names
    }

    fn listing(&self) -> &PathListing {
        self.listed
            .get_or_init(|| Arc::new(PathListing::of(&self.directories)))
    }
}

/// Whether the directory of a file is one that only we and the system can fill.
fn is_kept(path: &Path, eyes: &Eyes<'_>) -> bool {
    let Some(directory) = path
        .canonicalize()
        .ok()
        .and_then(|real| Some(real.parent()?.to_owned()))
    else {
        return false;
    };
    !Directories::of([directory], eyes).list.is_empty()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use argrail_testkit::Home;

    use super::*;

    #[test]
    fn a_project_takes_no_name_and_an_untrusted_one_has_none() {
        let home = Home::new();
        let folder = |name: &str| home.root().join(name);
        for (directory, names) in [
            ("theirs", vec!["ls", "evil"]),
            ("trusted", vec!["ls", "own"]),
            ("machine", vec!["ls", "text"]),
        ] {
            fs::create_dir(folder(directory)).unwrap();
            for name in names {
                let mode = if name == "text" { 0o644 } else { 0o755 };
                fs::write(folder(directory).join(name), "").unwrap();
                fs::set_permissions(folder(directory).join(name), fs::Permissions::from_mode(mode)).unwrap();
            }
        }
        let path = std::env::join_paths(["theirs", "trusted", "machine"].map(folder)).unwrap();
        let belongs = |directory: &Path| match directory.file_name().and_then(OsStr::to_str) {
            Some("theirs") => Belongs::Untrusted,
            Some("trusted") => Belongs::Trusted,
            Some(_) | None => Belongs::Machine,
        };
        let programs = Programs::of(Some(&path), &belongs);
        assert_eq!(programs.find("ls"), Some(folder("machine").join("ls")));
        assert_eq!(programs.find("own"), Some(folder("trusted").join("own")));
        assert_eq!(programs.find("evil"), None);
        assert_eq!(programs.find("text"), None);
        assert_eq!(programs.find("../machine/ls"), None);
        assert_eq!(programs.names(), ["ls", "own", "text"]);
        // The same directory by another name adds nothing and takes nothing away.
        std::os::unix::fs::symlink(folder("machine"), folder("link")).unwrap();
        let path = std::env::join_paths(["link", "machine", "trusted"].map(folder)).unwrap();
        let programs = Programs::of(Some(&path), &belongs);
        assert_eq!(programs.find("ls"), Some(folder("link").join("ls")));
        assert_eq!(programs.names(), ["ls", "own", "text"]);
        assert_eq!(Programs::of(None, &belongs).find("ls"), None);
    }
}
