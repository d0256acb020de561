//! The layers, and what they make together.

use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::super::decode::decode;
use super::super::model::{Commands, Effects, Metadata, Opt};
use super::claims::{Claims, Voice};
use super::provenance::Provenance;
use super::tree::{Overlay, overlay};
use crate::doc::{Diagnostic, Node, pointer_step};

/// How far a layer's word about effects goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Authority {
    /// It claims: beside others, the stricter one wins.
    Claims,
    /// It settles: what it says holds, in either direction.
    Settles,
}

/// One word about a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    /// Where it comes from, for provenance: `native:/usr/bin/gh`.
    pub origin: String,
    /// How far its word about effects goes.
    pub authority: Authority,
    /// Whether it only changes what others say. Then its `name` and `atip` are nobody's word.
    pub part: bool,
    /// What it says.
    pub metadata: Metadata,
}

impl Layer {
    /// Whether it says anything about effects, also about those of an option.
    pub fn speaks_of_effects(&self) -> bool {
        fn of_options(options: &[Opt]) -> bool {
            options
                .iter()
                .any(|option| option.extra.contains_key("x-effects"))
        }
        fn any(commands: &Commands) -> bool {
            commands
                .values()
                .any(|command| of_options(&command.options) || any(&command.commands))
        }
        let Metadata {
            global_options,
            commands,
            ..
        } = &self.metadata;
        speaks(self) || of_options(global_options) || any(commands)
    }

    /// Returns the same layer, silent about effects of commands.
    #[must_use]
    pub fn without_effects(&self) -> Self {
        let mut layer = self.clone();
        layer.metadata.effects = None;
        silence(&mut layer.metadata.commands);
        layer
    }
}

/// What the layers say together.
#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    /// The metadata.
    pub metadata: Metadata,
    /// Who says which field.
    pub provenance: Provenance,
}

/// Merges layers, the weakest first.
///
/// # Errors
/// When no layer is whole, so that there is nothing to change.
pub fn merge(layers: Vec<Layer>) -> Result<Merged, Diagnostic> {
    match <[Layer; 1]>::try_from(layers) {
        Ok([layer]) if !layer.part => Ok(alone(layer)),
        Ok(layer) => merge_several(&layer),
        Err(layers) => merge_several(&layers),
    }
}

/// Returns what a layer says that nobody adds to. Nothing has to be weighed: the way through JSON, and a word about each
/// field, would be half of the time that a whole call of a tool takes.
fn alone(layer: Layer) -> Merged {
    let mut metadata = layer.metadata;
    drop_empty_effects(&mut metadata.effects);
    drop_silent_effects(&mut metadata.commands);
    Merged {
        metadata,
        provenance: Provenance::Sole(layer.origin),
    }
}

fn drop_silent_effects(commands: &mut Commands) {
    for command in commands.values_mut() {
        drop_empty_effects(&mut command.effects);
        drop_silent_effects(&mut command.commands);
    }
}

/// Who says nothing about effects does not say that there are none.
fn drop_empty_effects(effects: &mut Option<Effects>) {
    if effects.as_ref() == Some(&Effects::default()) {
        *effects = None;
    }
}

fn merge_several(layers: &[Layer]) -> Result<Merged, Diagnostic> {
    let mut merged = Overlay::default();
    for layer in layers {
        overlay(&mut merged, said(layer), &layer.origin);
    }
    settle_effects(&mut merged, layers);
    let Overlay { value, provenance } = merged;
    let loaded = decode(&Node::plain(&value))?;
    Ok(Merged {
        metadata: loaded.metadata,
        provenance: Provenance::Fields(provenance),
    })
}

/// Returns what a layer says apart from effects.
fn said(layer: &Layer) -> Value {
    let mut metadata = layer.metadata.clone();
    metadata.effects = None;
    silence(&mut metadata.commands);
    let mut value = serde_json::to_value(&metadata).unwrap_or_default();
    if let Value::Object(fields) = &mut value {
        if layer.part {
            fields.shift_remove("atip");
            fields.shift_remove("name");
        }
        drop_empty_descriptions(fields);
    }
    value
}

fn silence(commands: &mut Commands) {
    for command in commands.values_mut() {
        command.effects = None;
        silence(&mut command.commands);
    }
}

/// An absent description is emitted as an empty one; in a layer it says nothing.
pub(super) fn drop_empty_descriptions(fields: &mut Map<String, Value>) {
    if fields.get("description").and_then(Value::as_str) == Some("") {
        fields.shift_remove("description");
    }
    let Some(Value::Object(commands)) = fields.get_mut("commands") else {
        return;
    };
    for command in commands.values_mut().filter_map(Value::as_object_mut) {
        drop_empty_descriptions(command);
    }
}

/// Where one layer stands while the merged tree is walked: its nearest effects so far, and what is below.
struct Speaker<'a> {
    layer: &'a Layer,
    /// Whether it speaks of this very command.
    here: bool,
    nearest: Claims,
    below: Option<&'a Commands>,
}

impl<'a> Speaker<'a> {
    fn new(layer: &'a Layer) -> Self {
        Self {
            layer,
            here: layer.metadata.effects.is_some(),
            nearest: Claims::of(layer.metadata.effects.as_ref()),
            below: Some(&layer.metadata.commands),
        }
    }

