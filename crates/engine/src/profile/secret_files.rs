//! The places of credentials in one home, as they are on disk: what counts as one, and what is left of a tree without them.
//!
//! The list is [`secret_places`]. It is held against what a description says and against where that leads, so that a link
//! gets past neither.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use argrail_spec::secret_places::{Certainty, Relation, SecretPlace, says_credential, secret_places};

use super::glob::expand;
use super::spot::Spot;
use crate::files::untrusted::open_at_once;

/// The most entries of one directory that are shown one by one.
const ENTRIES: usize = 2048;
/// How deep below a tree the places of the list lie, at most.
const DEEPEST: usize = 8;
/// The longest settings that are looked at. What is longer counts as a credential.
const LONGEST: u64 = 256 * 1024;

/// The places of credentials in a home.
#[derive(Debug, Clone, Copy)]
pub(super) struct SecretFiles<'h> {
    home: &'h Path,
}

impl<'h> SecretFiles<'h> {
    pub(super) fn of(home: &'h Path) -> Self {
        Self { home }
    }

    /// Whether an absolute path is at or below a place.
    pub(super) fn hold(self, path: &Path) -> bool {
        secret_places().any(|place| self.is_within(&place, path))
    }

    fn is_within(self, place: &SecretPlace, path: &Path) -> bool {
        match (place.relation(path, self.home), place.certainty) {
            (Relation::Apart | Relation::Holds, _) => false,
            (Relation::Within, Certainty::Always) => true,
            (Relation::Within, Certainty::IfItSaysSo) => says_so(path),
        }
    }

    /// Whether something, which `named` led to, is or holds credentials.
    pub(super) fn touch(self, spot: &Spot, named: &Path) -> bool {
        let holds = || match spot {
            Spot::File(_) => false,
            Spot::Tree(tree) => !self.below(tree, named).is_empty(),
        };
        self.hold(spot.path()) || self.hold(named) || holds()
    }

    /// Returns what is left of something to be shown, which `named` led to: itself, or its parts without credentials.
    pub(super) fn without(self, spot: Spot, named: &Path) -> Vec<Spot> {
        if self.hold(spot.path()) || self.hold(named) {
            return Vec::new();
        }
        let Spot::Tree(tree) = &spot else {
            return vec![spot];
        };
        let hidden = self.below(tree, named);
        if hidden.is_empty() {
            return vec![spot];
        }
        let mut parts = Vec::new();
        split(tree, &hidden, DEEPEST, &mut parts);
        parts
    }

    /// Returns every credential that is there, where it really is.
    pub(super) fn there(self) -> Vec<PathBuf> {
        let mut all = Vec::new();
        for place in secret_places() {
            let found = self.found(&place).unwrap_or_default().into_iter();
            let found = found.filter(|path| self.is_within(&place, path));
            all.extend(found.filter_map(|path| path.canonicalize().ok()));
        }
        all
    }

    /// Where the credentials below a tree really are. One that is not there hides nothing.
    fn below(self, tree: &Path, named: &Path) -> Vec<PathBuf> {
        let mut hidden: Vec<PathBuf> = Vec::new();
        for place in secret_places() {
            let is_below = [tree, named]
                .iter()
                .any(|tree| place.relation(tree, self.home) == Relation::Holds);
            if !is_below {
                continue;
            }
            let Some(found) = self.found(&place) else {
                return vec![tree.to_owned()];
            };
            for path in found.into_iter().filter(|path| self.is_within(&place, path)) {
                hidden.extend(path.canonicalize());
                hidden.push(path);
            }
        }
        hidden
    }

    /// What is there of a place: itself, or what its pattern stands for, unless that is too much to look at.
    fn found(self, place: &SecretPlace) -> Option<Vec<PathBuf>> {
        let path = match place.at.strip_prefix("~/") {
            Some(rest) => self.home.join(rest),
            None => PathBuf::from(place.at),
        };
        let mut budget = ENTRIES;
        expand(&path, &mut budget)
    }
}

