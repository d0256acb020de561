//! What it can cost to check something against a schema, before anybody does.
//!
//! A schema of a few lines can take longer than the universe has, or never end: references multiply, and one that
//! leads back to itself without a step into the value goes round for ever. Both are refused here, by counting.

use std::collections::HashMap;

use serde_json::Value;

/// How much a schema may grow to when every reference is replaced by what it leads to, and how deep.
const MOST_NODES: u64 = 200_000;
const DEEPEST_SCHEMA: usize = 400;
/// How many ways there may be through a schema that refers to itself.
const MOST_WAYS: u64 = 1_000_000;
/// How deep a value may be that is checked.
const DEEPEST_VALUE: usize = 64;

/// Why a schema is not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TooMuch {
    /// It is too large once its references are followed.
    #[error("it is too large once its references are followed")]
    Large,
    /// It refers to itself without an end.
    #[error("it refers to itself without a step into the value, so that checking would never end")]
    Endless,
    /// It refers to something else than a place in itself.
    #[error("it has a reference that is no pointer into itself ('#/…')")]
    Reference,
}

/// Which steps count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Steps {
    /// To everything that a schema holds.
    All,
    /// To what is asked about the same value.
    SameValue,
}

/// Returns how deep a value may be that is checked against `schema`.
pub(super) fn deepest_value(schema: &Value) -> Result<usize, TooMuch> {
    let mut walk = Walk::new(schema, Steps::All);
    walk.visit(schema, 0)?;
    if walk.references == 0 {
        return Ok(DEEPEST_VALUE);
    }
    let mut same = Walk::new(schema, Steps::SameValue);
    for node in walk.weights.into_keys() {
        // Only nodes that were met are asked: what nothing leads to is never checked.
        same.visit(node.0, 0)?;
    }
    if walk.is_recursive {
        return Ok(levels(walk.references.max(2)));
    }
    Ok(DEEPEST_VALUE)
}

/// Returns how often `ways` can be multiplied by itself.
fn levels(ways: u64) -> usize {
    let mut all = 1_u64;
    let mut levels = 0;
    while levels < DEEPEST_VALUE {
        all = all.saturating_mul(ways);
        if all > MOST_WAYS {
            break;
        }
        levels += 1;
    }
    levels.max(1)
}

/// A node by its place in memory: two equal ones are still two.
#[derive(Debug, Clone, Copy)]
struct At<'s>(&'s Value);

impl PartialEq for At<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for At<'_> {}

impl std::hash::Hash for At<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        std::ptr::hash(self.0, state);
    }
}

struct Walk<'s> {
    root: &'s Value,
    steps: Steps,
    /// What each node grows to; `None` as long as it is being looked at.
    weights: HashMap<At<'s>, Option<u64>>,
    references: u64,
    is_recursive: bool,
}

impl<'s> Walk<'s> {
    fn new(root: &'s Value, steps: Steps) -> Self {
        Self {
            root,
            steps,
            weights: HashMap::new(),
            references: 0,
            is_recursive: false,
        }
    }

    fn visit(&mut self, node: &'s Value, depth: usize) -> Result<u64, TooMuch> {
        match (self.weights.get(&At(node)), self.steps) {
            (Some(Some(weight)), _) => return Ok(*weight),
            (Some(None), Steps::SameValue) => return Err(TooMuch::Endless),
            (Some(None), Steps::All) => {
                self.is_recursive = true;
                return Ok(1);
            }
            (None, _) => {}
        }
        if depth > DEEPEST_SCHEMA {
            return Err(TooMuch::Large);
        }
        self.weights.insert(At(node), None);
        let mut weight = 1_u64;
        for next in self.nexts(node)? {
            weight = weight.saturating_add(self.visit(next, depth + 1)?);
            if weight > MOST_NODES {
                return Err(TooMuch::Large);
            }
        }
        self.weights.insert(At(node), Some(weight));
        Ok(weight)
    }

