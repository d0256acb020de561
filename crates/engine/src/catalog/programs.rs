//! Which file a name starts: the programs of `PATH`, in directories that only we and the system can fill.
//!
//! A directory of a project that nobody trusts has no word, and one of a trusted project comes last: neither takes a
//! name from the machine's own programs.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use argrail_spec::atip::check_tool_name;
use rustix::fs::{Access, AtFlags, CWD, accessat};

use super::scan::{Belongs, Directories, Eyes, user};

/// The most names that are listed.
const MOST: usize = 20_000;

/// Where programs are looked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Programs {
    directories: Vec<PathBuf>,
    /// Files that the configuration names, by the name that starts them. They win.
    named: BTreeMap<String, PathBuf>,
}

impl Programs {
    /// Checks the directories of `path`, the value of `PATH`. `belongs` says whose a directory is.
    pub fn of(path: Option<&OsStr>, belongs: &dyn Fn(&Path) -> Belongs) -> Self {
        let entries = path.map(std::env::split_paths).into_iter().flatten();
        let eyes = Eyes { uid: user(), belongs };
        Self {
            directories: Directories::of(entries, &eyes).list,
            named: BTreeMap::new(),
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
        let files = self.directories.iter().map(|directory| directory.join(name));
        files.into_iter().find(|file| is_program(file))
    }

    /// Returns the name of everything that looks like a program, each once.
    pub fn names(&self) -> Vec<String> {
        let mut names: HashSet<String> = self.named.keys().cloned().collect();
        for directory in &self.directories {
            let Ok(entries) = std::fs::read_dir(directory) else {
                continue;
            };
            let found = entries
                .flatten()
                .filter_map(|entry| entry.file_name().into_string().ok());
            names.extend(found.take(MOST).filter(|name| check_tool_name(name).is_ok()));
        }
        let mut names: Vec<String> = names.into_iter().take(MOST).collect();
        names.sort_unstable();
        names
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

/// Whether this is a file that we may execute, as the kernel would decide.
fn is_program(file: &Path) -> bool {
    file.metadata().is_ok_and(|meta| meta.is_file())
        && accessat(CWD, file, Access::EXEC_OK, AtFlags::EACCESS).is_ok()
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
        assert_eq!(Programs::of(None, &belongs).find("ls"), None);
    }
}