/// Adds every part of a directory that holds nothing hidden. Links are left out: they may lead anywhere.
fn split(directory: &Path, hidden: &[PathBuf], deep: usize, parts: &mut Vec<Spot>) {
    let (Ok(entries), Some(deep)) = (fs::read_dir(directory), deep.checked_sub(1)) else {
        return;
    };
    for entry in entries.flatten().take(ENTRIES) {
        let path = entry.path();
        let Ok(kind) = entry.file_type() else { continue };
        if hidden.iter().any(|hidden| path.starts_with(hidden)) {
            continue;
        }
        if kind.is_dir() && hidden.iter().any(|hidden| hidden.starts_with(&path)) {
            split(&path, hidden, deep, parts);
        } else if kind.is_dir() {
            parts.push(Spot::Tree(path));
        } else if kind.is_file() {
            parts.push(Spot::File(path));
        }
    }
}

/// Whether a file says something that may be a credential. One that is not there says nothing; one that cannot be read may.
fn says_so(path: &Path) -> bool {
    if path.symlink_metadata().is_err() {
        return false;
    }
    let mut text = Vec::new();
    let read = open_at_once(path).is_ok_and(|file| file.take(LONGEST + 1).read_to_end(&mut text).is_ok());
    let whole = u64::try_from(text.len()).is_ok_and(|length| length <= LONGEST);
    !read || !whole || says_credential(&String::from_utf8_lossy(&text))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use argrail_testkit::Home;

    use super::*;

    /// What is shown of a path below the home, from the home on.
    fn shown(home: &Path, path: &str) -> Vec<String> {
        let named = home.join(path);
        let real = named.canonicalize().unwrap();
        let spot = match real.is_dir() {
            true => Spot::Tree(real),
            false => Spot::File(real),
        };
        let parts = SecretFiles::of(home).without(spot, &named);
        let mut parts: Vec<String> = parts
            .iter()
            .map(|spot| spot.path().strip_prefix(home).unwrap().display().to_string())
            .collect();
        parts.sort();
        parts
    }

    fn ground() -> (Home, PathBuf) {
        let home = Home::new();
        let root = home.root().canonicalize().unwrap().join("home");
        (home, root)
    }

    fn put(home: &Path, file: &str, text: &str) {
        let path = home.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn a_tree_is_shown_without_the_credentials_in_it() {
        let (_kept, home) = ground();
        for file in ["bin/c", "registry/x", "config.toml", "credentials.toml", "env"] {
            put(&home, &format!(".cargo/{file}"), "");
        }
        let rest = [
            ".cargo/bin",
            ".cargo/config.toml",
            ".cargo/env",
            ".cargo/registry",
        ];
        assert_eq!(shown(&home, ".cargo"), rest);
        assert_eq!(shown(&home, ".cargo/credentials.toml"), [""; 0]);
        assert_eq!(shown(&home, ".cargo/bin"), [".cargo/bin"]);
        // By what it says.
        put(&home, ".cargo/config.toml", "[registry]\ntoken = \"x\"\n");
        assert_eq!(
            shown(&home, ".cargo"),
            [".cargo/bin", ".cargo/env", ".cargo/registry"]
        );
        assert_eq!(shown(&home, ".cargo/config.toml"), [""; 0]);
    }

    #[test]
    fn nothing_but_what_is_there_makes_a_difference() {
        let (_kept, home) = ground();
        put(&home, ".cargo/bin/c", "");
        assert_eq!(shown(&home, ".cargo"), [".cargo"]);
    }

    #[test]
    fn a_place_far_below_is_found() {
        let (_kept, home) = ground();
        put(&home, ".local/share/keyrings/login", "");
        put(&home, ".local/share/app/x", "");
        put(&home, ".local/bin/x", "");
        assert_eq!(shown(&home, ".local"), [".local/bin", ".local/share/app"]);
    }

    #[test]
    fn links_get_past_nothing() {
        let (_kept, home) = ground();
        put(&home, ".aws/credentials", "");
        put(&home, ".cargo/real", "");
        put(&home, ".cargo/bin/c", "");
        symlink("real", home.join(".cargo/credentials.toml")).unwrap();
        symlink(".aws", home.join(".harmless")).unwrap();
        symlink("../.aws", home.join(".cargo/cloud")).unwrap();
        assert_eq!(shown(&home, ".cargo"), [".cargo/bin"]);
        assert_eq!(shown(&home, ".harmless"), [""; 0]);
        // Settings that live elsewhere.
        put(&home, "dot/config/containers/auth.json", "");
        put(&home, "dot/config/containers/storage.conf", "");
        symlink("dot/config", home.join(".config")).unwrap();
        assert_eq!(
            shown(&home, ".config/containers"),
            ["dot/config/containers/storage.conf"]
        );
    }
}
