//! Keeping an answer the moment it is there: a scan that is stopped loses nothing that it found.

use argrail_spec::atip::{Metadata, redact};
use argrail_spec::registry::{CacheEntry, Source, Stamp};

use super::candidates::Candidate;
use super::request::Request;
use crate::catalog::cache;
use crate::catalog::dialect::DIALECTS;
use crate::catalog::probe::{Outcome, Probed};
use crate::catalog::trust::MetadataDigest;

/// Writes the cache entry of a tool that was found, and returns its digest. One that cannot be written is not found:
/// the registry would point at nothing.
pub(super) fn keep(
    request: &Request<'_>,
    candidate: &Candidate,
    probed: &mut Probed,
) -> Option<MetadataDigest> {
    let Outcome::Found {
        dialect, metadata, ..
    } = &probed.outcome
    else {
        return None;
    };
    let entry = entry(request, candidate, dialect, metadata);
    let written = entry.and_then(|entry| {
        cache::store(request.places, &entry).map_err(|error| error.to_string())?;
        Ok(MetadataDigest::of(&entry))
    });
    match written {
        Ok(digest) => Some(digest),
        Err(reason) => {
            let reason = format!("its metadata cannot be kept: {reason}");
            probed.outcome = Outcome::Failed { reason };
            None
        }
    }
}

fn entry(
    request: &Request<'_>,
    candidate: &Candidate,
    dialect: &str,
    metadata: &Metadata,
) -> Result<CacheEntry, String> {
    let json = |metadata| serde_json::to_value(metadata).map_err(|error| error.to_string());
    let kept = json(redact(metadata.clone(), request.redact))?;
    let said = json(metadata.clone())?;
    Ok(CacheEntry {
        binary: Some(Stamp {
            identity: candidate.identity,
            path: Some(request.places.home_relative(&candidate.path)),
        }),
        dialect: Some(dialect.to_owned()).filter(|dialect| dialect != DIALECTS[0].name),
        source: Some(Source::Native),
        ..CacheEntry::new(&candidate.name, kept, request.now, request.max_age).said(&said)
    })
}
