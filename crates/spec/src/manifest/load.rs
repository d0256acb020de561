//! From the bytes of a manifest to its value, or to every reason why there is none.

use std::fmt;

use super::field::Field;
use crate::doc::fields::Complaints;
use crate::doc::{Diagnostic, Document, FrontMatter, Limits, Severity};

/// A manifest that can be used.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded<T> {
    /// What it says.
    pub manifest: T,
    /// The Markdown after the front matter, as it is.
    pub body: String,
    /// What does not mean what it says, and what is worth knowing. Never an error.
    pub warnings: Vec<Diagnostic>,
}

/// A manifest that cannot be used. It has at least one error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Everything that was found, in the order it came up.
    pub diagnostics: Vec<Diagnostic>,
}

impl Refused {
    /// Returns the first error.
    pub fn first(&self) -> Option<&Diagnostic> {
        let mut all = self.diagnostics.iter();
        all.find(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.first() {
            Some(first) => f.write_str(&first.message),
            None => f.write_str("the manifest cannot be used"),
        }
    }
}

impl std::error::Error for Refused {}

/// How a format is read.
pub(crate) type Decode<T> = fn(&Field<'_>, &mut Complaints) -> Option<T>;

/// Reads a whole file.
pub(crate) fn load<T>(text: &[u8], decode: Decode<T>) -> Result<Loaded<T>, Refused> {
    let file = FrontMatter::read(text, &Limits::manifest()).map_err(|problem| Refused {
        diagnostics: vec![problem],
    })?;
    let (manifest, complaints) = decoded(&file.document, decode);
    let failed = complaints.has_error();
    let diagnostics = complaints.into_list();
    match manifest.filter(|_| !failed) {
        Some(manifest) => Ok(Loaded {
            manifest,
            body: file.body().to_owned(),
            warnings: diagnostics,
        }),
        None => Err(Refused { diagnostics }),
    }
}

/// Decodes a document that was read. A value may come with errors: then it is for checking more, never for use.
pub(crate) fn decoded<T>(document: &Document, decode: Decode<T>) -> (Option<T>, Complaints) {
    let mut complaints = Complaints::default();
    let manifest = decode(&Field::root(document), &mut complaints);
    (manifest, complaints)
}
