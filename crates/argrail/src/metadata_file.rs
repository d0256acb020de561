//! Metadata from a file that a person named on the command line.

use std::io::Read;
use std::path::Path;

use argrail_acli::{Code, Error, Text};
use argrail_spec::atip::{Metadata, load};
use argrail_spec::doc::{Document, Limits, Node, place};
use argrail_spec::tools_json;

use crate::foreign::one_line;
use crate::out::{self, Report};

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

/// Reads one file of metadata, or all tools of a `tools.json`.
///
/// # Errors
/// When it cannot be read, or is neither, with the place.
pub(crate) fn read_all(path: &Path, report: Report) -> Result<Vec<Metadata>, Error> {
    let shown = path.to_string_lossy();
    let refuse = |what: String| {
        let what = Text::new("{}: {}").value(&shown).value(what);
        Error::new(Code::ExecutionError, what).hint(Text::new("Run: argrail lint {}").value(&shown))
    };
    let lists_tools = |text: &[u8]| {
        let document = Document::json(text, &Limits::metadata()).ok();
        document.is_some_and(|document| document.root.pointer("/tools").and_then(Node::as_array).is_some())
    };
    let text = match bounded(path, Limits::metadata().bytes) {
        Ok(text) if lists_tools(&text) => text,
        Ok(_) | Err(_) => return read(path, report).map(|metadata| vec![metadata]),
    };
    let manifest = tools_json::load(&text).map_err(|error| refuse(error.to_string()))?;
    let tools = manifest.tools.iter().map(tools_json::metadata);
    let tools = tools.map(|tool| {
        tool.map(|loaded| loaded.metadata)
            .map_err(|problem| refuse(problem.message))
    });
    tools.collect()
}

/// Reads a file, but no more than one byte over `most`: the reader of the text says then that it is too long.
pub(crate) fn bounded(path: &Path, most: usize) -> std::io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let most = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    std::fs::File::open(path)?.take(most).read_to_end(&mut text)?;
    Ok(text)
}
