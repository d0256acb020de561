//! Command lines of made-up tools, read as the tools would read them.

mod behaviour;
mod effects;
mod properties;
mod words;

use std::sync::Arc;

use argrail_acli::{BindError, Limits, tokenize};
use argrail_spec::atip::{Invoked, Metadata, Reader, Unverified, Voice, Why, load};
use serde_json::{Value, json};

/// Metadata of a tool called `tool` with these fields.
pub(crate) fn tool(fields: Value) -> Arc<Metadata> {
    let mut tool = json!({"atip": "0.1", "name": "tool", "version": "1", "description": "A tool"});
    tool.as_object_mut()
        .unwrap()
        .extend(fields.as_object().unwrap().clone());
    let loaded = load(tool.to_string().as_bytes()).unwrap();
    Arc::new(loaded.metadata)
}

/// A tool without subcommands.
pub(crate) fn plain(command: Value) -> Arc<Metadata> {
    let mut own = json!({"description": "It"});
    own.as_object_mut()
        .unwrap()
        .extend(command.as_object().unwrap().clone());
    tool(json!({"commands": {"": own}}))
}

pub(crate) fn read_as(metadata: &Arc<Metadata>, voice: Voice, line: &str) -> Result<Invoked, BindError> {
    let words = if line.is_empty() {
        Vec::new()
    } else {
        tokenize(line, &Limits::default()).unwrap()
    };
    Reader::new(Arc::clone(metadata), voice).read(&words)
}

pub(crate) fn read(metadata: &Arc<Metadata>, line: &str) -> Invoked {
    read_as(metadata, Voice::Settled, line).unwrap_or_else(|error| panic!("{line}: {error}"))
}

/// What was not verified, as `word why`.
pub(crate) fn unverified(invoked: &Invoked) -> Vec<String> {
    let shown = |unverified: &Unverified| {
        let why = match unverified.why {
            Why::UnknownOption => "option",
            Why::UnknownWord => "word",
            Why::ResponseFile => "file",
            Why::Input => "input",
            Why::Variable => "variable",
        };
        format!("{} {why}", unverified.text)
    };
    invoked.unverified.iter().map(shown).collect()
}

pub(crate) fn effects(invoked: &Invoked) -> Value {
    serde_json::to_value(&invoked.effects).unwrap()
}
