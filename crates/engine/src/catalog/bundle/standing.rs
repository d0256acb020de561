//! Whether a bundle is what a person accepted.
//!
//! A bundle of a project stands and falls with the project. One of the data home is pinned by its folder, as a project
//! is: every file counts. For a call only texts are read again, since nothing else of the folder is run: programs run
//! from where they were installed to, and are compared when they are.

use std::collections::BTreeMap;
use std::path::Path;

use argrail_spec::digest::Digest;
use argrail_spec::trust::{FilePin, ProjectPin, TrustFile};
use jiff::Timestamp;

use crate::catalog::project::{Bounds, ProjectError, Walk};

/// How a bundle stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BundleStanding {
    /// A person accepted it, and it is what they saw.
    Accepted,
    /// Nobody was asked: it is only a claim.
    Unpinned,
    /// It is not what a person accepted; the files that differ.
    Changed(Vec<String>),
}

/// Compares the folder of a bundle with what was accepted.
pub fn standing(
    trust: &TrustFile,
    root: &Path,
    digests: &BTreeMap<String, Option<Digest>>,
) -> BundleStanding {
    let Some(pin) = root.to_str().and_then(|root| trust.projects.get(root)) else {
        return BundleStanding::Unpinned;
    };
    let unknown = digests.keys().filter(|name| !pin.files.contains_key(*name));
    let differs = |(name, accepted): (&String, &FilePin)| {
        let same = match (accepted, digests.get(name)) {
            (FilePin::Plain(before) | FilePin::Executable(before), Some(Some(now))) => before == now,
            // Not read, or a link, which leads nowhere here.
            (FilePin::Plain(_) | FilePin::Executable(_), Some(None)) | (FilePin::Link(_), None) => true,
            (FilePin::Plain(_) | FilePin::Executable(_), None) | (FilePin::Link(_), Some(_)) => false,
        };
        (!same).then(|| name.clone())
    };
    let mut changed: Vec<String> = unknown.cloned().collect();
    changed.extend(pin.files.iter().filter_map(differs));
    match changed.is_empty() {
        true => BundleStanding::Accepted,
        false => BundleStanding::Changed(changed),
    }
}

/// Pins the folder of a bundle as it is now, every file of it. `root` has its symlinks resolved.
///
/// # Errors
/// When something cannot be read or pinned, or there is too much.
pub fn pin(root: &Path, now: Timestamp) -> Result<ProjectPin, ProjectError> {
    let mut walk = Walk::new(root, Bounds::default());
    walk.add(root)?;
    Ok(ProjectPin {
        digest: walk.tree.digest(),
        files: walk.tree.files.into_iter().collect(),
        remotes: Vec::new(),
        at: Timestamp::from_second(now.as_second()).unwrap_or(now),
        extra: Default::default(),
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use argrail_testkit::Home;

    use super::super::folder::gather;
    use super::*;

    #[test]
    fn a_bundle_is_accepted_until_a_text_or_a_name_changes() {
        let check = |change: &dyn Fn(&Path), want: &[&str]| {
            let home = Home::new()
                .file("b/CLI.md", "a")
                .file("b/tools/x/TOOL.md", "x")
                .file("b/bin/x", "program");
            let root = home.work().join("b");
            let mut trust = TrustFile::default();
            assert_eq!(
                standing(&trust, &root, &gather(&root).unwrap().digests),
                BundleStanding::Unpinned
            );
            let pinned = pin(&root, Timestamp::UNIX_EPOCH).unwrap();
            trust.projects.insert(root.to_str().unwrap().to_owned(), pinned);
            change(&root);
            let found = standing(&trust, &root, &gather(&root).unwrap().digests);
            let names: Vec<String> = want.iter().map(|name| (*name).to_owned()).collect();
            match want.is_empty() {
                true => assert_eq!(found, BundleStanding::Accepted),
                false => assert_eq!(found, BundleStanding::Changed(names)),
            }
        };
        check(&|_| {}, &[]);
        check(&|at| fs::write(at.join("CLI.md"), "b").unwrap(), &["CLI.md"]);
        check(&|at| fs::write(at.join("new.md"), "b").unwrap(), &["new.md"]);
        check(&|at| fs::write(at.join("new"), "b").unwrap(), &["new"]);
        check(
            &|at| fs::remove_file(at.join("tools/x/TOOL.md")).unwrap(),
            &["tools/x/TOOL.md"],
        );
        // A program is compared when it is installed, and runs from there.
        check(&|at| fs::write(at.join("bin/x"), "other").unwrap(), &[]);
    }
}