    fn nexts(&mut self, node: &'s Value) -> Result<Vec<&'s Value>, TooMuch> {
        let Value::Object(fields) = node else {
            return Ok(node
                .as_array()
                .map_or_else(Vec::new, |items| items.iter().collect()));
        };
        let mut nexts = Vec::new();
        for (key, value) in fields {
            let is_all = self.steps == Steps::All;
            match (key.as_str(), value) {
                ("$ref", Value::String(reference)) => {
                    self.references += 1;
                    let pointer = reference.strip_prefix('#');
                    let pointer = pointer.filter(|pointer| pointer.is_empty() || pointer.starts_with('/'));
                    let target = pointer.and_then(|pointer| self.root.pointer(pointer));
                    nexts.push(target.ok_or(TooMuch::Reference)?);
                }
                ("$dynamicRef" | "$recursiveRef", Value::String(_)) => return Err(TooMuch::Reference),
                // Another name for the document would change what references mean.
                ("$id", Value::String(_)) if !std::ptr::eq(node, self.root) => {
                    return Err(TooMuch::Reference);
                }
                ("enum" | "const" | "default" | "examples", _) => {}
                ("allOf" | "anyOf" | "oneOf", Value::Array(items)) => nexts.extend(items),
                ("not" | "if" | "then" | "else", value) => nexts.push(value),
                ("dependentSchemas" | "dependencies", Value::Object(named)) => nexts.extend(named.values()),
                ("properties" | "patternProperties" | "$defs" | "definitions", Value::Object(named))
                    if is_all =>
                {
                    nexts.extend(named.values())
                }
                (_, Value::Object(_) | Value::Array(_)) if is_all => nexts.push(value),
                (_, _) => {}
            }
        }
        Ok(nexts)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_would_never_end_is_refused() {
        let check = |schema: Value, want: Result<usize, TooMuch>| {
            assert_eq!(deepest_value(&schema), want, "{schema}");
        };
        check(json!({}), Ok(64));
        check(
            json!({"type": "object", "properties": {"a": {"type": "string"}}}),
            Ok(64),
        );
        check(
            json!({"properties": {"$ref": {"type": "string"}, "enum": {}}}),
            Ok(64),
        );
        check(json!({"$ref": "#/$defs/a", "$defs": {"a": {}}}), Ok(64));
        // A tree: each level has two ways.
        let tree = json!({"properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}}});
        check(tree, Ok(19));
        check(json!({"items": {"$ref": "#"}}), Ok(19));
        check(json!({"$ref": "#"}), Err(TooMuch::Endless));
        check(json!({"allOf": [{"$ref": "#"}]}), Err(TooMuch::Endless));
        check(
            json!({"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"not": {"$ref": "#/$defs/a"}}}}),
            Err(TooMuch::Endless),
        );
        for lost in ["#/nowhere", "#name", "other.json", "https://x.example/s.json", ""] {
            check(json!({"items": {"$ref": lost}}), Err(TooMuch::Reference));
        }
        check(json!({"$dynamicRef": "#a"}), Err(TooMuch::Reference));
        check(
            json!({"items": {"$id": "x", "$ref": "#/a"}}),
            Err(TooMuch::Reference),
        );
    }

    #[test]
    fn what_multiplies_is_counted() {
        let mut defs = json!({"a0": {"type": "string"}});
        for level in 1..40 {
            let below = format!("#/$defs/a{}", level - 1);
            defs[format!("a{level}")] = json!({"anyOf": [{"$ref": below}, {"$ref": below}]});
        }
        let schema = json!({"$ref": "#/$defs/a39", "$defs": defs});
        assert_eq!(deepest_value(&schema), Err(TooMuch::Large));
        let chain: serde_json::Map<String, Value> = (0..2_000)
            .map(|at| (format!("c{at}"), json!({"$ref": format!("#/$defs/c{}", at + 1)})))
            .chain([("c2000".to_owned(), json!({}))])
            .collect();
        let schema = json!({"$ref": "#/$defs/c0", "$defs": chain});
        assert_eq!(deepest_value(&schema), Err(TooMuch::Large));
    }
}
