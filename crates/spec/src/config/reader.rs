//! Small readers that the settings are made of. Each says what it expected, and where.

use crate::doc::fields::{Quoted, came};
use crate::doc::{Member, Node, Object, Span, Value};

/// What is wrong with a value.
#[derive(Debug)]
pub(super) struct Wrong {
    pub(super) span: Span,
    pub(super) message: String,
}

impl Wrong {
    pub(super) fn new(span: Span, message: impl Into<String>) -> Self {
        Self {
            span,
            message: message.into(),
        }
    }

    /// Says that something else was expected than this node.
    pub(super) fn expected(node: &Node, what: &str) -> Self {
        Self::new(node.span, format!("expected {what}, got {}", came(node)))
    }

    /// Says in what it stands.
    pub(super) fn within(mut self, owner: &str) -> Self {
        self.message = format!("{owner}: {}", self.message);
        self
    }
}

/// Reads an object whose every key is known to `read`, which takes them one by one.
pub(super) fn closed<T>(
    node: &Node,
    keys: &[&str],
    read: impl FnOnce(&Object) -> Result<T, Wrong>,
) -> Result<T, Wrong> {
    let object = node
        .as_object()
        .ok_or_else(|| Wrong::expected(node, "an object"))?;
    let result = read(object)?;
    match object
        .members
        .iter()
        .find(|member| !keys.contains(&member.key.as_str()))
    {
        Some(member) => Err(Wrong::new(
            member.key_span,
            format!("unknown key {}", Quoted(&member.key)),
        )),
        None => Ok(result),
    }
}

/// Reads a field if it is there; a mistake is told with its key.
pub(super) fn field<T>(
    object: &Object,
    key: &str,
    read: impl FnOnce(&Node) -> Result<T, Wrong>,
) -> Result<Option<T>, Wrong> {
    match object.get(key) {
        Some(node) => read(node).map(Some).map_err(|wrong| wrong.within(key)),
        None => Ok(None),
    }
}

/// Reads every item of a list.
pub(super) fn items<T>(
    node: &Node,
    what: &str,
    read: impl Fn(&Node) -> Result<T, Wrong>,
) -> Result<Vec<T>, Wrong> {
    let list = node.as_array().ok_or_else(|| Wrong::expected(node, what))?;
    let one = |(at, item): (usize, &Node)| read(item).map_err(|wrong| wrong.within(&format!("[{at}]")));
    list.iter().enumerate().map(one).collect()
}

/// Reads every member of an object; a mistake is told with the name.
pub(super) fn members<T>(
    node: &Node,
    what: &str,
    read: impl Fn(&Member) -> Result<T, Wrong>,
) -> Result<Vec<(String, T)>, Wrong> {
    let object = node.as_object().ok_or_else(|| Wrong::expected(node, what))?;
    let one = |member: &Member| {
        let value = read(member).map_err(|wrong| wrong.within(&Quoted(&member.key).to_string()))?;
        Ok((member.key.clone(), value))
    };
    object.members.iter().map(one).collect()
}

/// Reads a text that is not blank, without the blanks around it.
pub(super) fn text(node: &Node, what: &str) -> Result<String, Wrong> {
    match node.as_str().map(str::trim) {
        Some("") | None => Err(Wrong::expected(node, what)),
        Some(text) => Ok(text.to_owned()),
    }
}

/// Reads a path that means the same from everywhere.
pub(super) fn path(node: &Node) -> Result<String, Wrong> {
    const WHAT: &str = "an absolute path or one that starts with ~/";
    let text = text(node, WHAT)?;
    let whole = (text.starts_with('/') || text.starts_with("~/")) && !text.contains('\0');
    whole.then_some(text).ok_or_else(|| Wrong::expected(node, WHAT))
}

/// Reads true or false.
pub(super) fn truth(node: &Node) -> Result<bool, Wrong> {
    match node.value {
        Value::Bool(truth) => Ok(truth),
        Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            Err(Wrong::expected(node, "true or false"))
        }
    }
}

/// Returns the whole number, if it is one.
pub(super) fn number(node: &Node) -> Option<u64> {
    match &node.value {
        Value::Number(number) => number.as_u64(),
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => None,
    }
}
