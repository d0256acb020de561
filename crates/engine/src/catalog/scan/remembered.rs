//! What the registry knows of programs that are still the same.

use std::path::Path;

use argrail_spec::registry::{Registry, Source};

use super::candidates::Candidate;
use super::request::{Request, ScanError};
use super::settle::Answered;
use crate::catalog::cache::{self, Cached};
use crate::catalog::dialect::DIALECTS;
use crate::catalog::{Now, StoreError, Wanted, is_stale, registry};

/// The registry, read once.
pub(super) struct Remembered<'r> {
    request: &'r Request<'r>,
    registry: Registry,
}

impl<'r> Remembered<'r> {
    /// Reads the registry. One that is broken remembers nothing here; the next writer keeps it aside.
    pub(super) fn read(request: &'r Request<'r>) -> Result<Self, ScanError> {
        let registry = match registry::read(request.places) {
            Ok(loaded) => loaded.registry,
            Err(StoreError::Corrupt { .. }) => Registry::default(),
            Err(error) => return Err(error.into()),
        };
        Ok(Self { request, registry })
    }

    /// Returns the version that others than the program itself describe, a shim or its help of before: a newer program does
    /// not correct these.
    pub(super) fn described_version(&self, candidate: &Candidate) -> Option<&str> {
        let entry = self.registry.tools.get(&candidate.name)?;
        let at = entry.path.as_deref().map(|path| self.request.places.expand(path));
        let is_others = match entry.source {
            Source::Shim | Source::Inferred | Source::Manual => true,
            Source::Native => false,
        };
        let is_here = at.as_deref() == Some(Path::new(&candidate.path));
        entry.version.as_deref().filter(|_| is_others && is_here)
    }

    /// Whether the file is another than the one whose help was read.
    pub(super) fn is_rewritten(&self, candidate: &Candidate) -> bool {
        let cached = cache::load(self.request.places, &candidate.name, self.request.now);
        match cached {
            Ok(Cached::Fresh(cached) | Cached::Expired(cached, _)) => cached
                .binary
                .is_some_and(|stamp| stamp.identity != candidate.identity),
            Ok(Cached::Corrupt(_) | Cached::Missing) | Err(_) => false,
        }
    }

    /// Returns what is known of a program that described itself, if it is still the same file and not too long ago.
    pub(super) fn answer(&self, candidate: &Candidate) -> Option<Answered> {
        let entry = self.registry.tools.get(&candidate.name)?;
        let is_own = matches!(entry.source, Source::Native | Source::Inferred);
        let at = entry.path.as_deref().map(|path| self.request.places.expand(path));
        if !is_own || at.as_deref() != Some(Path::new(&candidate.path)) {
            return None;
        }
        let cached = match cache::load(self.request.places, &candidate.name, self.request.now) {
            Ok(Cached::Fresh(cached)) => cached,
            Ok(Cached::Expired(..) | Cached::Corrupt(_) | Cached::Missing) | Err(_) => return None,
        };
        let now = Now {
            identity: Some(candidate.identity),
            version: None,
            time: self.request.now,
            max_age: self.request.max_age,
            // What was made of help texts is not asked for by a scan.
            wanted: match entry.source {
                Source::Native => self.request.wanted,
                Source::Shim | Source::Inferred | Source::Manual => Wanted::Remembered,
            },
        };
        if is_stale(&cached, &now).is_some() {
            return None;
        }
        let dialect = match entry.source {
            Source::Native => Some(cached.dialect.unwrap_or_else(|| DIALECTS[0].name.to_owned())),
            Source::Shim | Source::Inferred | Source::Manual => None,
        };
        Some(Answered::Remembered {
            source: entry.source,
            dialect,
        })
    }
}
