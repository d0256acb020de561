//! Reading an object field by field, leniently: what does not fit is a complaint with its place, and the rest goes on.
//!
//! Whatever no format asks for stays in [`Fields::rest`], so that nothing is lost on the way out again.

use std::fmt;

use serde_json::Map;

use super::diagnostic::{Diagnostic, Severity};
use super::node::{Member, Node, Span, Value};

/// The most complaints of one severity that one document gets. After that, more of them help nobody; and no flood of
/// warnings hides an error.
const MAX_COMPLAINTS: usize = 200;
/// The most characters of a foreign name that a message quotes.
const MAX_QUOTED: usize = 60;

/// Complaints about one document, in the order they came up.
#[derive(Debug, Default)]
pub struct Complaints {
    list: Vec<Diagnostic>,
    counts: [usize; 3],
}

impl Complaints {
    /// Adds one.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let [notes, warnings, errors] = &mut self.counts;
        let count = match diagnostic.severity {
            Severity::Note => notes,
            Severity::Warning => warnings,
            Severity::Error => errors,
        };
        *count += 1;
        if *count <= MAX_COMPLAINTS {
            self.list.push(diagnostic);
        }
    }

    /// Whether there is a complaint that forbids use.
    pub fn has_error(&self) -> bool {
        let [_, _, errors] = self.counts;
        errors > 0
    }

    /// Adds a warning.
    pub fn warn(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.push(Diagnostic::new(Severity::Warning, code, span, message));
    }

    /// Returns them all; the last one says how many were left out.
    pub fn into_list(mut self) -> Vec<Diagnostic> {
        let beyond = |count: &usize| count.saturating_sub(MAX_COMPLAINTS);
        let dropped: usize = self.counts.iter().map(beyond).sum();
        if dropped > 0 {
            let message = format!("{dropped} more of these are not shown");
            self.list.push(Diagnostic::new(
                Severity::Note,
                "doc/more",
                Span::default(),
                message,
            ));
        }
        self.list
    }
}

/// The way to a node, for messages: `commands.pr.options[2]`.
#[derive(Debug, Clone, Copy)]
pub struct Trail<'a> {
    parent: Option<&'a Trail<'a>>,
    step: Step<'a>,
}

#[derive(Debug, Clone, Copy)]
enum Step<'a> {
    Root,
    Key(&'a str),
    Index(usize),
}

impl<'a> Trail<'a> {
    /// Starts at the root.
    pub const fn root() -> Self {
        Self {
            parent: None,
            step: Step::Root,
        }
    }

    /// Goes to a field.
    pub const fn key(&'a self, key: &'a str) -> Self {
        Self {
            parent: Some(self),
            step: Step::Key(key),
        }
    }

    /// Goes to an item.
    pub const fn index(&'a self, index: usize) -> Self {
        Self {
            parent: Some(self),
            step: Step::Index(index),
        }
    }
}

impl fmt::Display for Trail<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has_parent = self
            .parent
            .is_some_and(|parent| !matches!(parent.step, Step::Root));
        if let Some(parent) = self.parent.filter(|_| has_parent) {
            write!(f, "{parent}")?;
        }
        match self.step {
            Step::Root => f.write_str("the document"),
            Step::Index(index) => write!(f, "[{index}]"),
            Step::Key(key) => {
                let plain = |c: char| c.is_ascii_alphanumeric() || "_-$".contains(c);
                if has_parent {
                    f.write_str(".")?;
                }
                if !key.is_empty() && key.len() <= MAX_QUOTED && key.chars().all(plain) {
                    f.write_str(key)
                } else {
                    write!(f, "{}", Quoted(key))
                }
            }
        }
    }
}

/// A foreign text in a message: quoted, escaped, cut.
#[derive(Debug, Clone, Copy)]
pub struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for c in self.0.chars().take(MAX_QUOTED) {
            if c == '"' || c == '\\' || c.is_control() || argrail_acli::is_invisible(c) {
                write!(f, "{}", c.escape_default())?;
            } else {
                write!(f, "{c}")?;
            }
        }
        f.write_str(if self.0.chars().nth(MAX_QUOTED).is_some() {
            "…\""
        } else {
            "\""
        })
    }
}

/// What came where something else was expected, for messages.
pub fn came(node: &Node) -> String {
    match &node.value {
        Value::String(text) => Quoted(text).to_string(),
        Value::Bool(truth) => truth.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Null | Value::Array(_) | Value::Object(_) => node.kind().to_owned(),
    }
}

