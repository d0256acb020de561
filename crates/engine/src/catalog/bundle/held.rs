//! One bundle, read whole and held against what was accepted.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use argrail_acli::{Code, Error, Text};
use argrail_spec::atip::Metadata;
use argrail_spec::bundle::{self, Bundle, Files, InputCheck, OutputCheck};
use argrail_spec::digest::Digest;
use argrail_spec::doc::Severity;
use argrail_spec::tools_json::SchemaError;
use argrail_spec::trust::TrustFile;
use serde_json::Value;

use super::folder::{FolderError, gather};
use super::head::{BundleHead, BundleOrigin};
use super::standing::{BundleStanding, standing};
use crate::catalog::project::{ProjectError, ProjectFiles};

/// Why a bundle cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// Its files cannot be read.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A file of the project is not what was accepted.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// Something in it is wrong.
    #[error("{}: {message}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
}

/// A bundle that was read.
#[derive(Debug)]
pub struct Held {
    /// What it is called and where it lies.
    pub head: BundleHead,
    /// All of it.
    pub bundle: Bundle,
    /// The same in the words of ATIP.
    pub metadata: Metadata,
    /// The digests of its files, unless the project answers for them.
    digests: Option<BTreeMap<String, Option<Digest>>>,
    /// The schemas of each tool.
    checks: Vec<Checks>,
    /// Where its entry disagrees with its manifest, once the entry was asked.
    pub(crate) conflicts: OnceLock<Vec<String>>,
}

/// The schemas of one tool, compiled when somebody calls it.
#[derive(Debug, Default)]
struct Checks {
    input: OnceLock<Result<InputCheck, SchemaError>>,
    output: OnceLock<Result<OutputCheck, SchemaError>>,
}

impl PartialEq for Held {
    fn eq(&self, other: &Self) -> bool {
        (&self.head, &self.bundle) == (&other.head, &other.bundle)
    }
}

impl Held {
    /// Says whether it is what a person accepted.
    pub fn standing(&self, trust: &TrustFile) -> BundleStanding {
        match &self.digests {
            Some(digests) => standing(trust, &self.head.root, digests),
            None => BundleStanding::Accepted,
        }
    }
}

impl Held {
    /// Holds the input of one of its tools against the schema.
    ///
    /// # Errors
    /// `VALIDATION_ERROR` with the place, what was expected and what came.
    pub fn check_input(&self, index: usize, input: &Value, command: &str) -> Result<(), Error> {
        let (Some(tool), Some(Checks { input: check, .. })) =
            (self.bundle.tools.get(index), self.checks.get(index))
        else {
            return Ok(());
        };
        match check.get_or_init(|| InputCheck::of(tool)) {
            Ok(check) => check.check(input).map_err(|error| error.refusal(command)),
            Err(error) => Err(self.unusable(error)),
        }
    }

    /// Holds what came out of one of its tools against the schema.
    ///
    /// # Errors
    /// `OUTPUT_PARSE_FAILED` with the first thing that does not fit.
    pub fn check_output(&self, index: usize, output: &Value) -> Result<(), Error> {
        let (Some(tool), Some(Checks { output: check, .. })) =
            (self.bundle.tools.get(index), self.checks.get(index))
        else {
            return Ok(());
        };
        match check.get_or_init(|| OutputCheck::of(tool)) {
            Ok(check) => check.check(output, &tool.tool.id.value),
            Err(error) => Err(self.unusable(error)),
        }
    }

    fn unusable(&self, error: &SchemaError) -> Error {
        let what = Text::new("a schema of the bundle {} cannot be used: {}")
            .value(self.head.identity())
            .value(error.to_string());
        let root = self.head.root.to_string_lossy();
        Error::new(Code::SetupRequired, what)
            .hint(Text::new("Ask a person to run: argrail lint {}").value(root))
    }

    /// Returns the files and directories whose change would change what the bundle says.
    pub fn watched(&self) -> Vec<PathBuf> {
        let root = &self.head.root;
        let names = self.digests.iter().flat_map(BTreeMap::keys);
        let mut all: BTreeSet<PathBuf> = names.map(|name| root.join(name)).collect();
        let folders: Vec<PathBuf> = all
            .iter()
            .flat_map(|file| file.ancestors().skip(1))
            .filter(|folder| folder.starts_with(root))
            .map(Path::to_owned)
            .collect();
        all.extend(folders);
        all.insert(root.clone());
        all.into_iter().collect()
    }
}

/// Reads a bundle.
///
/// # Errors
/// When a file cannot be read, or anything in it is wrong: then none of it is used.
pub fn hold(head: &BundleHead, project: Option<&ProjectFiles>) -> Result<Held, BundleError> {
    let (files, digests) = match (&head.origin, project) {
        (BundleOrigin::Project(folder), Some(project)) => (project_files(folder, project)?, None),
        (BundleOrigin::Project(_), None) | (BundleOrigin::Home, _) => {
            let folder = gather(&head.root)?;
            (folder.files, Some(folder.digests))
        }
    };
    let name = head.root.file_name().and_then(|name| name.to_str());
    let bundle = bundle::load(name, &files).map_err(|reports| {
        let first = reports.iter().find(|report| !report.is_ok());
        let error = first.and_then(|report| {
            report
                .diagnostics
                .iter()
                .find(|one| one.severity == Severity::Error)
        });
        BundleError::Wrong {
            path: first.map_or(head.root.clone(), |report| head.root.join(&report.path)),
            message: error.map_or_else(|| "it cannot be used".to_owned(), |error| error.message.clone()),
        }
    })?;
    let metadata = bundle::metadata(&bundle).map_err(|problem| BundleError::Wrong {
        path: head.root.clone(),
        message: problem.message,
    })?;
    let checks = bundle.tools.iter().map(|_| Checks::default()).collect();
    Ok(Held {
        head: head.clone(),
        conflicts: OnceLock::new(),
        checks,
        bundle,
        metadata: metadata.metadata,
        digests,
    })
}

/// Returns the files of a folder as a project was trusted with them.
///
/// # Errors
/// When one of them is not what was accepted.
pub fn project_files(folder: &str, project: &ProjectFiles) -> Result<Files, ProjectError> {
    let mut files = Files::default();
    let prefix = format!("{folder}/");
    for name in project.tree.files.keys() {
        let Some(inside) = name.strip_prefix(&prefix) else {
            continue;
        };
        if super::folder::is_text(inside) {
            files.text(inside, project.contents(name)?);
        } else if project.tree.file(name).is_some() {
            files.other(inside);
        }
    }
    Ok(files)
}
