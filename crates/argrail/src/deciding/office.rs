//! Where answers are given: the store, the record, and whose they are.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use argrail_acli::Error;
use argrail_engine::audit::Chain;
use argrail_engine::catalog::project::{self, Found};
use argrail_engine::places::Places;
use argrail_engine::store::{RequestId, SqliteStore, Store};

use crate::setup::Setup;

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
        match project::find(directory, &self.places) {
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
