//! Whether a project is what a person accepted, and what changed if it is not. Pure.

use std::path::Path;

use argrail_spec::trust::TrustFile;

use super::offers::{ProjectFiles, is_always_read};

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

impl Difference {
    fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }
}

/// Compares a project with its pin.
///
/// Which executables count depends on `PATH`, and processes differ in theirs. So one that was accepted and is not on
/// this `PATH` is no change; one that is on it and was not accepted is.
pub fn project_trust(trust: &TrustFile, root: &Path, files: &ProjectFiles) -> ProjectTrust {
    let now = &files.tree.files;
    if now.is_empty() {
        return ProjectTrust::Nothing;
    }
    let Some(pin) = root.to_str().and_then(|root| trust.projects.get(root)) else {
        return ProjectTrust::Untrusted;
    };
    let names = |wanted: &dyn Fn(&String) -> bool| now.keys().filter(|name| wanted(name)).cloned().collect();
    let difference = Difference {
        added: names(&|name| !pin.files.contains_key(name)),
        removed: pin
            .files
            .keys()
            .filter(|name| !now.contains_key(*name) && is_always_read(name))
            .cloned()
            .collect(),
        changed: names(&|name| {
            pin.files
                .get(name)
                .is_some_and(|before| now.get(name) != Some(before))
        }),
    };
    if difference.is_empty() {
        ProjectTrust::Trusted
    } else {
        ProjectTrust::Changed(difference)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use argrail_spec::trust::ProjectPin;
    use argrail_testkit::Home;
    use jiff::Timestamp;

    use super::*;
    use crate::catalog::project::{Bounds, Found, ProjectFinder};
    use crate::places::testing::places_of;

    fn judge(home: &Home, trust: &TrustFile) -> (ProjectTrust, ProjectPin) {
        judge_with(home, trust, "/nowhere")
    }

    fn judge_with(home: &Home, trust: &TrustFile, path: &str) -> (ProjectTrust, ProjectPin) {
        let Found::Project(project) = ProjectFinder::new(&places_of(home)).find(&home.work()).unwrap() else {
            panic!("no project");
        };
        let files =
            ProjectFiles::read(&project, Some(path.as_ref()), &home.work(), Bounds::default()).unwrap();
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

    #[test]
    fn programs_count_where_they_are_on_the_path() {
        let home = Home::new().file(".cli/a/CLI.md", "a").file("bin/x", "x");
        let program = home.work().join("bin/x");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let root = home.work().to_str().unwrap().to_owned();
        let mut trust = TrustFile::default();
        // Accepted where it could not be seen: it was not accepted.
        trust.projects.insert(root.clone(), judge(&home, &trust).1);
        assert_eq!(judge(&home, &trust).0, ProjectTrust::Trusted);
        assert!(matches!(
            judge_with(&home, &trust, "bin").0,
            ProjectTrust::Changed(Difference { added, .. }) if added == ["bin/x"]
        ));
        trust.projects.insert(root, judge_with(&home, &trust, "bin").1);
        assert_eq!(judge_with(&home, &trust, "bin").0, ProjectTrust::Trusted);
        assert_eq!(judge(&home, &trust).0, ProjectTrust::Trusted);
        fs::write(&program, "y").unwrap();
        assert_eq!(judge(&home, &trust).0, ProjectTrust::Trusted);
        assert!(matches!(
            judge_with(&home, &trust, "bin").0,
            ProjectTrust::Changed(_)
        ));
    }
}
