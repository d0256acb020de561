//! Where calls happen: the home, the working directory, the roots, and what the host has around them.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::secret_files::SecretFiles;
use super::spot::Spot;
use crate::files::find_program;

/// The most entries of a home that are shown when the home itself is a root.
const ENTRIES: usize = 512;

/// The surroundings of a call. All paths are absolute and without symlinks.
#[derive(Debug, Clone)]
pub struct Ground {
    /// The home.
    pub home: PathBuf,
    /// The working directory.
    pub directory: PathBuf,
    /// Directories that calls work in.
    pub roots: Vec<PathBuf>,
    /// Directories in which programs are looked for, after they were checked.
    pub search: Vec<PathBuf>,
    /// Directories of argrail's own, which no call sees.
    pub own: Vec<PathBuf>,
    /// Directories of programs that argrail installed, which no call changes.
    pub installed: PathBuf,
    /// Globs of what a person denies: no call sees it.
    pub denied: Vec<String>,
    /// Variables of the host. Few are passed on.
    pub environment: BTreeMap<OsString, OsString>,
}

impl Ground {
    /// Returns what the roots show, and what should be known about that.
    ///
    /// The home is never shown as a whole: keys live in it. Where it is a root itself, what has no dot in front is.
    pub(super) fn spots(&self) -> (Vec<Spot>, Vec<String>) {
        let mut spots = Vec::new();
        let mut notes = Vec::new();
        for root in &self.roots {
            if *root == self.home {
                let secrets = SecretFiles::of(&self.home);
                let entries = entries(root).into_iter();
                spots.extend(entries.flat_map(|spot| {
                    let named = spot.path().to_owned();
                    secrets.without(spot, &named)
                }));
                notes.push("the home is a root: what starts with a dot in it is not shown".to_owned());
            } else if self.holds_home(root) {
                notes.push("a root that holds the home is not shown".to_owned());
            } else {
                let (parts, note) = self.root(root);
                spots.extend(parts);
                notes.extend(note);
            }
        }
        spots.sort();
        spots.dedup();
        (spots, notes)
    }

    /// What a root shows: all of it, unless it is a directory of settings with credentials in it. Who works in a place of
    /// credentials itself has chosen that.
    fn root(&self, root: &Path) -> (Vec<Spot>, Option<String>) {
        let secrets = SecretFiles::of(&self.home);
        let whole = Spot::Tree(root.to_owned());
        if secrets.hold(root) || !secrets.touch(&whole, root) {
            return (vec![whole], None);
        }
        let note =
            "a root holds credentials: it is shown without them, and nothing new can be made beside them";
        (secrets.without(whole, root), Some(note.to_owned()))
    }

    /// Whether nothing of the working directory is shown: it is above the home.
    pub(crate) fn hides_directory(&self) -> bool {
        self.directory != self.home && self.holds_home(&self.directory)
    }

    /// Whether a directory is the home or above it.
    pub(super) fn holds_home(&self, directory: &Path) -> bool {
        self.home.starts_with(directory)
    }

    /// Finds a program by its name where programs are looked for.
    pub(super) fn find(&self, name: &str) -> Option<PathBuf> {
        find_program(name, &self.search)
    }
}

/// What stands in a home and has no dot in front. Links are left out: they may lead anywhere.
fn entries(home: &Path) -> Vec<Spot> {
    let Ok(read) = fs::read_dir(home) else {
        return Vec::new();
    };
    let visible = read
        .flatten()
        .filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."));
    let spots = visible.filter_map(|entry| {
        let kind = entry.file_type().ok()?;
        if kind.is_dir() {
            Some(Spot::Tree(entry.path()))
        } else {
            kind.is_file().then(|| Spot::File(entry.path()))
        }
    });
    spots.take(ENTRIES).collect()
}

#[cfg(test)]
mod tests {
    use argrail_testkit::Home;

    use super::*;

    #[test]
    fn a_root_of_settings_is_shown_without_credentials() {
        let made = Home::new();
        let home = made.root().canonicalize().unwrap().join("home");
        for file in [
            ".config/gh/hosts.yml",
            ".config/app/x",
            ".config/y",
            "code/z",
            "snap/app/token",
        ] {
            let path = home.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let shown = |root: &str| {
            let root = home.join(root).canonicalize().unwrap();
            let ground = Ground {
                home: home.clone(),
                directory: root.clone(),
                roots: vec![root],
                search: Vec::new(),
                own: Vec::new(),
                installed: home.join("installed"),
                denied: Vec::new(),
                environment: BTreeMap::new(),
            };
            let (spots, notes) = ground.spots();
            let names = spots.iter().map(|spot| spot.path().strip_prefix(&home).unwrap());
            let names: Vec<String> = names.map(|path| path.display().to_string()).collect();
            (names, notes.len())
        };
        let some = |names: &[&str], notes: usize| {
            (
                names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>(),
                notes,
            )
        };
        assert_eq!(shown(".config"), some(&[".config/y", ".config/app"], 1));
        assert_eq!(shown("code"), some(&["code"], 0));
        assert_eq!(shown(""), some(&["code"], 1));
        // Who works in a place of credentials itself has chosen that.
        assert_eq!(shown(".config/gh"), some(&[".config/gh"], 0));
    }
}
