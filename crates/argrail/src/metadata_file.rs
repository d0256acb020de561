//! Metadata from a file that a person named on the command line.

use std::io::Read;
use std::path::Path;

use argrail_acli::{Code, Error, Text};
use argrail_spec::atip::{Metadata, load};
use argrail_spec::doc::{Document, Limits, Node, place};
use argrail_spec::export::Note;
use argrail_spec::tools_json::{self, ManifestError};

use crate::foreign::one_line;
use crate::out::{self, Report};

/// What a manifest of tools is called.
pub(crate) const TOOLS_JSON: &str = "tools.json";

/// Reads one file. What is odd in it is told to a person.
///
/// # Errors
/// When it cannot be read, or is no metadata, with the place.
pub(crate) fn read(path: &Path, report: Report) -> Result<Metadata, Error> {
    let shown = path.to_string_lossy();
    let text = bounded(path, Limits::metadata().bytes).map_err(|error| {
        Error::new(
            Code::ExecutionError,
            Text::new("{}: {}").value(&shown).value(error.to_string()),
        )
        .hint(Text::new("Check that {} is a file that you may read").value(&shown))
    })?;
    let loaded = load(&text).map_err(|diagnostic| {
        let at = place(&text, diagnostic.span.start);
        let what = Text::new("{}:{}:{}: {}")
            .value(&shown)
            .number(at.line)
            .number(at.column)
            .value(diagnostic.message);
        Error::new(Code::ExecutionError, what).hint(Text::new("Run: argrail lint {}").value(&shown))
    })?;
    if report == Report::Text {
        for warning in &loaded.warnings {
            let at = place(&text, warning.span.start);
            out::say(&one_line(&format!("{shown}:{at}: {}", warning.message)));
        }
    }
    Ok(loaded.metadata)
}

/// The tools of a file, and those of it that cannot be told of.
#[derive(Default)]
pub(crate) struct FileTools {
    /// What can be called.
    pub(crate) tools: Vec<Metadata>,
    /// What is left out, and why.
    pub(crate) notes: Vec<Note>,
}

/// Reads one file of metadata, or all tools of a `tools.json`. One whose name nobody can type is left out.
///
/// # Errors
/// When it cannot be read, or is neither, with the place.
pub(crate) fn read_all(path: &Path, report: Report) -> Result<FileTools, Error> {
    let shown = path.to_string_lossy();
    let refuse = |what: String| {
        let what = Text::new("{}: {}").value(&shown).value(what);
        Error::new(Code::ExecutionError, what).hint(Text::new("Run: argrail lint {}").value(&shown))
    };
    let lists_tools = |text: &[u8]| {
        let document = Document::json(text, &Limits::metadata()).ok();
        document.is_some_and(|document| document.root.pointer("/tools").and_then(Node::as_array).is_some())
    };
    let is_called_so = path.file_name().is_some_and(|name| name == TOOLS_JSON);
    let text = match bounded(path, Limits::metadata().bytes) {
        Ok(text) if is_called_so || lists_tools(&text) => text,
        Err(error) if is_called_so => {
            let why = error.to_string();
            let error = refuse(ManifestError::Read { why }.to_string());
            return Err(error.hint(Text::new("Check that {} is a file that you may read").value(&shown)));
        }
        Ok(_) | Err(_) => {
            return read(path, report).map(|metadata| FileTools {
                tools: vec![metadata],
                notes: Vec::new(),
            });
        }
    };
    let manifest = tools_json::load(&text).map_err(|error| refuse(error.to_string()))?;
    let mut found = FileTools::default();
    for tool in &manifest.tools {
        match tools_json::metadata(tool) {
            Ok(loaded) => found.tools.push(loaded.metadata),
            Err(_) => found.notes.push(Note::left_out(
                &tool.name,
                "no command line can begin with its name",
            )),
        }
    }
    Ok(found)
}

/// Reads a file, but no more than one byte over `most`: the reader of the text says then that it is too long.
pub(crate) fn bounded(path: &Path, most: usize) -> std::io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let most = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    std::fs::File::open(path)?.take(most).read_to_end(&mut text)?;
    Ok(text)
}
