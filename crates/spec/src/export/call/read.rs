//! A provider's message, read and resolved to commands.

use argrail_acli::nearest;
use serde_json::Value;

use super::check::check;
use super::error::Error;
use super::words::words;
use crate::atip::{Leaf, Metadata};
use crate::doc::{Document, Limits};
use crate::export::Format;
use crate::export::definition::{Definition, definitions};
use crate::export::provider::RawCall;

/// How many calls one may hold.
const CALLS: usize = 128;

/// One call, ready to be judged. Nothing has been run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderCall {
    /// The tool.
    pub tool: String,
    /// The words after its name that lead to the command.
    pub path: Vec<String>,
    /// The whole command line, the tool's name first.
    pub argv: Vec<String>,
    /// The id to answer by, where the provider gave one.
    pub id: Option<String>,
}

/// Returns the command lines of the calls in a provider's message.
///
/// # Errors
/// The first thing that does not fit: then none of the calls is made.
pub fn argv(tools: &[Metadata], provider: Format, message: &[u8]) -> Result<Vec<ProviderCall>, Error> {
    let message = parse(message)?;
    let provider = provider.provider();
    let calls = provider.calls(&message)?;
    if calls.is_empty() {
        return Err(Error::NoCall);
    }
    if calls.len() > CALLS {
        return Err(Error::TooMany { most: CALLS });
    }
    // What was never exported cannot be called.
    let visible = |leaf: &Leaf<'_>| !leaf.hidden;
    let (definitions, _) = definitions(tools, provider, &visible);
    calls.iter().map(|call| resolve(&definitions, call)).collect()
}

fn resolve(definitions: &[Definition<'_>], call: &RawCall) -> Result<ProviderCall, Error> {
    let mut named = definitions
        .iter()
        .filter(|definition| definition.name == call.name);
    // Two of the same name were not exported either.
    let (Some(definition), None) = (named.next(), named.next()) else {
        let names = definitions.iter().map(|definition| definition.name.as_str());
        return Err(Error::UnknownFunction {
            given: call.name.clone(),
            nearest: nearest(&call.name, names).map(str::to_owned),
        });
    };
    let values = check(definition, &call.arguments)?;
    Ok(ProviderCall {
        tool: definition.tool.name.clone(),
        path: definition
            .leaf
            .path
            .iter()
            .map(|word| (*word).to_owned())
            .collect(),
        argv: words(definition, &values)?,
        id: call.id.clone(),
    })
}

/// Reads JSON, of which length, depth and number of values are bounded and no name stands twice.
pub(crate) fn parse(text: &[u8]) -> Result<Value, Error> {
    let limits = Limits::default();
    if text.len() > limits.bytes {
        return Err(Error::TooLong { most: limits.bytes });
    }
    let document = Document::json(text, &limits).map_err(|diagnostic| Error::NotJson {
        why: diagnostic.message,
    })?;
    Ok(document.root.to_json())
}
