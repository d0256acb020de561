//! Everything the catalogue is read from, looked at once: the user's places, the project, who is trusted.
//!
//! A project that is not trusted is known here and speaks nowhere.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use argrail_sandbox::SYSTEM_DIRECTORIES;
use argrail_spec::trust::TrustFile;
use jiff::Timestamp;

use super::known::Catalogue;
use super::programs::Programs;
use super::project::{
    Offer, OfferKind, ProjectError, ProjectFiles, ProjectFinder, ProjectTrust, Survey, Surveyed, survey,
};
use super::resolve::{Problem, Sources};
use super::scan::Belongs;
use super::store_error::StoreError;
use super::trust;
use crate::config::Config;
use crate::places::Places;

/// The most files of a project that are looked at for each call.
const WATCHED: usize = 1_000;

/// What the catalogue is read from.
#[derive(Debug)]
pub struct Shelf {
    places: Places,
    config: Config,
    trust: TrustFile,
    projects: ProjectFinder,
    project: ProjectState,
    /// Every project around the working directory and whether it is accepted; nothing where that cannot be told.
    around: OnceLock<Option<Vec<(PathBuf, Acceptance)>>>,
    directory: PathBuf,
    path: Option<OsString>,
    /// Looked at when somebody asks.
    programs: OnceLock<Programs>,
}

/// The project that one works in.
#[derive(Debug)]
pub enum ProjectState {
    /// None, or somebody else's.
    None,
    /// One of ours, accepted or not.
    Surveyed(Box<Surveyed>),
    /// One that holds what cannot be pinned: it is not trusted, whatever was accepted before.
    Refused(ProjectError),
}

/// Whether a person accepted a project as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Acceptance {
    Accepted,
    Not,
}

impl Shelf {
    /// Looks at the project of `directory` and reads who is trusted. `path` is the value of `PATH`.
    ///
    /// # Errors
    /// When the file of what is trusted cannot itself be trusted or understood.
    pub fn open(
        places: Places,
        config: Config,
        directory: &Path,
        path: Option<&OsStr>,
    ) -> Result<Self, StoreError> {
        let trust = trust::read(&places)?;
        let projects = ProjectFinder::new(&places);
        let project = match survey(&projects, &trust, directory, path) {
            Ok(Survey::Nothing | Survey::Foreign(_)) => ProjectState::None,
            Ok(Survey::Project(found)) => ProjectState::Surveyed(found),
            Err(error) => ProjectState::Refused(error),
        };
        Ok(Self {
            places,
            config,
            trust,
            projects,
            project,
            around: OnceLock::new(),
            directory: directory.to_owned(),
            path: path.map(OsStr::to_owned),
            programs: OnceLock::new(),
        })
    }

    /// Returns the programs that can be started by name.
    pub fn programs(&self) -> &Programs {
        self.programs.get_or_init(|| {
            let belongs = |directory: &Path| self.belongs(directory);
            let tools = self.config.tools.iter();
            let named = tools.filter_map(|tool| Some((tool.name.clone(), tool.path.clone()?)));
            Programs::of(self.path.as_deref(), &belongs).with_named(named, &belongs)
        })
    }

    /// Whether a directory lies where one works, though no project is there that somebody could accept. Who works in the
    /// home, or above it, has the machine's and their own programs below.
    fn is_workspace(&self, directory: &Path) -> bool {
        let here = self
            .directory
            .canonicalize()
            .unwrap_or_else(|_| self.directory.clone());
        let home = self.places.home();
        let home = home.canonicalize().unwrap_or_else(|_| home.to_owned());
        let is_system = SYSTEM_DIRECTORIES.iter().any(|base| directory.starts_with(base));
        directory.starts_with(&here) && !home.starts_with(&here) && !is_system
    }

    /// Says whose a directory, without symlinks, is. Every project around the working directory counts, since one may
    /// lie in another.
    pub fn belongs(&self, directory: &Path) -> Belongs {
        let Some(projects) = self.around() else {
            // Where that cannot be told, nothing below the working directory counts.
            let inside = directory.starts_with(&self.directory);
            return if inside {
                Belongs::Untrusted
            } else {
                Belongs::Machine
            };
        };
        let mut around = projects
            .iter()
            .filter(|(root, _)| directory.starts_with(root))
            .peekable();
        if around.peek().is_none() {
            let inside = self.is_workspace(directory);
            return if inside {
                Belongs::Untrusted
            } else {
                Belongs::Machine
            };
        }
        if around.all(|(_, acceptance)| *acceptance == Acceptance::Accepted) {
            Belongs::Trusted
        } else {
            Belongs::Untrusted
        }
    }

