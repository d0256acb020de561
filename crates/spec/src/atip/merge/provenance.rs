//! Who says which field of a description.

use std::borrow::Cow;

use indexmap::IndexMap;
use serde_json::Value;

use super::super::model::{Commands, Effects, Metadata};
use super::claims::Claims;
use super::tree::{Overlay, overlay};
use crate::doc::pointer_step;

/// Where the fields of a description come from.
///
/// Nearly every tool is described by one layer alone. That takes one word, where a word for each of git's fields is
/// several thousand that hardly anybody reads.
#[derive(Debug, Clone, PartialEq)]
pub enum Provenance {
    /// Every field comes from here.
    Sole(String),
    /// Each field has its own origin, by JSON pointer into the metadata as it is emitted.
    Fields(IndexMap<String, String>),
}

impl Default for Provenance {
    fn default() -> Self {
        Self::Fields(IndexMap::new())
    }
}

impl Provenance {
    /// Returns the origin of one field, which is there.
    pub fn origin(&self, pointer: &str) -> Option<&str> {
        match self {
            Self::Sole(origin) => Some(origin),
            Self::Fields(fields) => fields.get(pointer).map(String::as_str),
        }
    }

    /// Returns the origin of each field of `metadata`, by JSON pointer.
    pub fn fields(&self, metadata: &Metadata) -> Cow<'_, IndexMap<String, String>> {
        match self {
            Self::Fields(fields) => Cow::Borrowed(fields),
            Self::Sole(origin) => {
                let mut all = Overlay::default();
                overlay(&mut all, emitted(metadata), origin);
                Cow::Owned(all.provenance)
            }
        }
    }

    /// Returns the origin of each effect of the command that `path` leads to, by its name with dots:
    /// `filesystem.write`. The nearest word on the way down counts.
    pub fn of_effects(&self, metadata: &Metadata, path: &[String]) -> IndexMap<String, String> {
        let mut found = IndexMap::new();
        let mut put = |place: &str, effects: Option<&Effects>| {
            for field in Claims::of(effects).fields() {
                if let Some(origin) = self.origin(&format!("{place}/effects{field}")) {
                    let name = field.trim_start_matches('/').replace('/', ".");
                    found.insert(name, origin.to_owned());
                }
            }
        };
        put("", metadata.effects.as_ref());
        let (mut place, mut commands): (String, Option<&Commands>) =
            (String::new(), Some(&metadata.commands));
        // The command that is called by the empty name is the group's own call.
        let own_call = String::new();
        for step in path.iter().chain([&own_call]) {
            let command = commands.and_then(|commands| commands.get(step));
            place = format!("{place}/commands/{}", pointer_step(step));
            put(&place, command.and_then(|command| command.effects.as_ref()));
            commands = command.map(|command| &command.commands);
        }
        found
    }
}

fn emitted(metadata: &Metadata) -> Value {
    let mut value = serde_json::to_value(metadata).unwrap_or_default();
    if let Value::Object(fields) = &mut value {
        super::layers::drop_empty_descriptions(fields);
    }
    value
}
