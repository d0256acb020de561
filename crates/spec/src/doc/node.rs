//! A value and where it stands in the text.

use serde_json::{Map, Number};

/// A range of bytes in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

/// A value with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub value: Value,
}

/// What a node holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string, escapes resolved.
    String(String),
    /// A list.
    Array(Vec<Node>),
    /// Named values.
    Object(Object),
}

/// Named values in the order of the text. No name stands twice: the reader sees to that.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Object {
    /// The members, in order.
    pub members: Vec<Member>,
}

/// One named value.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// The name.
    pub key: String,
    /// Where the name stands, quotes included.
    pub key_span: Span,
    /// The value.
    pub node: Node,
}

impl Node {
    /// Returns what kind of JSON it is, for messages.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
        }
    }

    /// Returns the object, if it is one.
    pub fn as_object(&self) -> Option<&Object> {
        match &self.value {
            Value::Object(object) => Some(object),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => None,
        }
    }

    /// Returns the text, if it is a string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => None,
        }
    }

    /// Returns the items, if it is an array.
    pub fn as_array(&self) -> Option<&[Node]> {
        match &self.value {
            Value::Array(items) => Some(items),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => None,
        }
    }

    /// Returns the same value without its places.
    pub fn to_json(&self) -> serde_json::Value {
        match &self.value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(truth) => (*truth).into(),
            Value::Number(number) => serde_json::Value::Number(number.clone()),
            Value::String(text) => text.as_str().into(),
            Value::Array(items) => items.iter().map(Self::to_json).collect(),
            Value::Object(object) => {
                let members = object.members.iter();
                let map: Map<_, _> = members
                    .map(|member| (member.key.clone(), member.node.to_json()))
                    .collect();
                serde_json::Value::Object(map)
            }
        }
    }

    /// Returns the node of a value that stands nowhere.
    pub fn plain(value: &serde_json::Value) -> Self {
        let value = match value {
            serde_json::Value::Null => Value::Null,
            serde_json::Value::Bool(truth) => Value::Bool(*truth),
            serde_json::Value::Number(number) => Value::Number(number.clone()),
            serde_json::Value::String(text) => Value::String(text.clone()),
            serde_json::Value::Array(items) => Value::Array(items.iter().map(Self::plain).collect()),
            serde_json::Value::Object(fields) => {
                let members = fields.iter().map(|(key, value)| Member {
                    key: key.clone(),
                    key_span: Span::default(),
                    node: Self::plain(value),
                });
                Value::Object(Object {
                    members: members.collect(),
                })
            }
        };
        Self {
            span: Span::default(),
            value,
        }
    }

    /// Returns what a JSON pointer leads to.
    pub fn pointer(&self, pointer: &str) -> Option<&Node> {
        if pointer.is_empty() {
            return Some(self);
        }
        let steps = pointer.strip_prefix('/')?.split('/');
        steps.into_iter().try_fold(self, |node, step| {
            let step = step.replace("~1", "/").replace("~0", "~");
            match &node.value {
                Value::Object(object) => object.get(&step),
                Value::Array(items) => items.get(step.parse::<usize>().ok()?),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
            }
        })
    }
}

impl Object {
    /// Returns the value of this name.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.member(key).map(|member| &member.node)
    }

    /// Returns the member of this name.
    pub fn member(&self, key: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.key == key)
    }
}
