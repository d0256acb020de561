//! Putting what was inferred into the catalogue, where nobody describes the tool better.

use argrail_spec::registry::{CacheEntry, Entry, Source};
use jiff::Timestamp;

use super::request::{Kept, Request};
use crate::catalog::{StoreError, cache, registry, trust};

/// Puts an entry into the catalogue, unless the tool itself or a person has a word there already.
///
/// # Errors
/// When our own files cannot be read or written.
pub(super) fn publish(request: &Request<'_>, entry: &CacheEntry) -> Result<Kept, StoreError> {
    let name = request.program.name.as_str();
    let is_others = |known: Option<&Entry>| known.is_some_and(|known| known.source != Source::Inferred);
    let shim = request.places.shims().join(format!("{name}.json"));
    let described = match registry::read(request.places) {
        Ok(loaded) => is_others(loaded.registry.tools.get(name)),
        // The next writer keeps it aside.
        Err(StoreError::Corrupt { .. }) => false,
        Err(error) => return Err(error),
    };
    if described || shim.exists() {
        return Ok(Kept::Described);
    }
    let known = cache::read(request.places, name).ok().flatten();
    if known.is_none_or(|known| known != *entry) {
        cache::store(request.places, entry)?;
    }
    let tool = trust::Candidate {
        name,
        path: &request.program.path,
        metadata: trust::MetadataDigest::of(entry),
    };
    trust::repin_redacted(request.places, &[tool])?;
    let fresh = registered(request, entry);
    registry::update(request.places, request.now, |registry| {
        let known = registry.tools.get(name);
        if is_others(known) || known.is_some_and(|known| is_same(known, &fresh)) {
            return;
        }
        registry.tools.insert(name.to_owned(), fresh);
    })?;
    Ok(Kept::Catalogued)
}

fn registered(request: &Request<'_>, entry: &CacheEntry) -> Entry {
    let at = entry.cached_at;
    Entry {
        path: Some(request.places.home_relative(&request.program.path)),
        version: entry.version.clone(),
        atip_version: entry.atip_version.clone(),
        metadata_path: Some(format!("./tools/{}.json", request.program.name)),
        last_checked: Some(Timestamp::from_second(at.as_second()).unwrap_or(at)),
        ..Entry::new(Source::Inferred)
    }
}

fn is_same(known: &Entry, fresh: &Entry) -> bool {
    let mut like = known.clone();
    like.extra.clone_from(&fresh.extra);
    like == *fresh
}
