//! Conditions on inputs: a flat list of which all must hold.

use std::borrow::Cow;

use argrail_acli::nearest;
use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::rules::OPERATOR;
use crate::declare::{ByName, Decode, own};
use crate::doc::fields::{Complaints, Quoted};
use crate::manifest::{Field, VALUE};

const OPERATORS: [&str; 8] = ["not", "in", "not_in", "not_empty", "gt", "lt", "gte", "lte"];

/// Conditions by input; all must hold.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct When(IndexMap<String, Predicate>);

/// What one input must be.
#[derive(Debug, Clone, PartialEq)]
pub enum Predicate {
    /// This.
    Is(Value),
    /// All of these.
    All(Vec<Test>),
}

/// One comparison.
#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    /// Anything but this.
    Not(Value),
    /// One of these.
    In(Vec<Value>),
    /// None of these.
    NotIn(Vec<Value>),
    /// Something, or nothing.
    NotEmpty(bool),
    /// More.
    Gt(f64),
    /// Less.
    Lt(f64),
    /// No less.
    Gte(f64),
    /// No more.
    Lte(f64),
}

impl When {
    /// Whether all conditions hold for an input. What is absent is null.
    pub fn matches(&self, input: &Map<String, Value>) -> bool {
        let holds = |(name, predicate): (&String, &Predicate)| {
            predicate.holds(input.get(name).unwrap_or(&Value::Null))
        };
        self.0.iter().all(holds)
    }

    /// Returns the inputs that are asked about.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

impl Predicate {
    fn holds(&self, value: &Value) -> bool {
        match self {
            Self::Is(wanted) => same(wanted, value),
            Self::All(tests) => tests.iter().all(|test| test.holds(value)),
        }
    }
}

impl Test {
    fn holds(&self, value: &Value) -> bool {
        let number =
            |test: fn(f64, f64) -> bool, bound: f64| value.as_f64().is_some_and(|value| test(value, bound));
        match self {
            Self::Not(unwanted) => !same(unwanted, value),
            Self::In(wanted) => wanted.iter().any(|wanted| same(wanted, value)),
            Self::NotIn(unwanted) => !unwanted.iter().any(|unwanted| same(unwanted, value)),
            Self::NotEmpty(wanted) => *wanted != is_empty(value),
            Self::Gt(bound) => number(|value, bound| value > bound, *bound),
            Self::Lt(bound) => number(|value, bound| value < bound, *bound),
            Self::Gte(bound) => number(|value, bound| value >= bound, *bound),
            Self::Lte(bound) => number(|value, bound| value <= bound, *bound),
        }
    }

    fn operator(&self) -> &'static str {
        match self {
            Self::Not(_) => "not",
            Self::In(_) => "in",
            Self::NotIn(_) => "not_in",
            Self::NotEmpty(_) => "not_empty",
            Self::Gt(_) => "gt",
            Self::Lt(_) => "lt",
            Self::Gte(_) => "gte",
            Self::Lte(_) => "lte",
        }
    }

    fn operand(&self) -> Value {
        match self {
            Self::Not(value) => value.clone(),
            Self::In(values) | Self::NotIn(values) => Value::Array(values.clone()),
            Self::NotEmpty(truth) => Value::Bool(*truth),
            Self::Gt(number) | Self::Lt(number) | Self::Gte(number) | Self::Lte(number) => (*number).into(),
        }
    }
}

/// Whether two values are the same; 1 and 1.0 are.
fn same(a: &Value, b: &Value) -> bool {
    a == b || a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| a == b)
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

own! {
    When: |field, out| Decode::<ByName>::decode(field, out).map(When);
    Predicate: |field, out| predicate(field, out);
}

