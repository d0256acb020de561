//! Effects as single claims, and which of several holds.

use std::collections::HashSet;

use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::super::model::Effects;
use super::layers::Authority;

/// Parts of the effects whose fields are claims of their own.
const GROUPS: [&str; 4] = ["filesystem", "cost", "duration", "interactive"];

/// Claims by their pointer inside the effects: `/network`, `/filesystem/write`.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Claims(IndexMap<String, Value>);

/// What one layer says about one command.
pub(super) struct Voice<'a> {
    pub(super) origin: &'a str,
    pub(super) authority: Authority,
    pub(super) claims: &'a Claims,
}

/// Claims that hold, with who said so.
pub(super) struct Decided<'a>(IndexMap<String, (Value, &'a str)>);

impl Claims {
    pub(super) fn of(effects: Option<&Effects>) -> Self {
        let value = effects.and_then(|effects| serde_json::to_value(effects).ok());
        let Some(Value::Object(fields)) = value else {
            return Self::default();
        };
        let mut claims = IndexMap::new();
        for (key, value) in fields {
            match value {
                Value::Object(group) if GROUPS.contains(&key.as_str()) => {
                    for (field, value) in group {
                        claims.insert(format!("/{key}/{field}"), value);
                    }
                }
                value => {
                    claims.insert(format!("/{key}"), value);
                }
            }
        }
        Self(claims)
    }

    /// Returns the pointers of the claims.
    pub(super) fn fields(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Returns these claims with nearer ones in their place, field by field.
    pub(super) fn overlaid(&self, nearer: Option<&Effects>) -> Self {
        let mut claims = self.clone();
        claims.0.extend(Self::of(nearer).0);
        claims
    }

    /// Decides per field: the strictest of the claims, then what the layers that settle say, in order.
    pub(super) fn decide<'a>(voices: impl Iterator<Item = Voice<'a>> + Clone) -> Decided<'a> {
        let mut decided: IndexMap<String, (Value, &'a str)> = IndexMap::new();
        let with = |authority| voices.clone().filter(move |voice| voice.authority == authority);
        for voice in with(Authority::Claims) {
            for (field, value) in &voice.claims.0 {
                match decided.get_mut(field) {
                    Some((known, origin)) => {
                        if let Some(stricter) = stricter(field, known, value) {
                            *known = stricter;
                            *origin = voice.origin;
                        }
                    }
                    None => {
                        decided.insert(field.clone(), (value.clone(), voice.origin));
                    }
                }
            }
        }
        for voice in with(Authority::Settles) {
            for (field, value) in &voice.claims.0 {
                decided.insert(field.clone(), (value.clone(), voice.origin));
            }
        }
        Decided(decided)
    }
}

impl<'a> Decided<'a> {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn origins(&self) -> impl Iterator<Item = (&str, &'a str)> {
        self.0
            .iter()
            .map(|(field, (_, origin))| (field.as_str(), *origin))
    }

    /// Returns the effects as JSON.
    pub(super) fn value(&self) -> Value {
        let mut effects = Map::new();
        for (field, (value, _)) in &self.0 {
            let path = field.strip_prefix('/').unwrap_or(field);
            match path.split_once('/').filter(|(group, _)| GROUPS.contains(group)) {
                Some((group, field)) => {
                    let group = effects.entry(group).or_insert_with(|| Value::Object(Map::new()));
                    if let Value::Object(group) = group {
                        group.insert(field.to_owned(), value.clone());
                    }
                }
                None => {
                    effects.insert(path.to_owned(), value.clone());
                }
            }
        }
        Value::Object(effects)
    }
}

/// Returns the claim that takes the place of `known`, if `other` is stricter or adds something.
fn stricter(field: &str, known: &Value, other: &Value) -> Option<Value> {
    let replace = |stricter: bool| stricter.then(|| other.clone());
    match field {
        "/idempotent" | "/reversible" => replace(known == &Value::Bool(true) && other == &Value::Bool(false)),
        "/cost/estimate" => replace(cost(other) > cost(known)),
        "/interactive/stdin" => replace(stdin(other) > stdin(known)),
        // The shorter limit is the stricter one only if both can be read; the first to speak keeps it.
        "/duration/typical" | "/duration/timeout" => None,
        _ => match (known, other) {
            (Value::Bool(known), Value::Bool(other)) => replace(!known & other),
            (Value::Array(known), Value::Array(more)) => union(known, more),
            // What no draft defines has no order: the first to speak keeps it, and cannot be overruled by a claim.
            _ => None,
        },
    }
}

fn union(known: &[Value], more: &[Value]) -> Option<Value> {
    let given: HashSet<&Value> = known.iter().collect();
    let new: Vec<_> = more.iter().filter(|item| !given.contains(item)).collect();
    (!new.is_empty()).then(|| known.iter().chain(new).cloned().collect())
}

/// How dear: a word that we do not know counts as high.
fn cost(estimate: &Value) -> u8 {
    match estimate.as_str() {
        Some("none" | "free") => 0,
        Some("low") => 1,
        Some("medium") => 2,
        _ => 3,
    }
}

fn stdin(word: &Value) -> u8 {
    match word.as_str() {
        Some("none") => 0,
        Some("optional") => 1,
        Some("required") => 2,
        _ => 3,
    }
}
