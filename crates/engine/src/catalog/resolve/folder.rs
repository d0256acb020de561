//! One folder of JSON files, each named after what it is about: shims, overrides, patterns.
//!
//! A file that others can write is not read, and a file that speaks of another tool than its name says is refused:
//! both would let a stranger speak for a tool.

use std::fs;
use std::path::{Path, PathBuf};

use argrail_spec::atip::{
    Extent, Metadata, Pattern, check_tool_name, decode, decode_head, decode_part, decode_patterns,
};
use argrail_spec::doc::{Diagnostic, Document, Limits, place};

use crate::files::untrusted::{self, Keeper, Links, Reading};

/// The most files of one folder that are looked at.
const MAX_FILES: usize = 10_000;

/// A file that could not be used, and why. Others go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it, with the place if it has one.
    pub message: String,
}

impl Problem {
    pub(in crate::catalog) fn new(path: &Path, message: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            message: message.into(),
        }
    }

    fn of(path: &Path, document: &Document, diagnostic: &Diagnostic) -> Self {
        let place = document.place(diagnostic.span.start);
        let message = format!("{}:{}: {}", place.line, place.column, diagnostic.message);
        Self::new(path, message)
    }
}

/// How much of a tool a file describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Describes {
    /// All of it.
    Whole,
    /// What is different.
    Part,
}

/// What a file says, and how much of the tool that is.
pub(super) type Said = (Metadata, Describes);

/// Reads what `folder/NAME.json` says about the tool of that name; `None` when there is no such file.
pub(super) fn tool(
    folder: &Path,
    name: &str,
    describes: Describes,
    extent: Extent,
) -> Result<Option<Said>, Problem> {
    let path = folder.join(format!("{name}.json"));
    if let Err(problem) = check_tool_name(name) {
        return Err(Problem::new(&path, problem.to_string()));
    }
    tool_file(&path, name, describes, extent)
}

/// Reads what one file says about the tool `name`. An override that names the protocol describes the tool whole.
pub(super) fn tool_file(
    path: &Path,
    name: &str,
    describes: Describes,
    extent: Extent,
) -> Result<Option<Said>, Problem> {
    match document(path)? {
        Some(document) => said(path, &document, name, describes, extent).map(Some),
        None => Ok(None),
    }
}

/// Reads what a document says about the tool `name`.
pub(super) fn said(
    path: &Path,
    document: &Document,
    name: &str,
    describes: Describes,
    extent: Extent,
) -> Result<Said, Problem> {
    let loaded = match describes {
        Describes::Whole if extent == Extent::Head => decode_head(&document.root),
        Describes::Whole => decode(&document.root),
        Describes::Part => decode_part(&document.root, name, extent),
    };
    let loaded = loaded.map_err(|diagnostic| Problem::of(path, document, &diagnostic))?;
    if loaded.metadata.name != name {
        let message = format!("it is about {:?}, not about {name:?}", loaded.metadata.name);
        return Err(Problem::new(path, message));
    }
    let names_protocol = document
        .root
        .as_object()
        .is_some_and(|root| root.get("atip").is_some());
    let describes = if names_protocol {
        Describes::Whole
    } else {
        describes
    };
    Ok((loaded.metadata, describes))
}

/// Reads the patterns of one file.
pub(super) fn patterns(path: &Path) -> Result<Vec<Pattern>, Problem> {
    match document(path)? {
        Some(document) => patterns_of(path, &document),
        None => Ok(Vec::new()),
    }
}

/// Reads the patterns of a document.
pub(super) fn patterns_of(path: &Path, document: &Document) -> Result<Vec<Pattern>, Problem> {
    decode_patterns(&document.root)
        .map(|loaded| loaded.patterns)
        .map_err(|diagnostic| Problem::of(path, document, &diagnostic))
}

fn document(path: &Path) -> Result<Option<Document>, Problem> {
    let limits = Limits::metadata();
    let reading = Reading {
        keeper: Keeper::Trusted,
        links: Links::Follow,
        limit: u64::try_from(limits.bytes).unwrap_or(u64::MAX),
    };
    let found = untrusted::read(path, &reading).map_err(|error| Problem {
        path: path.to_owned(),
        message: error.to_string(),
    })?;
    let Some(found) = found else { return Ok(None) };
    parsed(path, &found.bytes).map(Some)
}

/// Reads the text of a file.
pub(super) fn parsed(path: &Path, bytes: &[u8]) -> Result<Document, Problem> {
    Document::json(bytes, &Limits::metadata()).map_err(|diagnostic| {
        let place = place(bytes, diagnostic.span.start);
        let message = format!("{}:{}: {}", place.line, place.column, diagnostic.message);
        Problem::new(path, message)
    })
}

/// Lists the JSON files of a folder by name, without the ending. What is not there is empty.
pub(super) fn stems(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut stems: Vec<String> = entries
        .filter_map(Result::ok)
        .take(MAX_FILES)
        .filter_map(|entry| {
            entry
                .file_name()
                .to_str()?
                .strip_suffix(".json")
                .map(str::to_owned)
        })
        .filter(|stem| check_tool_name(stem).is_ok())
        .collect();
    stems.sort_unstable();
    stems
}