/// The fields of one object, each taken once.
#[derive(Debug)]
pub struct Fields<'a> {
    members: Vec<Option<&'a Member>>,
    /// Where the object stands.
    pub span: Span,
    trail: Trail<'a>,
}

impl<'a> Fields<'a> {
    /// Opens `node`; complains when it is no object.
    pub fn of(node: &'a Node, trail: Trail<'a>, complaints: &mut Complaints) -> Option<Self> {
        let Some(object) = node.as_object() else {
            wrong_type(node, trail, "an object", complaints);
            return None;
        };
        Some(Self {
            members: object.members.iter().map(Some).collect(),
            span: node.span,
            trail,
        })
    }

    /// Returns the way to this object.
    pub fn trail(&self) -> Trail<'a> {
        self.trail
    }

    /// Takes the field, unless it is absent or `null`.
    pub fn take(&mut self, key: &str) -> Option<&'a Member> {
        let slot = self
            .members
            .iter_mut()
            .find(|slot| slot.is_some_and(|member| member.key == key))?;
        slot.take().filter(|member| member.node.value != Value::Null)
    }

    /// Takes text.
    pub fn text(&mut self, key: &'a str, complaints: &mut Complaints) -> Option<String> {
        let member = self.take(key)?;
        let text = member.node.as_str().map(str::to_owned);
        if text.is_none() {
            wrong_type(&member.node, self.trail.key(key), "a string", complaints);
        }
        text
    }

    /// Takes true or false.
    pub fn truth(&mut self, key: &'a str, complaints: &mut Complaints) -> Option<bool> {
        let member = self.take(key)?;
        let trail = self.trail.key(key);
        match &member.node.value {
            Value::Bool(truth) => Some(*truth),
            Value::String(word) if word == "true" || word == "false" => {
                let message = format!(
                    "{trail}: expected true or false without quotes, got {}",
                    Quoted(word)
                );
                let warning = Diagnostic::new(Severity::Warning, WRONG_TYPE, member.node.span, message)
                    .hint("Without the quotes it counts; as it is, it does not")
                    .fix(member.node.span, word.as_str());
                complaints.push(warning);
                None
            }
            Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
                wrong_type(&member.node, trail, "true or false", complaints);
                None
            }
        }
    }

    /// Takes a whole number that is not negative.
    pub fn count(&mut self, key: &'a str, complaints: &mut Complaints) -> Option<u64> {
        let member = self.take(key)?;
        let count = match &member.node.value {
            Value::Number(number) => number.as_u64(),
            Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => None,
        };
        if count.is_none() {
            wrong_type(&member.node, self.trail.key(key), "a whole number", complaints);
        }
        count
    }

    /// Takes a list of texts; items that are none are left out.
    pub fn texts(&mut self, key: &'a str, complaints: &mut Complaints) -> Option<Vec<String>> {
        let items = self.items(key, complaints)?;
        let trail = self.trail.key(key);
        let text = |(index, item): (usize, &Node)| {
            let text = item.as_str().map(str::to_owned);
            if text.is_none() {
                wrong_type(item, trail.index(index), "a string", complaints);
            }
            text
        };
        Some(items.iter().enumerate().filter_map(text).collect())
    }

    /// Takes a list.
    pub fn items(&mut self, key: &'a str, complaints: &mut Complaints) -> Option<&'a [Node]> {
        let member = self.take(key)?;
        let items = member.node.as_array();
        if items.is_none() {
            wrong_type(&member.node, self.trail.key(key), "an array", complaints);
        }
        items
    }

    /// Takes whatever is there.
    pub fn json(&mut self, key: &str) -> Option<serde_json::Value> {
        self.take(key).map(|member| member.node.to_json())
    }

    /// Returns what nobody took.
    pub fn left(&self) -> impl Iterator<Item = &'a Member> {
        self.members.iter().filter_map(|slot| *slot)
    }

    /// Returns what nobody took, without places.
    pub fn rest(self) -> Map<String, serde_json::Value> {
        self.left()
            .map(|member| (member.key.clone(), member.node.to_json()))
            .collect()
    }
}

/// The code of a value that has another type than its field.
pub const WRONG_TYPE: &str = "doc/wrong-type";

/// Complains that something else was expected.
pub fn wrong_type(node: &Node, trail: Trail<'_>, expected: &str, complaints: &mut Complaints) {
    let message = format!("{trail}: expected {expected}, got {}", came(node));
    complaints.warn(WRONG_TYPE, node.span, message);
}
