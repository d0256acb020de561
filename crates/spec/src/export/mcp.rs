//! The Model Context Protocol: the result of `tools/list`; calls are the parameters of `tools/call`.
//!
//! Annotations are given only where the metadata claims something. One that is absent means the worst to a client, so
//! silence is never turned into a claim of safety.

use serde_json::{Map, Value, json};

use super::call::Error;
use super::definition::Definition;
use super::format::Strictness;
use super::provider::{FailedCall, Provider, RawCall, id, object, raw_call, text};
use crate::atip::Effects;

/// Tools of an MCP server.
pub(crate) struct Mcp;

impl Provider for Mcp {
    fn definition(&self, definition: &Definition<'_>, _: Strictness) -> (Value, Option<&'static str>) {
        let mut tool = Map::new();
        tool.insert("name".to_owned(), definition.name.as_str().into());
        tool.insert("title".to_owned(), definition.title().into());
        tool.insert("description".to_owned(), definition.description.as_str().into());
        let input = definition.input(&|name| self.allows_property(name));
        tool.insert("inputSchema".to_owned(), input);
        let annotations = annotations(&definition.leaf.effects);
        if !annotations.is_empty() {
            tool.insert("annotations".to_owned(), Value::Object(annotations));
        }
        (Value::Object(tool), None)
    }

    fn wrap(&self, definitions: Vec<Value>) -> Value {
        json!({"tools": definitions})
    }

    /// Takes a `tools/call` request, its parameters, or a list of these.
    fn calls(&self, message: &Value) -> Result<Vec<Result<RawCall, FailedCall>>, Error> {
        let requests = match message {
            Value::Array(requests) => requests.as_slice(),
            request => std::slice::from_ref(request),
        };
        let is_call = |request: &&Value| match text(request, "method") {
            Some(method) => method == "tools/call",
            None => request.get("name").is_some(),
        };
        Ok(requests.iter().filter(is_call).map(call).collect())
    }
}

fn call(request: &Value) -> Result<RawCall, FailedCall> {
    let params = request.get("params").unwrap_or(request);
    raw_call(id(request.get("id")), text(params, "name"), |name| {
        Ok((object(name, params.get("arguments"))?, None))
    })
}

fn annotations(effects: &Effects) -> Map<String, Value> {
    let hints = [
        ("readOnlyHint", read_only(effects)),
        ("destructiveHint", destructive(effects)),
        ("idempotentHint", effects.idempotent),
        ("openWorldHint", effects.network),
    ];
    hints
        .into_iter()
        .filter_map(|(name, hint)| Some((name.to_owned(), hint?.into())))
        .collect()
}

fn names_some(kinds: &Option<Vec<String>>) -> bool {
    kinds.as_ref().is_some_and(|kinds| !kinds.is_empty())
}

/// Yes only when every way to change something is denied.
fn read_only(effects: &Effects) -> Option<bool> {
    let files = effects.filesystem.clone().unwrap_or_default();
    let billable = effects.cost.as_ref().and_then(|cost| cost.billable);
    let changes = names_some(&effects.creates)
        || names_some(&effects.modifies)
        || names_some(&effects.deletes)
        || files.write == Some(true)
        || files.delete == Some(true)
        || effects.destructive == Some(true)
        || billable == Some(true);
    if changes {
        return Some(false);
    }
    let denied = files.write == Some(false)
        && files.delete == Some(false)
        && effects.destructive == Some(false)
        && effects.idempotent == Some(true);
    denied.then_some(true)
}

/// Yes when something is destroyed or deleted, no only when that is denied.
fn destructive(effects: &Effects) -> Option<bool> {
    let files = effects.filesystem.clone().unwrap_or_default();
    if effects.destructive == Some(true) || files.delete == Some(true) || names_some(&effects.deletes) {
        return Some(true);
    }
    effects.destructive.filter(|_| files.delete != Some(true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atip::Filesystem;

    #[test]
    fn hints_are_given_only_where_something_is_claimed() {
        let check = |effects: Effects, want: Value| assert_eq!(Value::Object(annotations(&effects)), want);
        check(Effects::default(), json!({}));
        let files = |write, delete| {
            Some(Filesystem {
                write,
                delete,
                ..Filesystem::default()
            })
        };
        let read = Effects {
            filesystem: files(Some(false), Some(false)),
            network: Some(true),
            idempotent: Some(true),
            destructive: Some(false),
            ..Effects::default()
        };
        check(
            read.clone(),
            json!({"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": true}),
        );
        // One open question, and it is no longer called read-only.
        let open = Effects {
            filesystem: files(Some(false), None),
            ..read.clone()
        };
        check(
            open,
            json!({"destructiveHint": false, "idempotentHint": true, "openWorldHint": true}),
        );
        let deletes = Effects {
            deletes: Some(vec!["repository".to_owned()]),
            ..read
        };
        check(
            deletes,
            json!({"readOnlyHint": false, "destructiveHint": true, "idempotentHint": true, "openWorldHint": true}),
        );
    }
}
