//! The project that one works in, what it offers and whether that is accepted, in one look.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use argrail_spec::trust::TrustFile;

use super::find::{Found, Project, ProjectFinder};
use super::offers::ProjectFiles;
use super::project_error::ProjectError;
use super::project_trust::{ProjectTrust, project_trust};
use super::tree::Bounds;

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Survey {
    /// No project.
    Nothing,
    /// Somebody else's, which does not count.
    Foreign(PathBuf),
    /// One of ours.
    Project(Box<Surveyed>),
}

/// A project of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surveyed {
    /// Where it is.
    pub project: Project,
    /// What it holds.
    pub files: ProjectFiles,
    /// Whether that is accepted.
    pub trust: ProjectTrust,
}

/// Looks for the project of `directory`. `path` is the value of `PATH`.
///
/// # Errors
/// When the project cannot be looked at, or holds what cannot be pinned: then it is not trusted either.
pub fn survey(
    projects: &ProjectFinder,
    trust: &TrustFile,
    directory: &Path,
    path: Option<&OsStr>,
) -> Result<Survey, ProjectError> {
    let project = match projects.find(directory)? {
        Found::Nothing => return Ok(Survey::Nothing),
        Found::Foreign(root) => return Ok(Survey::Foreign(root)),
        Found::Project(project) => project,
    };
    let files = ProjectFiles::read(&project, path, directory, Bounds::default())?;
    let trust = project_trust(trust, project.root(), &files);
    Ok(Survey::Project(Box::new(Surveyed {
        project,
        files,
        trust,
    })))
}