    fn around(&self) -> Option<&[(PathBuf, Acceptance)]> {
        let look = || {
            let roots = self.projects.enclosing(&self.directory).ok()?;
            let judged = |root: PathBuf| {
                let acceptance = if self.is_trusted(&root, self.path.as_deref()) {
                    Acceptance::Accepted
                } else {
                    Acceptance::Not
                };
                (root, acceptance)
            };
            Some(roots.into_iter().map(judged).collect())
        };
        self.around.get_or_init(look).as_deref()
    }

    /// Returns the user's places.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// Returns what the user has set.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Returns the project.
    pub fn project(&self) -> &ProjectState {
        &self.project
    }

    /// Opens the catalogue as it is now.
    ///
    /// # Errors
    /// When the index is there and cannot be trusted or understood.
    pub fn catalogue(&self, now: Timestamp) -> Result<Catalogue<'_>, StoreError> {
        let mut sources = Sources::open(&self.places, &self.config, self.trusted(), now)?;
        sources.programs = Some(self.programs());
        if let ProjectState::Refused(error) = &self.project {
            sources.problems.push(Problem {
                path: PathBuf::from("."),
                message: error.to_string(),
            });
        }
        Ok(Catalogue::new(sources, &self.trust))
    }

    /// Whether the project of this root is what a person accepted. `path` is the value of `PATH`.
    pub fn is_trusted(&self, root: &Path, path: Option<&OsStr>) -> bool {
        // Where one works was looked at when the catalogue was opened.
        if let ProjectState::Surveyed(found) = &self.project
            && found.project.root() == root
            && self.directory == root
            && path == self.path.as_deref()
        {
            return found.trust == ProjectTrust::Trusted;
        }
        match survey(&self.projects, &self.trust, root, path) {
            Ok(Survey::Project(found)) => {
                found.trust == ProjectTrust::Trusted && found.project.root() == root
            }
            Ok(Survey::Nothing | Survey::Foreign(_)) | Err(_) => false,
        }
    }

    /// Returns the hosts of git remotes that a person accepted with the project that a directory lies in, if it is still
    /// what they accepted. One that offers nothing can be accepted, too: for its remotes.
    pub fn accepted_remotes(&self, directory: &Path) -> &[String] {
        let Ok(Survey::Project(found)) = survey(&self.projects, &self.trust, directory, self.path.as_deref())
        else {
            return &[];
        };
        match found.trust {
            ProjectTrust::Trusted | ProjectTrust::Nothing => {
                let root = found.project.root().to_str();
                let pin = root.and_then(|root| self.trust.projects.get(root));
                pin.map_or(&[], |pin| &pin.remotes)
            }
            ProjectTrust::Untrusted | ProjectTrust::Changed(_) => &[],
        }
    }

    /// Returns the files and directories whose change would change what a trusted project is; nothing where these are
    /// too many to look at each time. Who sees none of them changed need not read the project again: a file cannot be
    /// changed without its times.
    pub fn watched(&self) -> Option<Vec<PathBuf>> {
        let ProjectState::Surveyed(found) = &self.project else {
            return Some(Vec::new());
        };
        if found.trust != ProjectTrust::Trusted {
            return Some(Vec::new());
        }
        let root = found.project.root();
        let files = found.files.tree.files.keys().map(|file| root.join(file));
        let files: BTreeSet<PathBuf> = files.take(WATCHED + 1).collect();
        if files.len() > WATCHED {
            return None;
        }
        let inside = |path: &Path| path.starts_with(root);
        let folders = files.iter().flat_map(|file| file.ancestors().skip(1));
        let folders: BTreeSet<PathBuf> = folders.filter(|path| inside(path)).map(Path::to_owned).collect();
        Some(files.into_iter().chain(folders).collect())
    }

    /// Returns what a trusted project holds.
    fn trusted(&self) -> Option<&ProjectFiles> {
        match &self.project {
            ProjectState::Surveyed(found) if found.trust == ProjectTrust::Trusted => Some(&found.files),
            ProjectState::Surveyed(_) | ProjectState::None | ProjectState::Refused(_) => None,
        }
    }

    /// Returns the tools that the project offers and that nobody accepted, for people to see.
    pub fn untrusted(&self) -> Vec<&Offer> {
        let ProjectState::Surveyed(found) = &self.project else {
            return Vec::new();
        };
        match found.trust {
            ProjectTrust::Untrusted | ProjectTrust::Changed(_) => {
                let offers = found.files.offers.iter();
                offers
                    .filter(|offer| offer.kind.is_tool() && offer.kind != OfferKind::Override)
                    .collect()
            }
            ProjectTrust::Nothing | ProjectTrust::Trusted => Vec::new(),
        }
    }
}
