//! Where agents are started: the user's directories, the workspace, and what the host has around them.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use argrail_acli::Error;
use argrail_engine::catalog::Shelf;
use argrail_engine::config::NetworkOverrides;
use argrail_engine::places::Places;
use argrail_engine::profile::Ground;
use argrail_engine::store::Store;
use argrail_sandbox::Launcher;

use crate::catalogue::Means;

/// The surroundings of an agent.
#[derive(Debug, Clone)]
pub struct Host<'a> {
    /// The user's home, the workspace and what protects both.
    pub ground: Ground,
    /// The user's directories.
    pub places: &'a Places,
    /// Who builds sandboxes.
    pub launcher: &'a Launcher,
    /// What is different about the network.
    pub reach: &'a NetworkOverrides,
    /// What was set up; nothing where nobody keeps that.
    pub store: Option<&'a dyn Store>,
}

impl<'a> Host<'a> {
    /// Takes what is known of the machine from a shelf. The agent works in `directory`, which is its only root.
    ///
    /// # Errors
    /// When the directory cannot be looked at.
    pub fn new(
        shelf: &'a Shelf,
        launcher: &'a Launcher,
        store: Option<&'a dyn Store>,
        environment: BTreeMap<OsString, OsString>,
        directory: &Path,
    ) -> Result<Self, Error> {
        let directory = real(directory).map_err(|error| {
            Error::execution(error).hint("Start it in a directory that exists and that you may read")
        })?;
        let places = shelf.places();
        let home = places.home();
        Ok(Self {
            ground: Ground {
                home: real(home).unwrap_or_else(|_| home.to_owned()),
                roots: vec![directory.clone()],
                directory,
                search: shelf.programs().directories().to_vec(),
                own: places.own(),
                installed: places.installed(),
                denied: shelf.config().denied_paths(),
                environment,
            },
            places,
            launcher,
            reach: &shelf.config().reach,
            store,
        })
    }

    /// Returns what readiness is judged with.
    pub fn means(&self) -> Means<'_> {
        Means {
            places: self.places,
            home: &self.ground.home,
            directory: &self.ground.directory,
            search: &self.ground.search,
            environment: &self.ground.environment,
            launcher: self.launcher,
            store: self.store,
        }
    }
}

fn real(path: &Path) -> std::io::Result<PathBuf> {
    path.canonicalize()
}
