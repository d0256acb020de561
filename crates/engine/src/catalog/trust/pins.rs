//! Giving and taking back trust: every change reads the executable first and takes the lock after.

use std::path::Path;

use argrail_spec::atip::check_tool_name;
use argrail_spec::digest::Digest;
use argrail_spec::registry::CacheEntry;
use argrail_spec::trust::{ProjectPin, ToolPin, ToolTrust, TrustFile};
use jiff::Timestamp;

use super::file::update;
use crate::catalog::store_error::StoreError;
use crate::files::identity::{Fingerprint, MAX_EXECUTABLE, fingerprint};
use crate::files::untrusted::FileError;
use crate::places::Places;

/// A tool as it stands now.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its executable.
    pub path: &'a Path,
    /// What describes it.
    pub metadata: MetadataDigest,
}

/// The digests of metadata: as it is kept, and as it was said where `redact` took some of it away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MetadataDigest {
    /// The checksum of a cache entry, or the digest of a file.
    pub kept: Digest,
    /// The digest of what was said, if that was more.
    pub said: Option<Digest>,
}

impl MetadataDigest {
    /// Returns the digests of a cache entry.
    pub fn of(entry: &CacheEntry) -> Self {
        Self {
            kept: entry.checksum,
            said: entry.said,
        }
    }

    fn in_full(&self) -> Digest {
        self.said.unwrap_or(self.kept)
    }

    fn of_pin(pin: &ToolPin) -> Self {
        Self {
            kept: pin.metadata,
            said: pin.said,
        }
    }
}

impl From<Digest> for MetadataDigest {
    fn from(kept: Digest) -> Self {
        Self { kept, said: None }
    }
}

