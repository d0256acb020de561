//! The end of a scan: what each program is, in one change of the registry.
//!
//! A tool that describes itself is `native`. One that does not may have a shim. One that used to and does not any more
//! is forgotten, and so is what is gone from the machine when all of it was scanned. What is known of tools elsewhere
//! is left alone.

use std::path::{Path, PathBuf};

use argrail_spec::atip::Metadata;
use argrail_spec::registry::{Entry, Registry, Source};
use serde_json::Value;

use super::candidates::Candidate;
use super::request::{Extent, Found, Request, Scan, ScanError};
use super::shims::{Shim, Shims};
use super::skipped::Skipped;
use crate::catalog::trust::MetadataDigest;
use crate::catalog::{cache, registry, trust};

/// The field of the registry that says how a tool was asked.
const DIALECT: &str = "x-dialect";

/// What is known of one program after asking or remembering.
#[derive(Debug)]
pub(super) enum Answered {
    /// It described itself just now, and its cache entry is written.
    Now {
        dialect: &'static str,
        version: Option<String>,
        atip_version: String,
        digest: MetadataDigest,
        warnings: usize,
    },
    /// It did before, and nothing changed.
    Remembered { source: Source, dialect: Option<String> },
    /// It does not.
    No,
    /// That could not be found out.
    Unknown,
}

impl Answered {
    pub(super) fn found(
        dialect: &'static str,
        metadata: Metadata,
        digest: MetadataDigest,
        warnings: usize,
    ) -> Self {
        Self::Now {
            dialect,
            version: metadata.version,
            atip_version: metadata.atip.version,
            digest,
            warnings,
        }
    }
}

/// What people wrote about tools.
pub(super) struct Hands {
    /// In the place of a tool's own word.
    pub(super) shims: Shims,
    /// Beside it.
    pub(super) overrides: Shims,
}

/// What a program's own word stands for in the registry, and what others' words do.
const OWN: &[Source] = &[Source::Native];
const OTHERS: &[Source] = &[Source::Shim, Source::Manual];

/// Changes to the registry.
#[derive(Default)]
struct Changes<'c> {
    set: Vec<(String, Entry)>,
    /// Names that nobody of these kinds has a word about any more, with the path it was about.
    withdrawn: Vec<(String, PathBuf, &'static [Source])>,
    /// Tools whose metadata was read, and its digest.
    seen: Vec<(&'c Candidate, MetadataDigest)>,
}

/// Writes the registry, and lists what was found.
pub(super) fn settle(
    request: &Request<'_>,
    list: &[Candidate],
    answers: Vec<Option<Answered>>,
    hands: &Hands,
    scan: &mut Scan,
) -> Result<(), ScanError> {
    let mut changes = Changes::default();
    for (candidate, answer) in list.iter().zip(answers) {
        match answer {
            Some(Answered::Now {
                dialect,
                version,
                atip_version,
                digest,
                warnings,
            }) => {
                changes.seen.push((candidate, digest));
                scan.found
                    .push(found(candidate, Source::Native, Some(dialect), warnings));
                let mut entry = fresh(request, candidate, Source::Native, version);
                entry.atip_version = Some(atip_version);
                entry.metadata_path = Some(format!("./tools/{}.json", candidate.name));
                entry.extra.insert(DIALECT.to_owned(), Value::from(dialect));
                changes.set.push((candidate.name.clone(), entry));
            }
            Some(Answered::Remembered { source, dialect }) => {
                scan.found.push(found(candidate, source, dialect.as_deref(), 0));
            }
            Some(Answered::No) => {
                changes.withdraw(candidate, OWN);
                by_hand(request, candidate, hands, &mut changes, scan);
            }
            Some(Answered::Unknown) | None => by_hand(request, candidate, hands, &mut changes, scan),
        }
    }
    apply(request, changes, scan)
}

impl Changes<'_> {
    fn withdraw(&mut self, candidate: &Candidate, sources: &'static [Source]) {
        let path = candidate.path.clone();
        self.withdrawn.push((candidate.name.clone(), path, sources));
    }
}

/// Takes the word of a person for a program that has none of its own.
fn by_hand<'c>(
    request: &Request<'_>,
    candidate: &'c Candidate,
    hands: &Hands,
    changes: &mut Changes<'c>,
    scan: &mut Scan,
) {
    match hands.shims.load(candidate) {
        Some(Ok(shim)) => {
            let path = relative(&shim.path, request.places.data());
            return take(request, candidate, shim, Source::Shim, Some(path), changes, scan);
        }
        Some(Err(skipped)) => scan.skipped.push(skipped),
        None => {}
    }
    // One that is no whole description is no mistake: it changes what others say.
    match hands.overrides.load(candidate) {
        Some(Ok(own)) => take(request, candidate, own, Source::Manual, None, changes, scan),
        Some(Err(_)) | None => changes.withdraw(candidate, OTHERS),
    }
}

