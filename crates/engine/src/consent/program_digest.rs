//! What programs are, byte by byte: read once, and again when the file is another.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use argrail_spec::digest::Digest;
use argrail_spec::identity::Identity;

use crate::files::identity::{MAX_EXECUTABLE, fingerprint, look};

/// The most programs that are remembered.
const KEPT: usize = 256;

/// Digests of programs, by the files that had them.
#[derive(Debug, Default)]
pub(crate) struct ProgramDigests(Mutex<HashMap<PathBuf, (Identity, Digest)>>);

impl ProgramDigests {
    /// Returns the digest of the program at `path` as it is now; nothing if there is none. Of one that cannot be read
    /// it is that of which file it is and when it changed.
    pub(crate) fn of(&self, path: &Path) -> Option<Digest> {
        let now = look(path).ok().flatten()?;
        let known = self
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(path)
            .copied();
        if let Some((_, digest)) = known.filter(|(identity, _)| *identity == now) {
            return Some(digest);
        }
        // Without the lock: a large program takes its time.
        let Ok(found) = fingerprint(path, MAX_EXECUTABLE) else {
            return Some(Digest::of(format!("{now:?}")));
        };
        let found = found?;
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(path.to_owned(), (found.identity, found.digest));
        Some(found.digest)
    }
}

#[cfg(test)]
mod tests {
    use argrail_testkit::Home;

    use super::*;
    use crate::files::identity::testing::rewrite;

    #[test]
    fn a_program_that_changed_in_place_has_another_digest() {
        let home = Home::new();
        let path = home.work().join("tool");
        std::fs::write(&path, "#!/bin/sh\necho good\n").unwrap();
        let digests = ProgramDigests::default();
        let first = digests.of(&path).unwrap();
        assert_eq!(digests.of(&path), Some(first));
        rewrite(&path, "#!/bin/sh\necho evil\n");
        assert_eq!(digests.of(&path), Some(Digest::of("#!/bin/sh\necho evil\n")));
        assert_eq!(digests.of(&home.work().join("none")), None);
        // What cannot be read is told apart, too: here, two directories.
        let (work, root) = (digests.of(&home.work()), digests.of(home.root()));
        assert!(work.is_some() && work != root);
    }
}
