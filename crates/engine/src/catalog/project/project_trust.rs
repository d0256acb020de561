//! Whether a project is what a person accepted, and what changed if it is not. Pure.

use std::path::Path;

use argrail_spec::trust::TrustFile;

use super::offers::ProjectFiles;

/// How a project stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProjectTrust {
    /// It offers nothing, so there is nothing to accept.
    Nothing,
    /// Nobody has accepted it.
    Untrusted,
    /// It is what a person accepted.
    Trusted,
    /// It is not what a person accepted.
    Changed(Difference),
}

/// What changed since a person accepted it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Difference {
    /// Files that were not there.
    pub added: Vec<String>,
    /// Files that are no longer there.
    pub removed: Vec<String>,
    /// Files that are not what they were.
    pub changed: Vec<String>,
}

impl ProjectTrust {
    /// Returns the word for it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Untrusted => "untrusted",
            Self::Trusted => "trusted",
            Self::Changed(_) => "changed",
        }
    }
}

/// Compares a project with its pin.
pub fn project_trust(trust: &TrustFile, root: &Path, files: &ProjectFiles) -> ProjectTrust {
    let pin = root.to_str().and_then(|root| trust.projects.get(root));
    let Some(pin) = pin else {
        return if files.tree.files.is_empty() {
            ProjectTrust::Nothing
        } else {
            ProjectTrust::Untrusted
        };
    };
    if pin.digest == files.digest() {
        return ProjectTrust::Trusted;
    }
    let now = &files.tree.files;
    let names = |wanted: &dyn Fn(&String) -> bool| now.keys().filter(|name| wanted(name)).cloned().collect();
    ProjectTrust::Changed(Difference {
        added: names(&|name| !pin.files.contains_key(name)),
        removed: pin
            .files
            .keys()
            .filter(|name| !now.contains_key(*name))
            .cloned()
            .collect(),
        changed: names(&|name| {
            pin.files
                .get(name)
                .is_some_and(|before| now.get(name) != Some(before))
        }),
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use argrail_spec::trust::ProjectPin;
    use argrail_testkit::Home;
    use jiff::Timestamp;

    use super::*;
    use crate::catalog::project::{Bounds, Found, find};
    use crate::places::testing::places_of;

    fn judge(home: &Home, trust: &TrustFile) -> (ProjectTrust, ProjectPin) {
        let Found::Project(project) = find(&home.work(), &places_of(home)).unwrap() else {
            panic!("no project");
        };
        let files = ProjectFiles::read(&project, None, &home.work(), Bounds::default()).unwrap();
        let pin = files.pin(Timestamp::UNIX_EPOCH);
        (project_trust(trust, project.root(), &files), pin)
    }

    #[test]
    fn a_project_is_trusted_until_it_changes() {
        let home = Home::new().file(".git/HEAD", "");
        let mut trust = TrustFile::default();
        assert_eq!(judge(&home, &trust).0, ProjectTrust::Nothing);
        let home = home
            .file("tools.json", "{}")
            .file(".cli/a/CLI.md", "a")
            .file(".cli/b/CLI.md", "b");
        let (standing, pin) = judge(&home, &trust);
        assert_eq!(standing, ProjectTrust::Untrusted);
        let root = home.work().to_str().unwrap().to_owned();
        trust.projects.insert(root, pin);
        assert_eq!(judge(&home, &trust).0, ProjectTrust::Trusted);
        let home = home.file(".cli/b/CLI.md", "B").file(".agents/x", "");
        fs::remove_file(home.work().join(".cli/a/CLI.md")).unwrap();
        let difference = Difference {
            added: vec![".agents/x".to_owned()],
            removed: vec![".cli/a/CLI.md".to_owned()],
            changed: vec![".cli/b/CLI.md".to_owned()],
        };
        assert_eq!(judge(&home, &trust).0, ProjectTrust::Changed(difference));
    }
}