fn predicate(field: &Field<'_>, out: &mut Complaints) -> Option<Predicate> {
    if field.node.as_object().is_none() {
        return Some(Predicate::Is(field.node.to_json()));
    }
    let object = field.open(out)?;
    let mut tests = Vec::new();
    for (member, value) in object.members() {
        let number = |out: &mut Complaints| value.number(f64::MIN..=f64::MAX, out);
        let list = |out: &mut Complaints| {
            let items = value.items(out)?;
            Some(
                items
                    .iter()
                    .map(|item| item.node.to_json())
                    .collect::<Vec<Value>>(),
            )
        };
        let test = match member.key.as_str() {
            "not" => Some(Test::Not(value.node.to_json())),
            "in" => list(out).map(Test::In),
            "not_in" => list(out).map(Test::NotIn),
            "not_empty" => value.truth(out).map(Test::NotEmpty),
            "gt" => number(out).map(Test::Gt),
            "lt" => number(out).map(Test::Lt),
            "gte" => number(out).map(Test::Gte),
            "lte" => number(out).map(Test::Lte),
            other => {
                let what = format!(
                    "{}: expected one of {}, got {}",
                    field.path,
                    OPERATORS.join(", "),
                    Quoted(other)
                );
                let complaint = OPERATOR.error(member.key_span, what);
                out.push(match nearest(other, OPERATORS) {
                    Some(near) => complaint.hint(format!("did you mean {}?", Quoted(near))),
                    None => complaint.hint("write a value itself, or one of these"),
                });
                None
            }
        };
        tests.extend(test);
    }
    if object.members().next().is_none() {
        out.push(
            field
                .refuse(VALUE, "expected a value or a comparison, got an empty object")
                .hint("leave it out"),
        );
        return None;
    }
    Some(Predicate::All(tests))
}

impl Serialize for Predicate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Is(value) => value.serialize(serializer),
            Self::All(tests) => {
                let mut map = serializer.serialize_map(Some(tests.len()))?;
                for test in tests {
                    map.serialize_entry(test.operator(), &test.operand())?;
                }
                map.end()
            }
        }
    }
}

impl JsonSchema for Predicate {
    fn schema_name() -> Cow<'static, str> {
        "Predicate".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let number = serde_json::json!({"type": "number"});
        let list = serde_json::json!({"type": "array"});
        json_schema!({"anyOf": [
            {"type": ["string", "number", "boolean", "null", "array"]},
            {
                "type": "object",
                "minProperties": 1,
                "additionalProperties": false,
                "properties": {
                    "not": true, "in": list, "not_in": list, "not_empty": {"type": "boolean"},
                    "gt": number, "lt": number, "gte": number, "lte": number,
                },
            },
        ]})
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn comparisons_mean_what_they_say() {
        let check = |test: Test, value: Value, want: bool| {
            assert_eq!(test.holds(&value), want, "{test:?} {value}");
        };
        check(Test::Not(json!("a")), json!("b"), true);
        check(Test::Not(json!(1)), json!(1.0), false);
        check(Test::In(vec![json!("a"), json!(2)]), json!(2), true);
        check(Test::In(vec![]), json!(null), false);
        check(Test::NotIn(vec![json!("a")]), json!("b"), true);
        check(Test::NotEmpty(true), json!(""), false);
        check(Test::NotEmpty(true), json!(0), true);
        check(Test::NotEmpty(false), json!([]), true);
        check(Test::Gt(1.0), json!(2), true);
        check(Test::Gt(1.0), json!(1), false);
        check(Test::Lte(1.0), json!(1), true);
        check(Test::Lt(1.0), json!("0"), false);
        check(Test::Gte(1.0), json!(null), false);
    }

    #[test]
    fn all_conditions_must_hold_and_what_is_absent_is_null() {
        let when = When(IndexMap::from([
            ("a".to_owned(), Predicate::Is(json!(true))),
            ("b".to_owned(), Predicate::All(vec![Test::NotEmpty(false)])),
        ]));
        let input = |value: Value| value.as_object().cloned().unwrap();
        assert!(when.matches(&input(json!({"a": true}))));
        assert!(!when.matches(&input(json!({"a": true, "b": "x"}))));
        assert!(!when.matches(&input(json!({}))));
        assert!(When::default().matches(&input(json!({}))));
    }
}
