//! The manifests of a bundle, each read once, and what is said about each.

use std::collections::BTreeMap;

use super::files::{Files, folder};
use super::rules::MISSING_FILE;
use crate::doc::fields::{Complaints, Quoted};
use crate::doc::{Diagnostic, FrontMatter, Limits, Severity};
use crate::lint::FileKind;
use crate::manifest::{Field, REFERENCE, Reference};

/// What was found in one file.
#[derive(Debug, Clone, PartialEq)]
pub struct FileReport {
    /// The file, from the root of the bundle.
    pub path: String,
    /// What it was read as.
    pub kind: FileKind,
    /// The complaints.
    pub diagnostics: Vec<Diagnostic>,
}

impl FileReport {
    /// Whether it can be used.
    pub fn is_ok(&self) -> bool {
        let forbids = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
        !self.diagnostics.iter().any(forbids)
    }
}

/// The files, and what is said about each.
pub(super) struct Reading<'f> {
    pub(super) files: &'f Files,
    told: BTreeMap<String, (FileKind, Complaints)>,
}

impl<'f> Reading<'f> {
    pub(super) fn new(files: &'f Files) -> Self {
        Self {
            files,
            told: BTreeMap::new(),
        }
    }

    /// Reads a manifest. Whatever is wrong with it is kept; the value is there if there is one at all.
    pub(super) fn read<T>(
        &mut self,
        path: &str,
        kind: FileKind,
        decode: fn(&Field<'_>, &mut Complaints) -> Option<T>,
    ) -> Option<(T, String)> {
        let mut out = Complaints::default();
        let text = self.files.get(path).unwrap_or_default();
        let value = match FrontMatter::read(text, &Limits::manifest()) {
            Ok(file) => {
                let value = decode(&Field::root(&file.document), &mut out);
                value.map(|value| (value, file.body().to_owned()))
            }
            Err(problem) => {
                out.push(problem);
                None
            }
        };
        self.told.insert(path.to_owned(), (kind, out));
        value
    }

    /// Complains about a file.
    pub(super) fn push(&mut self, path: &str, kind: FileKind, diagnostic: Diagnostic) {
        let (_, out) = self
            .told
            .entry(path.to_owned())
            .or_insert_with(|| (kind, Complaints::default()));
        out.push(diagnostic);
    }

    pub(super) fn was_read(&self, path: &str) -> bool {
        self.told.contains_key(path)
    }

    /// Returns the file that a reference leads to, or complains where it stands.
    pub(super) fn follow(&mut self, from: &str, kind: FileKind, reference: &Reference) -> Option<String> {
        let wrong = |what: String, hint: &str| REFERENCE.error(reference.span(), what).hint(hint.to_owned());
        let path = match reference.resolve(folder(from)) {
            Ok(path) => path,
            Err(why) => {
                let what = format!(
                    "expected a path inside of the bundle, got {}: {why}",
                    Quoted(reference.as_str())
                );
                self.push(from, kind, wrong(what, "put the file into the bundle"));
                return None;
            }
        };
        if !self.files.has(&path) {
            let what = format!("there is no file {} in the bundle", Quoted(&path));
            let hint = "add the file, or take the reference out";
            self.push(from, kind, MISSING_FILE.error(reference.span(), what).hint(hint));
            return None;
        }
        Some(path)
    }

    /// Returns everything that was found, by file.
    pub(super) fn reports(self) -> Vec<FileReport> {
        let told = self.told.into_iter();
        told.map(|(path, (kind, out))| FileReport {
            path,
            kind,
            diagnostics: out.into_list(),
        })
        .collect()
    }
}
