//! The fields of one object in a file that programs write: each has its type, and what is left over is kept.
//!
//! Where [`doc::fields`](crate::doc::fields) goes on after a field that does not fit, here it is an error with its
//! place, and the caller decides how much falls with it: half a pin or half a cache entry is worth nothing.

use argrail_acli::Text;
use jiff::Timestamp;

use crate::atip::Extra;
use crate::digest::Digest;
use crate::doc::{Diagnostic, Node, Object, Severity, Span, Value};

/// The longest text of a field: what a path may have.
const MAX_TEXT: usize = 4096;

/// An object whose fields are being taken.
#[derive(Debug)]
pub(crate) struct Record<'a> {
    object: &'a Object,
    span: Span,
    code: &'static str,
    taken: Vec<&'static str>,
}

impl<'a> Record<'a> {
    /// Starts with all of `node`, which must be an object. Complaints get this `code`.
    pub(crate) fn of(node: &'a Node, code: &'static str) -> Result<Self, Diagnostic> {
        let object = node
            .as_object()
            .ok_or_else(|| wrong(code, node, "the value", "an object"))?;
        Ok(Self {
            object,
            span: node.span,
            code,
            taken: Vec::new(),
        })
    }

    /// Takes a field as it is.
    pub(crate) fn node(&mut self, key: &'static str) -> Option<&'a Node> {
        self.taken.push(key);
        self.object.get(key)
    }

    /// Takes a text.
    pub(crate) fn text(&mut self, key: &'static str) -> Result<Option<String>, Diagnostic> {
        self.read(key, "a text of at most 4096 bytes without NUL", |node| {
            let text = node
                .as_str()
                .filter(|text| text.len() <= MAX_TEXT && !text.contains('\0'));
            text.map(str::to_owned)
        })
    }

    /// Takes a whole number from zero on.
    pub(crate) fn number(&mut self, key: &'static str) -> Result<Option<u64>, Diagnostic> {
        self.read(key, "a whole number from 0 on", |node| match &node.value {
            Value::Number(number) => number.as_u64(),
            Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => None,
        })
    }

    /// Takes a whole number.
    pub(crate) fn signed(&mut self, key: &'static str) -> Result<Option<i64>, Diagnostic> {
        self.read(key, "a whole number", |node| match &node.value {
            Value::Number(number) => number.as_i64(),
            Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => None,
        })
    }

    /// Takes a point in time.
    pub(crate) fn time(&mut self, key: &'static str) -> Result<Option<Timestamp>, Diagnostic> {
        self.read(key, "a time such as \"2026-01-05T10:30:00Z\"", |node| {
            node.as_str()?.parse().ok()
        })
    }

    /// Takes a digest.
    pub(crate) fn digest(&mut self, key: &'static str) -> Result<Option<Digest>, Diagnostic> {
        self.read(key, "\"sha256:\" and 64 hexadecimal digits", |node| {
            node.as_str()?.parse().ok()
        })
    }

    /// Takes a field that `read` understands; `expected` says what it understands.
    pub(crate) fn read<T>(
        &mut self,
        key: &'static str,
        expected: &'static str,
        read: impl FnOnce(&'a Node) -> Option<T>,
    ) -> Result<Option<T>, Diagnostic> {
        match self.node(key) {
            None => Ok(None),
            Some(node) => read(node)
                .map(Some)
                .ok_or_else(|| wrong(self.code, node, key, expected)),
        }
    }

    /// Insists on a field.
    pub(crate) fn need<T>(&self, key: &'static str, found: Option<T>) -> Result<T, Diagnostic> {
        found.ok_or_else(|| {
            let message = Text::new("{} is missing").word(key).to_string();
            Diagnostic::new(Severity::Error, self.code, self.span, message)
        })
    }

    /// Returns what was not taken.
    pub(crate) fn rest(self) -> Extra {
        let members = self.object.members.iter();
        members
            .filter(|member| !self.taken.contains(&member.key.as_str()))
            .map(|member| (member.key.clone(), member.node.to_json()))
            .collect()
    }
}

/// A value that is not what its place wants.
pub(crate) fn wrong(
    code: &'static str,
    node: &Node,
    what: &'static str,
    expected: &'static str,
) -> Diagnostic {
    let message = match node.as_str() {
        Some(text) => Text::new("{}: expected {}, got {}")
            .word(what)
            .word(expected)
            .value(text),
        None => Text::new("{}: expected {}, got {}")
            .word(what)
            .word(expected)
            .word(node.kind()),
    };
    Diagnostic::new(Severity::Error, code, node.span, message.to_string())
}
