//! Whether files are still what they were, without reading them: who has read them need not read them again.

use std::path::{Path, PathBuf};

use crate::files::identity::{self, Identity};

/// What some files and directories were at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprint {
    paths: Vec<PathBuf>,
    found: Vec<Option<Identity>>,
}

impl Fingerprint {
    /// Looks at the files. One that is not there is part of it, too.
    pub fn of(paths: Vec<PathBuf>) -> Self {
        let found = paths.iter().map(|path| look(path)).collect();
        Self { paths, found }
    }

    /// Whether all of them still are what they were.
    pub fn holds(&self) -> bool {
        self.paths
            .iter()
            .zip(&self.found)
            .all(|(path, found)| look(path) == *found)
    }
}

fn look(path: &Path) -> Option<Identity> {
    path.metadata().ok().map(|meta| identity::of(&meta))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use argrail_testkit::Home;

    use super::*;

    #[test]
    fn a_change_an_addition_and_a_loss_are_seen() {
        let home = Home::new();
        let (file, absent) = (home.root().join("a.json"), home.root().join("b.json"));
        fs::write(&file, "1").unwrap();
        let look = || Fingerprint::of(vec![file.clone(), absent.clone(), home.root().to_owned()]);
        let before = look();
        assert!(before.holds());
        fs::write(&file, "22").unwrap();
        assert!(!before.holds());
        let changed = look();
        fs::write(&absent, "").unwrap();
        assert!(!changed.holds());
        let added = look();
        fs::remove_file(&file).unwrap();
        assert!(!added.holds());
    }
}
