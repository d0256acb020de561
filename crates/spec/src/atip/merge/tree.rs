//! Laying one JSON tree over another, and remembering where each leaf came from.
//!
//! Options, arguments and patterns are lists of named things: they are matched by name, not by place.

use indexmap::IndexMap;
use serde_json::{Map, Value};

use crate::doc::pointer_step;

/// A tree and the origin of each leaf, by JSON pointer.
#[derive(Debug, Default)]
pub(super) struct Overlay {
    pub(super) value: Value,
    pub(super) provenance: IndexMap<String, String>,
}

/// Lists whose items are matched by their `name`.
const NAMED: [&str; 4] = ["options", "globalOptions", "arguments", "patterns"];
/// Named things that are replaced as a whole (ATIP §3.6).
const REPLACED: &str = "patterns";

/// Lays `over` on top; what it has comes from `origin` from now on.
pub(super) fn overlay(under: &mut Overlay, over: Value, origin: &str) {
    let provenance = &mut under.provenance;
    lay(&mut under.value, over, "", &mut Origins { provenance, origin });
}

struct Origins<'a> {
    provenance: &'a mut IndexMap<String, String>,
    origin: &'a str,
}

impl Origins<'_> {
    /// Nothing is known any more about what stood at and below `pointer`.
    fn forget(&mut self, pointer: &str) {
        let below = format!("{pointer}/");
        self.provenance
            .retain(|known, _| known != pointer && !known.starts_with(&below));
    }

    /// Everything at and below `pointer` is the new origin's, leaf by leaf.
    fn mark(&mut self, pointer: &str, value: &Value) {
        match value {
            Value::Object(fields) if !fields.is_empty() => {
                for (key, value) in fields {
                    self.mark(&format!("{pointer}/{}", pointer_step(key)), value);
                }
            }
            Value::Array(items) if items.iter().any(Value::is_object) => {
                for (index, item) in items.iter().enumerate() {
                    self.mark(&format!("{pointer}/{index}"), item);
                }
            }
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_)
            | Value::Object(_) => {
                self.provenance.insert(pointer.to_owned(), self.origin.to_owned());
            }
        }
    }
}

fn lay(under: &mut Value, over: Value, pointer: &str, origins: &mut Origins<'_>) {
    match (under, over) {
        (Value::Object(under), Value::Object(over)) => lay_object(under, over, pointer, origins),
        (under, over) => {
            if matches!(under, Value::Object(_) | Value::Array(_)) {
                origins.forget(pointer);
            }
            origins.mark(pointer, &over);
            *under = over;
        }
    }
}

fn lay_object(
    under: &mut Map<String, Value>,
    over: Map<String, Value>,
    pointer: &str,
    origins: &mut Origins<'_>,
) {
    // A command may be called `options`; its fields are no list of options, and `lay_named` sees an object.
    for (key, value) in over {
        let pointer = format!("{pointer}/{}", pointer_step(&key));
        match (under.get_mut(&key), value) {
            (Some(Value::Array(under)), Value::Array(over)) if NAMED.contains(&key.as_str()) => {
                lay_named(under, over, &pointer, key == REPLACED, origins);
            }
            (Some(under), value) => lay(under, value, &pointer, origins),
            (None, value) => {
                origins.mark(&pointer, &value);
                under.insert(key, value);
            }
        }
    }
}

fn lay_named(
    under: &mut Vec<Value>,
    over: Vec<Value>,
    pointer: &str,
    replaced: bool,
    origins: &mut Origins<'_>,
) {
    for item in over {
        let name = item.get("name");
        let same = under
            .iter_mut()
            .enumerate()
            .find(|(_, known)| name.is_some() && known.get("name") == name);
        match same {
            Some((index, known)) => {
                let pointer = format!("{pointer}/{index}");
                if replaced {
                    origins.forget(&pointer);
                    origins.mark(&pointer, &item);
                    *known = item;
                } else {
                    lay(known, item, &pointer, origins);
                }
            }
            None => {
                origins.mark(&format!("{pointer}/{}", under.len()), &item);
                under.push(item);
            }
        }
    }
}
