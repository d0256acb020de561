//! A tool of a bundle by its own name and a JSON object: `call --tool notes.list --input '{"limit":2}'`.

use argrail_acli::Error;
use argrail_engine::catalog::bundle::hold;
use argrail_spec::bundle::BundleTool;
use serde_json::{Map, Value};

use crate::catalogue::{catalogue, shelf};

/// Returns the command line of a call, if the name is that of a bundle's tool: its id, or its words.
///
/// # Errors
/// When the bundle or the input cannot be read.
pub(super) fn bundle_words(tool: &str, input: &str) -> Result<Option<Vec<String>>, Error> {
    let words: Vec<&str> = tool.split_whitespace().collect();
    let [first, rest @ ..] = words.as_slice() else {
        return Ok(None);
    };
    let shelf = shelf()?;
    let catalogue = catalogue(&shelf)?;
    let sources = catalogue.sources();
    let name = match sources.bundles.find(first) {
        Some(_) => first,
        None => first.split('.').next().unwrap_or_default(),
    };
    let Some(head) = sources.bundles.find(name) else {
        return Ok(None);
    };
    let held = hold(head, sources.project).map_err(Error::execution)?;
    let is_meant = |one: &&BundleTool| one.tool.id.value == tool || (name == *first && one.words == rest);
    let Some(index) = held.bundle.tools.iter().position(|one| is_meant(&one)) else {
        return Ok(None);
    };
    let Some(one) = held.bundle.tools.get(index) else {
        return Ok(None);
    };
    let input: Map<String, Value> = serde_json::from_str(input).map_err(|error| {
        let what = argrail_acli::Text::new("the input is no JSON object: {}").value(error.to_string());
        Error::invalid(
            what,
            "Pass an object with the tool's inputs, such as {\"limit\":2}",
        )
    })?;
    // Words have no types: what came with some is held against the contract before they are lost.
    let sent = Value::Object(input);
    held.check_input(index, &sent, tool)?;
    let words = held
        .bundle
        .command_words(one, sent.as_object().unwrap_or(&Map::new()));
    Ok(Some(std::iter::once(name.to_owned()).chain(words).collect()))
}
