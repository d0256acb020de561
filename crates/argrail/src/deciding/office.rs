//! Where answers are given: the store, the record, and whose they are.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use argrail_acli::{Error, Text};
use argrail_engine::audit::Chain;
use argrail_engine::catalog::project::{Found, ProjectFinder};
use argrail_engine::config::Config;
use argrail_engine::places::Places;
use argrail_engine::policy::RequestId;
use argrail_engine::roots;
use argrail_engine::store::{SqliteStore, Store};

use crate::setup::Setup;
use crate::token_file::directory_of;

/// What the verbs of deciding share.
#[derive(Debug)]
pub(crate) struct Office {
    /// Where questions and grants are.
    pub(crate) store: Arc<dyn Store>,
    /// What `~` means.
    pub(crate) home: PathBuf,
    places: Places,
}

impl Office {
    /// Finds the places. Nothing is opened yet.
    ///
    /// # Errors
    /// When there is no home.
    pub(crate) fn open() -> Result<Self, Error> {
        let places = Places::new(|name| std::env::var_os(name)).map_err(|error| {
            Error::execution(error).hint("Set HOME to the home directory of the user that runs argrail")
        })?;
        Ok(Self {
            store: Arc::new(SqliteStore::new(&places)),
            home: argrail_sandbox::home().unwrap_or_else(|_| places.home().to_owned()),
            places,
        })
    }

    /// Returns the project that a directory is in, or the directory itself.
    pub(crate) fn project_of(&self, directory: &Path) -> PathBuf {
        match ProjectFinder::new(&self.places).find(directory) {
            Ok(Found::Project(project)) => project.root().to_owned(),
            Ok(Found::Nothing | Found::Foreign(_)) | Err(_) => directory.to_owned(),
        }
    }

    /// Returns a new name for a token, where no tool reads.
    ///
    /// # Errors
    /// When there is no such directory and none can be made.
    pub(crate) fn token_file(&self) -> Result<PathBuf, Error> {
        let name = RequestId::random().map_err(|error| Error::from(&error))?;
        let directory = self.places.state();
        std::fs::create_dir_all(directory).map_err(Error::execution)?;
        Ok(directory.join(format!("token-{name}")))
    }

    /// Refuses a place for a token that tools of an agent's could read: a project, a root of the configuration, the directory
    /// that we stand in. Directories of ours are hidden from all tools.
    ///
    /// # Errors
    /// When it is such a place, or cannot be looked at.
    pub(crate) fn check_hidden(&self, path: &Path) -> Result<(), Error> {
        let directory = std::path::absolute(directory_of(path)).map_err(Error::execution)?;
        // One that is not there yet is made; what is above it decides.
        let there = directory
            .ancestors()
            .find_map(|folder| folder.canonicalize().ok());
        let there = there.unwrap_or_else(|| PathBuf::from("/"));
        let real = |folder: &Path| folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        if self
            .places
            .own()
            .iter()
            .any(|own| there.starts_with(real(own)) || directory.starts_with(own))
        {
            return Ok(());
        }
        let config =
            Config::load(&self.places).map_err(|error| Error::execution(&error).hint(error.hint()))?;
        let here = std::env::current_dir().map_err(Error::execution)?;
        let home = real(self.places.home());
        let mut workspaces = roots(&here, &config);
        // Whoever stands at home, or above it, does not work there.
        workspaces.retain(|root| !home.starts_with(root));
        let projects = ProjectFinder::new(&self.places)
            .enclosing(&there)
            .map_err(|error| Error::execution(&error))?;
        workspaces.extend(projects);
        match workspaces.iter().find(|root| there.starts_with(root)) {
            None => Ok(()),
            Some(root) => Err(Error::invalid(
                Text::new("{} is in {}, where tools read")
                    .value(path.to_string_lossy())
                    .value(root.to_string_lossy()),
                "Leave FILE out to have it made where no tool reads: argrail approvals --new-token",
            )),
        }
    }

    /// Opens the record. What cannot be recorded is not decided.
    ///
    /// # Errors
    /// When it cannot be kept.
    pub(crate) fn record(&self) -> Result<Chain, Error> {
        let record = Chain::open(&self.places.audit(), Some(Arc::clone(&self.store)));
        let record = record.map_err(|error| Error::from(&error))?;
        record.conceal(Arc::new(Setup::mask()));
        Ok(record)
    }
}
