//! A block that may stand elsewhere: in five spellings of three meanings.
//!
//! The block itself, or `{inline: …}`; a path, as a text, `{file: …}` or `{ref: …}`; or a name that somebody else knows,
//! as a text or `{ref: …}`.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use super::field::Field;
use super::reference::Reference;
use super::rules::VALUE;
use crate::doc::fields::Complaints;
use crate::doc::{Span, Spanned};

/// A block, or where it is.
#[derive(Debug, Clone, PartialEq)]
pub enum Composable<T> {
    /// The block itself.
    Inline(T),
    /// In a file, seen from the one that names it.
    File(Reference),
    /// Under a name that is no path.
    Named(Spanned<String>),
}

impl<T> Composable<T> {
    /// Returns the block, if it stands here.
    pub fn inline(&self) -> Option<&T> {
        match self {
            Self::Inline(block) => Some(block),
            Self::File(_) | Self::Named(_) => None,
        }
    }

    /// Returns the file, if it stands in one.
    pub fn file(&self) -> Option<&Reference> {
        match self {
            Self::File(reference) => Some(reference),
            Self::Inline(_) | Self::Named(_) => None,
        }
    }
}

/// Whether a text is a path and no name.
fn is_path(text: &str) -> bool {
    let ends = [".md", ".yaml", ".yml", ".json"];
    text.starts_with(['.', '/', '~']) || ends.iter().any(|end| text.ends_with(end))
}

impl Field<'_> {
    /// Reads a block in any of its spellings.
    pub(crate) fn composable<T>(
        &self,
        out: &mut Complaints,
        decode: impl Fn(&Field<'_>, &mut Complaints) -> Option<T>,
    ) -> Option<Composable<T>> {
        let Some(object) = self.node.as_object() else {
            if self.node.as_str().is_none() {
                self.wrong_type("the block, or a path to it", out);
                return None;
            }
            return self.elsewhere(out);
        };
        let wrapper = object
            .members
            .iter()
            .find(|member| matches!(member.key.as_str(), "inline" | "ref" | "file"));
        let Some(member) = wrapper else {
            return decode(self, out).map(Composable::Inline);
        };
        if object.members.len() > 1 {
            let what = "expected exactly one of inline, ref and file, got more fields";
            out.push(self.refuse(VALUE, what).hint("keep one of them and nothing else"));
            return None;
        }
        let inner = self.child(&member.node, self.path.key(&member.key));
        match member.key.as_str() {
            "inline" => decode(&inner, out).map(Composable::Inline),
            "file" => inner.reference(out).map(Composable::File),
            _ => inner.elsewhere(out),
        }
    }

    fn elsewhere<T>(&self, out: &mut Complaints) -> Option<Composable<T>> {
        let text = self.line(1024, out)?;
        if is_path(&text) {
            return self.reference(out).map(Composable::File);
        }
        Some(Composable::Named(text))
    }
}

impl<T> Composable<T> {
    /// Returns where a block that stands elsewhere is named.
    pub fn named_at(&self) -> Option<Span> {
        match self {
            Self::Inline(_) => None,
            Self::File(reference) => Some(reference.span()),
            Self::Named(name) => Some(name.span),
        }
    }
}

impl<T: Serialize> Serialize for Composable<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Inline(block) => block.serialize(serializer),
            Self::File(reference) => reference.serialize(serializer),
            Self::Named(name) => name.serialize(serializer),
        }
    }
}

impl<T: JsonSchema> JsonSchema for Composable<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Composable{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let block = generator.subschema_for::<T>();
        let only = |key: &str, inner: Schema| {
            json_schema!({
                "type": "object",
                "required": [key],
                "additionalProperties": false,
                "properties": {key: inner},
            })
        };
        let path = || {
            let pattern = r"^[^\u0000-\u001F\u007F-\u009F]*$";
            json_schema!({"type": "string", "minLength": 1, "maxLength": 1024, "pattern": pattern})
        };
        json_schema!({"anyOf": [
            path(),
            block,
            only("inline", block.clone()),
            only("ref", path()),
            only("file", path()),
        ]})
    }
}