/// Pins tools that were never seen before, in one change. Those that have a pin keep it, whatever they are now, but for
/// what `redact` took away or gave back.
///
/// A tool whose executable cannot be read stays without a pin; it is returned with the reason.
///
/// # Errors
/// When nothing can be written.
pub fn pin_first_use(
    places: &Places,
    candidates: &[Candidate<'_>],
    now: Timestamp,
) -> Result<Vec<(String, StoreError)>, StoreError> {
    repin_redacted(places, candidates)?;
    let known = super::file::read(places)?;
    let mut pins = Vec::new();
    let mut unread = Vec::new();
    for candidate in candidates {
        if known.tools.contains_key(candidate.name) {
            continue;
        }
        match pin(candidate, ToolTrust::FirstUse, now) {
            Ok(pin) => pins.push((candidate.name.to_owned(), pin)),
            Err(problem) => unread.push((candidate.name.to_owned(), problem)),
        }
    }
    if !pins.is_empty() {
        update(places, |trust| {
            for (name, pin) in pins {
                trust.tools.entry(name).or_insert(pin);
            }
        })?;
    }
    Ok(unread)
}

/// Lets the pins of tools that said the same as ever follow what is kept of it: only the configuration changed.
///
/// # Errors
/// When nothing can be written.
pub fn repin_redacted(places: &Places, candidates: &[Candidate<'_>]) -> Result<(), StoreError> {
    let is_other = |pin: &ToolPin, now: &MetadataDigest| {
        let pinned = MetadataDigest::of_pin(pin);
        pinned != *now && pinned.in_full() == now.in_full()
    };
    let known = super::file::read(places)?;
    let meant: Vec<&Candidate<'_>> = candidates
        .iter()
        .filter(|tool| {
            known
                .tools
                .get(tool.name)
                .is_some_and(|pin| is_other(pin, &tool.metadata))
        })
        .collect();
    if meant.is_empty() {
        return Ok(());
    }
    update(places, |trust| {
        for tool in meant {
            let pinned = trust.tools.get_mut(tool.name);
            if let Some(pin) = pinned.filter(|pin| is_other(pin, &tool.metadata)) {
                pin.metadata = tool.metadata.kept;
                pin.said = tool.metadata.said;
            }
        }
    })?;
    Ok(())
}

/// Accepts a tool whose executable has the digest `shown`, drift included. If it became another since somebody was
/// shown it, nothing changes: what was blocked stays blocked.
///
/// # Errors
/// When its executable cannot be read or is another, or nothing can be written.
pub fn accept(
    places: &Places,
    candidate: &Candidate<'_>,
    shown: Digest,
    now: Timestamp,
) -> Result<TrustFile, StoreError> {
    let pin = pin(candidate, ToolTrust::Accepted, now)?;
    if pin.binary != shown {
        let path = candidate.path.to_owned();
        return Err(FileError::Changed { path }.into());
    }
    put(places, candidate.name, pin)
}

/// Denies a tool, whatever it becomes.
///
/// # Errors
/// When its executable cannot be read, or nothing can be written.
pub fn deny(places: &Places, candidate: &Candidate<'_>, now: Timestamp) -> Result<TrustFile, StoreError> {
    put(places, candidate.name, pin(candidate, ToolTrust::Denied, now)?)
}

/// Forgets a tool; returns whether there was anything to forget.
///
/// # Errors
/// When nothing can be written.
pub fn revoke(places: &Places, name: &str) -> Result<bool, StoreError> {
    let mut found = false;
    update(places, |trust| {
        found = trust.tools.shift_remove(name).is_some();
    })?;
    Ok(found)
}

/// Notes which file each executable is now, if its bytes are those of the pin: it need not be read the next time.
/// One that cannot be read stays as it is.
///
/// # Errors
/// When nothing can be written.
pub fn renew(places: &Places, tools: &[(&str, &Path)], now: Timestamp) -> Result<(), StoreError> {
    let read = |(name, path): &(&str, &Path)| Some((name.to_string(), read_executable(path).ok()?));
    let found: Vec<(String, Fingerprint)> = tools.iter().filter_map(read).collect();
    if found.is_empty() {
        return Ok(());
    }
    update(places, |trust| {
        for (name, found) in &found {
            let pinned = trust.tools.get_mut(name);
            if let Some(pin) = pinned.filter(|pin| pin.binary == found.digest) {
                pin.identity = found.identity;
                pin.checked = Some(whole_seconds(now));
            }
        }
    })?;
    Ok(())
}

/// Accepts a project as it is described by `pin`.
///
/// # Errors
/// When nothing can be written.
pub fn trust_project(places: &Places, directory: &str, pin: ProjectPin) -> Result<TrustFile, StoreError> {
    update(places, |trust| {
        trust.projects.insert(directory.to_owned(), pin);
    })
}

/// Forgets a project; returns whether there was anything to forget.
///
/// # Errors
/// When nothing can be written.
pub fn revoke_project(places: &Places, directory: &str) -> Result<bool, StoreError> {
    let mut found = false;
    update(places, |trust| {
        found = trust.projects.shift_remove(directory).is_some();
    })?;
    Ok(found)
}

fn put(places: &Places, name: &str, pin: ToolPin) -> Result<TrustFile, StoreError> {
    update(places, |trust| {
        trust.tools.insert(name.to_owned(), pin);
    })
}

fn pin(candidate: &Candidate<'_>, level: ToolTrust, now: Timestamp) -> Result<ToolPin, StoreError> {
    check_tool_name(candidate.name).map_err(|problem| StoreError::Name {
        given: candidate.name.to_owned(),
        problem,
    })?;
    let path = candidate.path.to_str().ok_or_else(|| StoreError::NotText {
        path: candidate.path.to_owned(),
    })?;
    let found = read_executable(candidate.path)?;
    Ok(ToolPin {
        trust: level,
        path: path.to_owned(),
        binary: found.digest,
        metadata: candidate.metadata.kept,
        said: candidate.metadata.said,
        identity: found.identity,
        at: whole_seconds(now),
        checked: None,
        extra: Default::default(),
    })
}

fn read_executable(path: &Path) -> Result<Fingerprint, StoreError> {
    let missing = || FileError::io(path, std::io::ErrorKind::NotFound.into());
    Ok(fingerprint(path, MAX_EXECUTABLE)?.ok_or_else(missing)?)
}

fn whole_seconds(time: Timestamp) -> Timestamp {
    Timestamp::from_second(time.as_second()).unwrap_or(time)
}
