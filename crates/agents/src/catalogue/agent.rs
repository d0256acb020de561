//! One agent, read whole, and whether it is what somebody accepted.

use std::path::{Path, PathBuf};

use argrail_acli::{Code, Error, Text};
use argrail_engine::catalog::bundle::{BundleStanding, FolderError, gather, pin, project_files, standing};
use argrail_engine::catalog::project::{ProjectError, ProjectFiles};
use argrail_engine::places::Places;
use argrail_engine::ready::Packaged;
use argrail_spec::agent_bundle::{self, AgentBundle, MANIFEST};
use argrail_spec::agent_cli_md::Protocol;
use argrail_spec::bundle::{FileReport, Files};
use argrail_spec::digest::Digest;
use argrail_spec::doc::Severity;
use argrail_spec::trust::TrustFile;
use jiff::Timestamp;

use super::readiness::agent_home;

/// How many digits tell the homes of agents of projects apart.
const DIGITS: usize = 16;

/// An agent that counts: it may be installed and started.
#[derive(Debug, Clone, PartialEq)]
pub struct Agent {
    /// Its manifest, with everything that it names.
    pub bundle: AgentBundle,
    /// Whose word it is.
    pub origin: AgentOrigin,
    /// The folder of the manifest; nothing where it is compiled in.
    pub root: Option<PathBuf>,
}

/// Where an agent comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentOrigin {
    /// argrail itself.
    Shipped,
    /// The data home, accepted by a person.
    Home,
    /// A trusted project.
    Project,
    /// Whoever uses this crate.
    Defined,
}

impl AgentOrigin {
    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Shipped => "shipped",
            Self::Home => "home",
            Self::Project => "project",
            Self::Defined => "defined",
        }
    }
}

/// Why an agent that is there does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// Nobody has accepted it.
    NotAccepted,
    /// It is another than was accepted.
    Changed,
    /// Its project is not trusted.
    Project,
}

/// Why an agent cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// Its files cannot be read.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A file of the project is not what was accepted.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// Something in it is wrong.
    #[error("{file}: {message}")]
    Wrong {
        /// The file.
        file: String,
        /// What is wrong.
        message: String,
    },
}

impl Agent {
    /// Reads an agent of these files. `folder` is what their folder is called, where that counts.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn read(
        folder: Option<&str>,
        files: &Files,
        origin: AgentOrigin,
        root: Option<PathBuf>,
    ) -> Result<Self, AgentError> {
        let bundle = agent_bundle::load(folder, files).map_err(|reports| wrong(&reports))?;
        Ok(Self { bundle, origin, root })
    }

    /// Reads an agent of a folder of the data home, and says why it does not count, if it does not.
    pub(super) fn of_home(root: &Path, trust: &TrustFile) -> Result<(Self, Option<Doubt>), AgentError> {
        let folder = gather(root)?;
        let agent = Self::read(
            name(root),
            &folder.files,
            AgentOrigin::Home,
            Some(root.to_owned()),
        )?;
        let doubt = match standing(trust, root, &folder.digests) {
            BundleStanding::Unpinned => Some(Doubt::NotAccepted),
            BundleStanding::Changed(_) => Some(Doubt::Changed),
            // A program of the folder runs from there, so it is looked at as a whole.
            BundleStanding::Accepted if agent.is_in_folder() && !is_whole(root, trust) => {
                Some(Doubt::Changed)
            }
            BundleStanding::Accepted => None,
        };
        Ok((agent, doubt))
    }

    /// Reads an agent as a project was looked at.
    pub(super) fn of_project(file: &str, project: &ProjectFiles) -> Result<Self, AgentError> {
        let folder = file.strip_suffix(MANIFEST).unwrap_or(file).trim_end_matches('/');
        let root = project.root().join(folder);
        let files = project_files(folder, project)?;
        Self::read(name(&root), &files, AgentOrigin::Project, Some(root.clone()))
    }

    /// Returns what messages and records call it: `goose@1`.
    pub fn identity(&self) -> String {
        self.bundle.agent.identity()
    }

    /// Returns the name that its home, its grants and its records hang on: `goose@1`, and for one of a project
    /// `goose@1-1f0c22e9`. One of a project is no other of the same name: neither what another was granted nor who is
    /// signed in there is its business.
    pub fn own_name(&self) -> String {
        let identity = self.identity();
        match (self.origin, &self.root) {
            (AgentOrigin::Project, Some(root)) => {
                let digest = Digest::of(root.as_os_str().as_encoded_bytes()).to_string();
                let digits = digest.rsplit(':').next().unwrap_or_default();
                let digits: String = digits.chars().take(DIGITS).collect();
                format!("{identity}-{digits}")
            }
            (AgentOrigin::Shipped | AgentOrigin::Home | AgentOrigin::Defined | AgentOrigin::Project, _) => {
                identity
            }
        }
    }

    /// Returns the home that it has to itself.
    pub fn home(&self, places: &Places) -> PathBuf {
        agent_home(places, &self.own_name())
    }

    /// Whether argrail can talk with it: its protocol has an arm.
    pub fn is_spoken(&self) -> bool {
        match self.bundle.agent.protocol.value {
            Protocol::Acp => true,
            Protocol::Mcp | Protocol::Proprietary => false,
        }
    }

    /// Returns its id.
    pub fn id(&self) -> &str {
        self.bundle.agent.id.as_str()
    }

    /// Returns what getting its program depends on.
    pub fn packaged(&self) -> Packaged<'_> {
        (&self.bundle.agent).into()
    }

    /// Whether its program is a file of its own folder.
    pub(crate) fn is_in_folder(&self) -> bool {
        self.bundle.agent.bin.contains('/')
    }

    /// Whether a name leads to it: its id, or with its major.
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.id() == name || self.identity() == name
    }
}

