//! Those who claim something beside a settled description: the tool itself, a shim of the data home, a project, a bundle.
//!
//! They explain no word away and relax nothing. Where nobody settles an effect, a danger that they tell of counts.

use std::sync::Arc;

use argrail_spec::atip::{Effects, Invoked, Merged, Metadata, Provenance, Reader, Voice};
use indexmap::IndexMap;
use serde_json::Value;

use super::tool::Said;

/// Who claims, and how their words are read.
#[derive(Debug)]
pub(super) struct Claimants {
    reader: Reader,
    metadata: Arc<Metadata>,
    provenance: Provenance,
}

impl Claimants {
    pub(super) fn new(claimed: Merged) -> Self {
        let metadata = Arc::new(claimed.metadata);
        Self {
            reader: Reader::new(Arc::clone(&metadata), Voice::Claimed),
            metadata,
            provenance: claimed.provenance,
        }
    }

    /// Adds what is claimed about `words`, which `settled` has read.
    pub(super) fn tighten(&self, said: &mut Said, words: &[String], settled: &Reader) {
        let path = said.invoked.path.clone();
        let base = settled.read(&path).map(|invoked| invoked.effects);
        // What is settled about the command stays settled where a flag takes its place.
        let spoken = match base {
            Ok(base) => said.invoked.effects.inherit(&base),
            Err(_) => said.invoked.effects.clone(),
        };
        // By the command, too: no claim is lost because another claimant reads the words otherwise.
        let by_command = (0..=path.len()).rev().find_map(|end| {
            let nearest = path.get(..end)?;
            self.reader.read(nearest).ok()
        });
        let by_words = self.reader.read(words).ok();
        for claimed in [by_command, by_words].into_iter().flatten() {
            let from = self.provenance.of_effects(&self.metadata, &claimed.path);
            let known = &mut said.origins;
            tighten(&mut said.invoked, &spoken, &claimed.effects, |effect| {
                if let Some(origin) = from.get(effect) {
                    known.insert(effect.to_owned(), origin.clone());
                }
            });
        }
    }
}

/// Adds claims to a call, and tells `added` of each effect that is new by them.
pub(super) fn tighten(
    invoked: &mut Invoked,
    spoken: &Effects,
    claims: &Effects,
    mut added: impl FnMut(&str),
) {
    let before = leaves(&invoked.effects);
    invoked.effects = invoked.effects.tightened(claims, spoken);
    for (effect, value) in leaves(&invoked.effects) {
        if before.get(&effect) != Some(&value) {
            added(&effect);
        }
    }
    let paths = claims
        .filesystem
        .as_ref()
        .and_then(|files| files.paths.as_deref());
    for path in paths.unwrap_or_default() {
        if !invoked.suspected_paths.contains(path) {
            invoked.suspected_paths.push(path.clone());
        }
    }
}

/// Each effect by its name with dots.
fn leaves(effects: &Effects) -> IndexMap<String, Value> {
    fn walk(prefix: &str, value: Value, found: &mut IndexMap<String, Value>) {
        let Value::Object(fields) = value else {
            found.insert(prefix.to_owned(), value);
            return;
        };
        for (key, value) in fields {
            let name = match prefix {
                "" => key,
                _ => format!("{prefix}.{key}"),
            };
            walk(&name, value, found);
        }
    }
    let mut found = IndexMap::new();
    walk("", serde_json::to_value(effects).unwrap_or_default(), &mut found);
    found
}