    fn at(&self, name: &str) -> Speaker<'a> {
        let command = self.below.and_then(|commands| commands.get(name));
        let own: Option<&Effects> = command.and_then(|command| command.effects.as_ref());
        Speaker {
            layer: self.layer,
            here: own.is_some(),
            nearest: self.nearest.overlaid(own),
            below: command.map(|command| &command.commands),
        }
    }
}

fn settle_effects(merged: &mut Overlay, layers: &[Layer]) {
    let speakers: Vec<_> = layers.iter().map(Speaker::new).collect();
    let Value::Object(root) = &mut merged.value else {
        return;
    };
    let single = layers.iter().filter(|layer| speaks(layer)).count() <= 1;
    write_effects(root, "", &speakers, single, &mut merged.provenance);
}

/// Whether a layer says anything about effects.
fn speaks(layer: &Layer) -> bool {
    fn any(commands: &Commands) -> bool {
        commands
            .values()
            .any(|command| command.effects.is_some() || any(&command.commands))
    }
    layer.metadata.effects.is_some() || any(&layer.metadata.commands)
}

/// Writes the effects of one command and those below. With a single speaker its own words are kept as they are;
/// with several, each command gets its effects in full, since their nearest words stand at different heights.
fn write_effects(
    fields: &mut Map<String, Value>,
    pointer: &str,
    speakers: &[Speaker<'_>],
    single: bool,
    provenance: &mut IndexMap<String, String>,
) {
    let voices = speakers.iter().map(|speaker| Voice {
        origin: &speaker.layer.origin,
        authority: speaker.layer.authority,
        claims: &speaker.nearest,
    });
    let decided = Claims::decide(voices);
    // A group that nobody speaks of stays a group: effects of its own would make it a command that can be called.
    let silent_group = fields.contains_key("commands") && !speakers.iter().any(|speaker| speaker.here);
    if !decided.is_empty() && !silent_group {
        fields.insert("effects".to_owned(), decided.value());
        for (field, origin) in decided.origins() {
            provenance.insert(format!("{pointer}/effects{field}"), origin.to_owned());
        }
    }
    let Some(Value::Object(commands)) = fields.get_mut("commands") else {
        return;
    };
    for (name, command) in commands {
        let Value::Object(command) = command else { continue };
        let mut below: Vec<_> = speakers.iter().map(|speaker| speaker.at(name)).collect();
        if single {
            // Only what stands at this very command: the rest is inherited by whoever reads it.
            for (speaker, parent) in below.iter_mut().zip(speakers) {
                let own = parent.below.and_then(|commands| commands.get(name));
                speaker.nearest = Claims::of(own.and_then(|command| command.effects.as_ref()));
            }
        }
        let pointer = format!("{pointer}/commands/{}", pointer_step(name));
        write_effects(command, &pointer, &below, single, provenance);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_layer_alone_says_what_it_says_among_silent_ones() {
        let metadata = json!({
            "atip": {"version": "0.6"}, "name": "x", "version": "1", "description": "d",
            "effects": {"network": true, "filesystem": {"read": true}},
            "globalOptions": [{"name": "v", "flags": ["-v"], "type": "boolean", "description": ""}],
            "commands": {
                "a/b": {"description": "", "effects": {"destructive": true, "x-egress": ["h"]}, "commands": {
                    "": {"description": "own", "effects": {"cost": {"estimate": "low"}}},
                    "leaf": {"description": "l", "effects": {}, "arguments": [{"name": "f", "type": "file", "description": "f"}]},
                }},
                "group": {"description": "g", "commands": {"leaf": {"description": "l"}}},
            },
            "x-own": {"a": [1, {"b": 2}]},
        });
        let whole = Layer {
            origin: "shim:x".to_owned(),
            authority: Authority::Claims,
            part: false,
            metadata: decode(&Node::plain(&metadata)).unwrap().metadata,
        };
        let long = merge_several(std::slice::from_ref(&whole)).unwrap();
        let short = merge(vec![whole]).unwrap();
        assert_eq!(short.metadata, long.metadata);
        let sorted = |merged: &Merged| {
            let mut fields = merged.provenance.fields(&merged.metadata).into_owned();
            fields.sort_keys();
            fields
        };
        assert_eq!(sorted(&short), sorted(&long));
        for path in [
            vec![],
            vec!["a/b"],
            vec!["a/b", "leaf"],
            vec!["group", "leaf"],
            vec!["none"],
        ] {
            let path: Vec<String> = path.into_iter().map(str::to_owned).collect();
            let of = |merged: &Merged| merged.provenance.of_effects(&merged.metadata, &path);
            assert_eq!(of(&short), of(&long), "{path:?}");
        }
        let own = short.provenance.of_effects(&short.metadata, &["a/b".to_owned()]);
        let names: Vec<&str> = own.keys().map(String::as_str).collect();
        assert_eq!(
            names,
            [
                "filesystem.read",
                "network",
                "destructive",
                "x-egress",
                "cost.estimate"
            ]
        );
    }
}
