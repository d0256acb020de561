//! A provider's message, read and resolved to commands.

use argrail_acli::nearest;
use serde_json::{Map, Value};

use super::check::check;
use super::error::Error;
use super::words::words;
use crate::atip::{Leaf, Metadata};
use crate::doc::{Document, Limits};
use crate::export::Format;
use crate::export::definition::{Definition, definitions};
use crate::export::parameter::Source;
use crate::export::provider::{FailedCall, RawCall};
use crate::tools_json::JSON_OPTION;

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
    pub id: Option<Value>,
    /// The name of the function, as the provider knows it.
    pub function: String,
}

/// Returns the command lines of the calls in a provider's message, if all of them fit.
///
/// # Errors
/// The first thing that does not fit.
pub fn argv(tools: &[Metadata], provider: Format, message: &[u8]) -> Result<Vec<ProviderCall>, Error> {
    let calls = each_argv(tools, provider, message)?.into_iter();
    calls.map(|call| call.map_err(|failed| *failed.error)).collect()
}

/// Returns the command line of each call in a provider's message, or what is wrong with that one, in their order.
///
/// # Errors
/// When the message holds no calls, or too many.
pub fn each_argv(
    tools: &[Metadata],
    provider: Format,
    message: &[u8],
) -> Result<Vec<Result<ProviderCall, FailedCall>>, Error> {
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
    let resolved = calls.into_iter().map(|call| {
        let call = call?;
        resolve(&definitions, &call).map_err(|error| FailedCall {
            id: call.id.clone(),
            function: call.name.clone(),
            error: Box::new(error),
        })
    });
    Ok(resolved.collect())
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
    let argv = match definition.written {
        Some(_) => vec![
            definition.tool.name.clone(),
            JSON_OPTION.to_owned(),
            whole(definition, call),
        ],
        None => words(definition, &check(definition, &call.arguments)?)?,
    };
    Ok(ProviderCall {
        tool: definition.tool.name.clone(),
        path: definition
            .leaf
            .path
            .iter()
            .map(|word| (*word).to_owned())
            .collect(),
        argv,
        id: call.id.clone(),
        function: call.name.clone(),
    })
}

/// The arguments of a tool that takes them as JSON: as they came where they came as text. Its own schema is what they
/// are held against, when it is called.
fn whole(definition: &Definition<'_>, call: &RawCall) -> String {
    if let Some(text) = &call.text {
        return text.clone();
    }
    // Some providers allow fewer names than the manifest has.
    let own_name = |property: &String| {
        let parameters = definition.parameters.iter();
        let renamed = parameters.filter(|parameter| parameter.property == *property);
        let names = renamed.filter_map(|parameter| match &parameter.source {
            Source::Option { option, .. } => Some(option.option.name.clone()),
            Source::Argument(_) => None,
        });
        names.into_iter().next().unwrap_or_else(|| property.clone())
    };
    let arguments = call.arguments.iter();
    let arguments: Map<String, Value> = arguments
        .map(|(property, value)| (own_name(property), value.clone()))
        .collect();
    Value::Object(arguments).to_string()
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
