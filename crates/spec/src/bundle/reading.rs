//! The manifests of a bundle, each read once, and what is said about each.

use std::collections::BTreeMap;

use super::files::{Files, folder};
use super::rules::{MISSING_FILE, UNRESOLVED, UNUSED};
use crate::cli_md::Install;
use crate::doc::fields::{Complaints, Quoted};
use crate::doc::{Diagnostic, FrontMatter, Limits, Severity, Span, Spanned};
use crate::lint::FileKind;
use crate::manifest::{Composable, Field, REFERENCE, Reference};

/// The manifests that a folder may hang on.
const MANIFESTS: [&str; 2] = ["CLI.md", "AGENT-CLI.md"];

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

/// The manifest that a folder hangs on: its name and kind.
#[derive(Clone, Copy)]
pub(crate) struct Root {
    pub(crate) path: &'static str,
    pub(crate) kind: FileKind,
}

/// The files, and what is said about each.
pub(crate) struct Reading<'f> {
    pub(crate) files: &'f Files,
    root: Root,
    told: BTreeMap<String, (FileKind, Complaints)>,
}

impl<'f> Reading<'f> {
    pub(crate) fn new(files: &'f Files, root: Root) -> Self {
        Self {
            files,
            root,
            told: BTreeMap::new(),
        }
    }

    /// Reads a manifest. Whatever is wrong with it is kept; the value is there if there is one at all.
    pub(crate) fn read<T>(
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
    pub(crate) fn push(&mut self, path: &str, kind: FileKind, diagnostic: Diagnostic) {
        let (_, out) = self
            .told
            .entry(path.to_owned())
            .or_insert_with(|| (kind, Complaints::default()));
        out.push(diagnostic);
    }

    pub(crate) fn was_read(&self, path: &str) -> bool {
        self.told.contains_key(path)
    }

    /// Returns the file that a reference leads to, or complains where it stands.
    pub(crate) fn follow(&mut self, from: &str, kind: FileKind, reference: &Reference) -> Option<String> {
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

    /// Complains about the manifest that the folder hangs on.
    pub(crate) fn tell(&mut self, diagnostic: Diagnostic) {
        self.push(self.root.path, self.root.kind, diagnostic);
    }

    /// Returns the file that a reference of that manifest leads to, or complains where it stands.
    pub(crate) fn named(&mut self, reference: &Reference) -> Option<String> {
        self.follow(self.root.path, self.root.kind, reference)
    }

    /// Returns a block of that manifest, wherever it is written.
    pub(crate) fn resolve<T: Clone>(
        &mut self,
        block: &Composable<T>,
        kind: FileKind,
        decode: fn(&Field<'_>, &mut Complaints) -> Option<T>,
    ) -> Option<T> {
        match block {
            Composable::Inline(block) => Some(block.clone()),
            Composable::File(reference) => {
                let path = self.named(reference)?;
                self.read(&path, kind, decode).map(|(block, _)| block)
            }
            Composable::Named(name) => {
                let what = format!("nobody here knows the name {}", Quoted(name));
                let hint = "write the block itself, or the path of a file in the bundle";
                self.tell(UNRESOLVED.error(name.span, what).hint(hint));
                None
            }
        }
    }

    /// Follows what is no manifest: the program, where it is a file, and vendored ones.
    pub(crate) fn programs(&mut self, bin: &Spanned<String>, install: &[Install]) {
        let bin = Reference::parse(bin, bin.span).ok().filter(|_| bin.contains('/'));
        let vendored = install.iter().filter_map(|install| match install {
            Install::Vendored(vendored) => Some(vendored.path.clone()),
            Install::Package(_)
            | Install::Npm(_)
            | Install::Pip(_)
            | Install::Curl(_)
            | Install::Download(_)
            | Install::Unknown(_) => None,
        });
        for reference in bin.into_iter().chain(vendored) {
            self.named(&reference);
        }
    }

    /// Tells about manifests of some kinds that nothing names. What lies in a folder with a manifest of its own is that
    /// one's, and a folder may be a tool's and an agent's at once: then nobody here knows all that is named.
    pub(crate) fn unused(&mut self, kinds: &[FileKind]) {
        if MANIFESTS.iter().all(|manifest| self.files.has(manifest)) {
            return;
        }
        let nested = |path: &str, other: &str| {
            let inner = other
                .strip_suffix(self.root.path)
                .and_then(|folder| folder.strip_suffix('/'));
            inner.is_some_and(|inner| path.starts_with(&format!("{inner}/")))
        };
        let paths: Vec<(String, FileKind)> = self
            .files
            .paths()
            .filter(|path| !self.was_read(path))
            .filter(|path| !self.files.paths().any(|other| nested(path, other)))
            .filter_map(|path| Some((path.to_owned(), FileKind::of_manifest(path)?)))
            .filter(|(_, kind)| kinds.contains(kind))
            .collect();
        for (path, kind) in paths {
            let root = self.root.path;
            let diagnostic = UNUSED
                .note(Span::default(), format!("nothing in {root} names this file"))
                .hint(format!("name it in {root}, or remove it"));
            self.push(&path, kind, diagnostic);
        }
    }

    /// Returns everything that was found, by file.
    pub(crate) fn reports(self) -> Vec<FileReport> {
        let told = self.told.into_iter();
        told.map(|(path, (kind, out))| FileReport {
            path,
            kind,
            diagnostics: out.into_list(),
        })
        .collect()
    }
}
