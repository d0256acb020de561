//! What is known of a bundle without reading more of it than its manifest's first fields.

use std::path::PathBuf;

use argrail_spec::cli_md::CliMd;
use argrail_spec::digest::Digest;
use argrail_spec::trust::{FilePin, TrustFile};
use serde::{Deserialize, Serialize};

use super::CLI;

/// Where a bundle comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BundleOrigin {
    /// The data home.
    Home,
    /// A trusted project; the folder of the bundle as the project names it.
    Project(String),
}

/// The head of a bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BundleHead {
    /// The folder of its `CLI.md`.
    pub root: PathBuf,
    /// Whose it is.
    pub origin: BundleOrigin,
    /// What it says about itself.
    pub about: About,
}

/// What a bundle says about itself, as the index remembers it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Its id.
    pub id: String,
    /// The major version of the manifest.
    pub major: u64,
    /// The version of the manifest.
    pub version: String,
    /// The program.
    pub bin: String,
    /// What it is for.
    pub description: String,
    /// The digest of the manifest that says so.
    pub manifest: String,
}

impl About {
    /// Takes it from a manifest and its text.
    pub fn of(cli: &CliMd, text: &[u8]) -> Self {
        Self {
            id: cli.id.value.clone(),
            major: cli.version.major(),
            version: cli.version.value.as_str().to_owned(),
            bin: cli.bin.value.clone(),
            description: cli.description.value.clone(),
            manifest: Digest::of(text).to_string(),
        }
    }
}

impl BundleHead {
    /// Returns what caches, the record and registrations hang on: `gh@1`.
    pub fn identity(&self) -> String {
        format!("{}@{}", self.about.id, self.about.major)
    }

    /// Whether its manifest is another than a person accepted. Whoever uses more of it than its head asks for more.
    pub fn is_changed(&self, trust: &TrustFile) -> bool {
        if self.origin != BundleOrigin::Home {
            return false;
        }
        let pinned = self.root.to_str().and_then(|root| trust.projects.get(root));
        pinned.is_some_and(|pin| match pin.files.get(CLI) {
            Some(FilePin::Plain(digest) | FilePin::Executable(digest)) => {
                digest.to_string() != self.about.manifest
            }
            Some(FilePin::Link(_)) | None => true,
        })
    }

    /// Returns the name of the program, without a folder.
    pub fn program(&self) -> &str {
        let bin = &self.about.bin;
        bin.rsplit('/').next().unwrap_or(bin)
    }
}