fn take<'c>(
    request: &Request<'_>,
    candidate: &'c Candidate,
    shim: Shim,
    source: Source,
    path: Option<String>,
    changes: &mut Changes<'c>,
    scan: &mut Scan,
) {
    changes.seen.push((candidate, shim.digest.into()));
    scan.found.push(found(candidate, source, None, 0));
    let mut entry = fresh(request, candidate, source, shim.metadata.version);
    entry.shim_path = path;
    changes.set.push((candidate.name.clone(), entry));
}

fn apply(request: &Request<'_>, changes: Changes<'_>, scan: &mut Scan) -> Result<(), ScanError> {
    pin_first_use(request, &changes.seen, scan)?;
    let mut forgotten = Vec::new();
    let whole = request.extent == Extent::Whole && !scan.interrupted;
    let at = |entry: &Entry| entry.path.as_deref().map(|path| request.places.expand(path));
    let change = |registry: &mut Registry| {
        for (name, path, sources) in &changes.withdrawn {
            let is_meant = |entry: &Entry| sources.contains(&entry.source) && at(entry) == Some(path.clone());
            if registry.tools.get(name).is_some_and(is_meant) {
                registry.tools.shift_remove(name);
                forgotten.push(name.clone());
            }
        }
        for (name, entry) in changes.set {
            put(registry, name, entry);
        }
        if whole {
            registry.tools.retain(|name, entry| {
                let gone = is_gone(entry, request);
                if gone {
                    forgotten.push(name.clone());
                }
                !gone
            });
        }
    };
    let now = registry::update(request.places, request.now, change)?;
    for name in forgotten.iter().filter(|name| !now.tools.contains_key(*name)) {
        cache::remove(request.places, name)?;
    }
    Ok(trust::renew_pins(request.places, &now, request.now)?)
}

/// Pins what was never seen before, so that a change of it is told from now on.
fn pin_first_use(
    request: &Request<'_>,
    seen: &[(&Candidate, MetadataDigest)],
    scan: &mut Scan,
) -> Result<(), ScanError> {
    let tools: Vec<trust::Candidate<'_>> = seen
        .iter()
        .map(|(candidate, metadata)| trust::Candidate {
            name: &candidate.name,
            path: &candidate.path,
            metadata: *metadata,
        })
        .collect();
    for (name, problem) in trust::pin_first_use(request.places, &tools, request.now)? {
        let path = seen.iter().find(|(candidate, _)| candidate.name == name);
        let path = path.map_or_else(|| PathBuf::from(&name), |(candidate, _)| candidate.path.clone());
        scan.skipped
            .push(Skipped::new(path, format!("not pinned: {problem}")));
    }
    Ok(())
}

/// Puts an entry into the registry. What no draft defines stays, but for what is ours.
fn put(registry: &mut Registry, name: String, mut entry: Entry) {
    if let Some(known) = registry.tools.get(&name) {
        match (known.source, entry.source) {
            // Its own word was not asked for this time, and has not been taken back.
            (Source::Native, Source::Shim | Source::Manual) => return,
            // Only the time would change.
            (Source::Shim, Source::Shim) | (Source::Manual, Source::Manual)
                if same_but_time(known, &entry) =>
            {
                return;
            }
            (
                Source::Native | Source::Shim | Source::Inferred | Source::Manual,
                Source::Native | Source::Shim | Source::Inferred | Source::Manual,
            ) => {}
        }
        let kept = known.extra.iter().filter(|(key, _)| *key != DIALECT);
        let kept: Vec<_> = kept.map(|(key, value)| (key.clone(), value.clone())).collect();
        for (key, value) in kept {
            entry.extra.entry(key).or_insert(value);
        }
    }
    registry.tools.insert(name, entry);
}

fn same_but_time(known: &Entry, entry: &Entry) -> bool {
    let mut like = known.clone();
    like.last_checked = entry.last_checked;
    like == *entry
}

/// Whether the executable of an entry is not there any more. What cannot be looked at may be.
fn is_gone(entry: &Entry, request: &Request<'_>) -> bool {
    let Some(path) = entry.path.as_deref().map(|path| request.places.expand(path)) else {
        return false;
    };
    let missing = |error: std::io::Error| error.kind() == std::io::ErrorKind::NotFound;
    path.is_absolute() && path.metadata().err().is_some_and(missing)
}

fn found(candidate: &Candidate, source: Source, dialect: Option<&str>, warnings: usize) -> Found {
    Found {
        name: candidate.name.clone(),
        path: candidate.path.clone(),
        source,
        dialect: dialect.map(str::to_owned),
        warnings,
    }
}

fn fresh(request: &Request<'_>, candidate: &Candidate, source: Source, version: Option<String>) -> Entry {
    let seconds = jiff::Timestamp::from_second(request.now.as_second()).unwrap_or(request.now);
    Entry {
        // The home is written `~`: the file may be shown, copied and shared.
        path: Some(request.places.home_relative(&candidate.path)),
        version,
        last_checked: Some(seconds),
        ..Entry::new(source)
    }
}

/// A path as the registry has it: relative where it lies beside it.
fn relative(path: &Path, base: &Path) -> String {
    match path.strip_prefix(base) {
        Ok(below) => PathBuf::from(".").join(below).display().to_string(),
        Err(_) => path.display().to_string(),
    }
}
