//! What was inferred before: good while the program is the same file, the time is not over, and nobody reads better.

use argrail_spec::atip::{Metadata, decode};
use argrail_spec::doc::Node;
use argrail_spec::help::Origin;
use argrail_spec::registry::{CacheEntry, Source as Registered, Stamp};
use serde_json::Value;

use super::describe::{BY, MARK};
use super::gathered::Source;
use super::request::Request;
use crate::catalog::{Now, StoreError, cache, is_stale};

/// The folder beside remembered scans.
const FOLDER: &str = "inferred";

/// Returns the entry that is remembered, if it is what would be inferred now.
pub(super) fn recall(request: &Request<'_>) -> Option<(CacheEntry, Metadata)> {
    let folder = request.places.discovery().join(FOLDER);
    let entry = cache::read_in(&folder, &request.program.name).ok()??;
    let now = Now {
        identity: Some(request.asked.identity),
        version: None,
        time: request.now,
        max_age: request.max_age,
        wanted: request.wanted,
    };
    if is_stale(&entry, &now).is_some() {
        return None;
    }
    let metadata = decode(&Node::plain(&entry.metadata)).ok()?.metadata;
    let mark = metadata.extra.get(MARK)?;
    let is_ours = mark.get("by").and_then(Value::as_str) == Some(BY);
    let depth = mark.get("depth").and_then(Value::as_u64);
    let is_meant = depth == u64::try_from(request.bounds.depth).ok();
    (is_ours && is_meant).then_some((entry, metadata))
}

/// Makes the entry of what was inferred just now, and what of it is kept.
///
/// # Errors
/// When it cannot be written down.
pub(super) fn entry(request: &Request<'_>, said: &Metadata, kept: &Metadata) -> Result<CacheEntry, String> {
    let json = |metadata| serde_json::to_value(metadata).map_err(|error| error.to_string());
    Ok(CacheEntry {
        binary: Some(Stamp {
            identity: request.asked.identity,
            path: Some(request.places.home_relative(&request.asked.path)),
        }),
        source: Some(Registered::Inferred),
        ..CacheEntry::new(&request.program.name, json(kept)?, request.now, request.max_age).said(&json(said)?)
    })
}

/// Remembers an entry.
///
/// # Errors
/// When it cannot be written.
pub(super) fn remember(request: &Request<'_>, entry: &CacheEntry) -> Result<(), StoreError> {
    cache::store_in(&request.places.discovery().join(FOLDER), entry)
}

/// Returns where a description says that it was read.
pub(super) fn sources(metadata: &Metadata) -> Vec<Source> {
    let list = metadata.extra.get(MARK).and_then(|mark| mark.get("sources"));
    let list = list.and_then(Value::as_array).into_iter().flatten();
    let source = |value: &Value| {
        let kind = value.get("kind")?.as_str()?;
        let kind = [Origin::Completion, Origin::Man, Origin::Help]
            .into_iter()
            .find(|known| known.as_str() == kind)?;
        Some(Source {
            kind,
            from: value.get("from")?.as_str()?.to_owned(),
            pages: usize::try_from(value.get("pages")?.as_u64()?).ok()?,
        })
    };
    list.filter_map(source).collect()
}