/// Refuses an agent that does not count.
pub(super) fn doubted(agent: &Agent, doubt: Doubt) -> Error {
    let root = agent.root.as_deref().unwrap_or(Path::new("."));
    let identity = agent.identity();
    let (what, hint) = match doubt {
        Doubt::NotAccepted => (
            Text::new("nobody has accepted the agent {}").value(identity),
            Text::new("A person has to look at it, with: argrail add {}").value(root.to_string_lossy()),
        ),
        Doubt::Changed => (
            Text::new("the agent {} is not what was accepted").value(identity),
            Text::new("A person has to look at what changed, with: argrail add {}")
                .value(root.to_string_lossy()),
        ),
        Doubt::Project => (
            Text::new("the agent {} belongs to a project that is not trusted").value(identity),
            Text::from("A person has to look at the project, with: argrail trust"),
        ),
    };
    Error::new(Code::SetupRequired, what)
        .hint(hint)
        .detail("pending", vec!["trust"])
}

fn name(root: &Path) -> Option<&str> {
    root.file_name().and_then(|name| name.to_str())
}

/// Whether every file of a folder is what was accepted.
fn is_whole(root: &Path, trust: &TrustFile) -> bool {
    let pinned = root.to_str().and_then(|root| trust.projects.get(root));
    let now = pin(root, Timestamp::UNIX_EPOCH).ok();
    pinned
        .zip(now)
        .is_some_and(|(pinned, now)| pinned.digest == now.digest)
}

fn wrong(reports: &[FileReport]) -> AgentError {
    let errors = reports.iter().flat_map(|report| {
        let of_file = report.diagnostics.iter();
        of_file
            .filter(|one| one.severity == Severity::Error)
            .map(|one| (report.path.clone(), one.message.clone()))
    });
    let (file, message) = errors
        .into_iter()
        .next()
        .unwrap_or_else(|| (MANIFEST.to_owned(), "it cannot be used".to_owned()));
    AgentError::Wrong { file, message }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::shipped::shipped_agent;

    #[test]
    fn an_agent_of_a_project_does_not_share_the_home_of_another_of_its_name() {
        let places = Places::new(|name| (name == "HOME").then(|| "/h".into())).unwrap();
        let shipped = shipped_agent("goose").unwrap().agent().unwrap();
        let of_project = |root: &str| Agent {
            origin: AgentOrigin::Project,
            root: Some(root.into()),
            ..shipped.clone()
        };
        let homes = [
            shipped.home(&places),
            of_project("/a/.agents/goose").home(&places),
            of_project("/b/.agents/goose").home(&places),
        ];
        assert_eq!(homes[0], places.agent_homes().join("goose@1"));
        assert!(homes[0] != homes[1] && homes[1] != homes[2] && homes[0] != homes[2]);
        assert!(homes.iter().all(|home| home.parent() == homes[0].parent()));
    }
}
