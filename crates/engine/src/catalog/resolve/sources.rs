//! Who may speak about tools: the places that are asked, in one value.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use argrail_spec::atip::Metadata;
use argrail_spec::doc::Document;
use argrail_spec::registry::Registry;
use indexmap::IndexMap;
use jiff::Timestamp;

use super::super::bundle::Bundles;
use super::super::mcp::recall_all;
use super::super::programs::Programs;
use super::super::project::{OfferKind, ProjectFiles};
use super::super::registry;
use super::super::store_error::StoreError;
use super::super::system::system_directories;
use super::folder::{Problem, parsed};
use super::patterns::{self, Patterns};
use crate::catalog::{ManifestTool, manifest_tools};
use crate::config::Config;
use crate::places::Places;

/// The sources of one user in one project.
#[derive(Debug)]
pub struct Sources<'a> {
    /// Where the user's files are.
    pub places: &'a Places,
    /// What the user has set: tools that are named, fields that are left out.
    pub config: &'a Config,
    /// What MCP servers said about themselves, by the server's name.
    pub servers: Vec<Metadata>,
    /// What the project holds, if it is trusted. One that is not has no word.
    pub project: Option<&'a ProjectFiles>,
    /// The index.
    pub registry: Registry,
    /// Directories of the system that count, in order.
    pub system: Vec<PathBuf>,
    /// The programs there are. Of what argrail ships a description of, only these are listed.
    pub programs: Option<&'a Programs>,
    /// What time it is.
    pub now: Timestamp,
    /// Files that could not be used.
    pub problems: Vec<Problem>,
    /// Read once, when somebody asks.
    patterns: OnceLock<Patterns>,
    /// Every bundle that counts here.
    pub bundles: Bundles,
    /// The tools of the project's manifest, by name.
    manifest: IndexMap<String, Arc<ManifestTool>>,
}

impl<'a> Sources<'a> {
    /// Opens the index and looks at the system's directories.
    ///
    /// # Errors
    /// When the index is there and cannot be trusted or understood.
    pub fn open(
        places: &'a Places,
        config: &'a Config,
        project: Option<&'a ProjectFiles>,
        now: Timestamp,
    ) -> Result<Self, StoreError> {
        let loaded = registry::read(places)?;
        let system = system_directories(places);
        let refused = system.refused.iter();
        let unread = loaded.warnings.iter();
        let file = places.registry_file();
        let (tools, untold) = project.map(manifest_tools).unwrap_or_default();
        let mut bundles = Bundles::open(places, project);
        let unusable = std::mem::take(&mut bundles.problems);
        Ok(Self {
            places,
            config,
            servers: recall_all(places, &config.mcp_servers, now),
            project,
            registry: loaded.registry,
            system: system.trusted,
            programs: None,
            now,
            problems: refused
                .map(|error| Problem::new(error.path(), error.to_string()))
                .chain(unread.map(|warning| Problem::new(&file, &warning.message)))
                .chain(untold)
                .chain(unusable)
                .collect(),
            patterns: OnceLock::new(),
            bundles,
            manifest: tools
                .into_iter()
                .map(|tool| (tool.spec.name.clone(), tool))
                .collect(),
        })
    }

    /// Returns the program of a tool, as a call finds it, if it is there.
    pub(super) fn program(&self, name: &str) -> Option<PathBuf> {
        let configured = self.config.tools.iter().find(|tool| tool.name == name);
        let configured = configured.and_then(|tool| tool.path.clone());
        let indexed = || {
            let path = self.registry.tools.get(name)?.path.as_deref()?;
            Some(self.places.expand(path))
        };
        let found = configured.or_else(|| self.programs?.find(name)).or_else(indexed);
        found.filter(|path| path.is_file())
    }

    /// Returns the patterns that are no tool's own.
    pub fn patterns(&self) -> &Patterns {
        self.patterns.get_or_init(|| patterns::read(self))
    }

    /// Returns the tools that the manifest of a trusted project lists.
    pub fn manifest(&self) -> impl Iterator<Item = &Arc<ManifestTool>> {
        self.manifest.values()
    }

    /// Returns the tool of this name that the manifest of a trusted project lists.
    pub fn manifest_tool(&self, name: &str) -> Option<&Arc<ManifestTool>> {
        self.manifest.get(name)
    }

    /// The folders of a system directory that hold descriptions of tools, the weaker first.
    pub(super) fn system_folders(&self) -> impl Iterator<Item = PathBuf> {
        // The directory that is asked first has the last word.
        let directories = self.system.iter().rev();
        directories.flat_map(|directory| {
            [
                directory.join("shims"),
                directory.join("tools"),
                directory.clone(),
            ]
        })
    }

    /// Returns the files of this kind that a trusted project holds, by the name of what they are about.
    pub(super) fn project_files(&self, kind: OfferKind) -> impl Iterator<Item = (&'a str, &'a str)> {
        let offers = self.project.iter().flat_map(|files| &files.offers);
        offers
            .filter(move |offer| offer.kind == kind)
            .map(|offer| (offer.name.as_str(), offer.file.as_str()))
    }

    /// Reads a file of a trusted project, if it is still what was trusted.
    pub(super) fn project_document(&self, file: &str) -> Result<Document, Problem> {
        let path = Path::new(file);
        let files = self
            .project
            .ok_or_else(|| Problem::new(path, "there is no trusted project"))?;
        let bytes = files
            .contents(file)
            .map_err(|error| Problem::new(path, error.to_string()))?;
        parsed(path, &bytes)
    }
}
