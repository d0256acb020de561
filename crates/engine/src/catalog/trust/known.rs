//! A tool of the registry as something that can be pinned: its executable, and the digest of what describes it.
//!
//! Everybody who pins or judges a tool of the registry goes through here, so that all mean the same metadata.

use std::path::{Path, PathBuf};

use argrail_spec::digest::Digest;
use argrail_spec::registry::{Registry, Source};
use argrail_spec::trust::{ToolTrust, TrustFile};
use jiff::Timestamp;

use super::pins::{Candidate, MetadataDigest, renew};
use super::standing::{Drift, Seen, Standing, What, is_worth_renewing, standing};
use crate::catalog::cache;
use crate::catalog::store_error::StoreError;
use crate::files::untrusted::{self, FileError, Keeper, Links, Reading};
use crate::places::Places;

/// How a file that describes a tool is read: nobody else may have written it.
const READING: Reading = Reading {
    keeper: Keeper::Trusted,
    links: Links::Follow,
    limit: 4 << 20,
};

/// A tool of the registry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// Its name.
    pub name: String,
    /// Its executable.
    pub path: PathBuf,
    /// What describes it: its cache entry, or a file.
    pub metadata: MetadataDigest,
}

impl Known {
    /// Returns the tool as it is pinned and judged.
    pub fn candidate(&self) -> Candidate<'_> {
        Candidate {
            name: &self.name,
            path: &self.path,
            metadata: self.metadata,
        }
    }
}

/// Finds a tool in the registry; `None` when it is not there, or not with an executable and metadata.
///
/// # Errors
/// When what describes it cannot be read or trusted.
pub fn known(places: &Places, registry: &Registry, name: &str) -> Result<Option<Known>, StoreError> {
    let Some(entry) = registry.tools.get(name) else {
        return Ok(None);
    };
    let metadata = match entry.source {
        Source::Native | Source::Inferred => {
            cache::read(places, name)?.map(|entry| MetadataDigest::of(&entry))
        }
        // The user's shim is what speaks if there is one, whatever the registry says.
        Source::Shim => match (
            digest_of(&places.shims().join(format!("{name}.json")))?,
            &entry.shim_path,
        ) {
            (Some(digest), _) => Some(digest),
            (None, Some(shim)) => digest_of(&below(places, shim))?,
            (None, None) => None,
        },
        Source::Manual => digest_of(&places.overrides().join(format!("{name}.json")))?,
    };
    let path = entry.path.as_deref().map(|path| places.expand(path));
    Ok(path.zip(metadata).map(|(path, metadata)| Known {
        name: name.to_owned(),
        path,
        metadata,
    }))
}

/// Judges a tool by its name. What was pinned and cannot be compared any more has drifted: only what has no pin is
/// unknown, and only a person makes it so.
pub fn judge(places: &Places, registry: &Registry, trust: &TrustFile, name: &str) -> Standing {
    let Some(pin) = trust.tools.get(name) else {
        return Standing::Unknown;
    };
    let gone = |what, pinned: String| {
        Standing::Drift(Drift {
            what,
            pinned,
            now: None,
        })
    };
    match (pin.trust, known(places, registry, name)) {
        (ToolTrust::Denied, _) => Standing::Denied,
        (ToolTrust::FirstUse | ToolTrust::Accepted, Ok(Some(tool))) => standing(trust, &tool.candidate())
            .map_or_else(
                |_| gone(What::Binary, pin.binary.to_string()),
                |judged| judged.standing,
            ),
        (ToolTrust::FirstUse | ToolTrust::Accepted, Ok(None) | Err(_)) => {
            gone(What::Metadata, pin.metadata.to_string())
        }
    }
}

/// Spares whoever judges these tools next the reading of executables that are still what was pinned.
///
/// # Errors
/// When who is trusted cannot be read or written.
pub fn renew_pins(places: &Places, registry: &Registry, now: Timestamp) -> Result<(), StoreError> {
    let trust = super::file::read(places)?;
    let was_read = |tool: &Known| {
        let judged = standing(&trust, &tool.candidate());
        judged.is_ok_and(|judged| {
            judged.seen == Seen::Read && matches!(judged.standing, Standing::FirstUse | Standing::Accepted)
        })
    };
    let pinned = trust
        .tools
        .keys()
        .filter_map(|name| known(places, registry, name).ok()?);
    let tools: Vec<Known> = pinned
        .filter(|tool| is_worth_renewing(&tool.path, now) && was_read(tool))
        .collect();
    let tools: Vec<(&str, &Path)> = tools
        .iter()
        .map(|tool| (tool.name.as_str(), tool.path.as_path()))
        .collect();
    renew(places, &tools, now)
}

/// Paths in the registry are relative to its directory.
fn below(places: &Places, path: &str) -> PathBuf {
    places.data().join(places.expand(path))
}

fn digest_of(path: &Path) -> Result<Option<MetadataDigest>, FileError> {
    let found = untrusted::read(path, &READING)?;
    Ok(found.map(|found| Digest::of(found.bytes).into()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use argrail_spec::registry::{CacheEntry, Entry};
    use argrail_testkit::Home;
    use jiff::Timestamp;
    use serde_json::json;

    use super::*;
    use crate::catalog::MAX_AGE;
    use crate::catalog::trust::{accept, deny};
    use crate::places::testing::places_of;

    #[test]
    fn what_was_pinned_never_becomes_unknown_by_itself() {
        let home = Home::new().tool("x", "#!/bin/sh\n");
        let places = places_of(&home);
        let cached = CacheEntry::new("x", json!({"atip": "0.1"}), Timestamp::UNIX_EPOCH, MAX_AGE);
        cache::store(&places, &cached).unwrap();
        let program = home.bin().join("x");
        let mut registry = Registry::default();
        let entry = Entry {
            path: program.to_str().map(str::to_owned),
            ..Entry::new(Source::Native)
        };
        registry.tools.insert("x".to_owned(), entry);
        let tool = known(&places, &registry, "x").unwrap().unwrap();
        let now = Timestamp::now();
        let shown = Digest::of(fs::read(&program).unwrap());
        let accepted = accept(&places, &tool.candidate(), shown, now).unwrap();
        let denied = deny(&places, &tool.candidate(), now).unwrap();
        let check = |registry: &Registry, want: &str| {
            assert_eq!(judge(&places, registry, &accepted, "x").as_str(), want);
            assert_eq!(judge(&places, registry, &denied, "x"), Standing::Denied);
            let none = TrustFile::default();
            assert_eq!(judge(&places, registry, &none, "x"), Standing::Unknown);
        };
        check(&registry, "accepted");
        check(&Registry::default(), "drift");
        fs::write(places.tools().join("x.json"), "{").unwrap();
        check(&registry, "drift");
        cache::remove(&places, "x").unwrap();
        check(&registry, "drift");
        cache::store(&places, &cached).unwrap();
        check(&registry, "accepted");
        fs::remove_file(&program).unwrap();
        check(&registry, "drift");
        fs::create_dir(&program).unwrap();
        check(&registry, "drift");
    }

    #[test]
    fn the_metadata_of_each_source_is_what_describes_the_tool() {
        let home = Home::new();
        let places = places_of(&home);
        let cached = CacheEntry::new("x", json!({"atip": "0.1"}), Timestamp::UNIX_EPOCH, MAX_AGE);
        cache::store(&places, &cached).unwrap();
        for (folder, text) in [(places.shims(), "shim"), (places.overrides(), "mine")] {
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("x.json"), text).unwrap();
        }
        let check = |source: Source, shim: Option<&str>, want: Option<Digest>| {
            let entry = Entry {
                path: Some("~/bin/x".to_owned()),
                shim_path: shim.map(str::to_owned),
                ..Entry::new(source)
            };
            let mut registry = Registry::default();
            registry.tools.insert("x".to_owned(), entry);
            let known = known(&places, &registry, "x").unwrap();
            assert_eq!(
                known.as_ref().map(|known| known.metadata.kept),
                want,
                "{source:?} {shim:?}"
            );
            if let Some(known) = known {
                assert_eq!(known.path, home.root().join("home/bin/x"));
            }
        };
        check(Source::Native, None, Some(cached.checksum));
        check(Source::Inferred, None, Some(cached.checksum));
        check(Source::Shim, None, Some(Digest::of("shim")));
        check(Source::Shim, Some("./shims/x.json"), Some(Digest::of("shim")));
        // An index that points elsewhere does not hide a shim that changed.
        check(Source::Shim, Some("./shims/y.json"), Some(Digest::of("shim")));
        check(Source::Manual, None, Some(Digest::of("mine")));
        assert_eq!(known(&places, &Registry::default(), "x").unwrap(), None);
    }

    #[test]
    fn executables_that_settled_are_not_read_again() {
        let home = Home::new().tool("x", "#!/bin/sh\n");
        let places = places_of(&home);
        let entry = Entry {
            path: home.bin().join("x").to_str().map(str::to_owned),
            ..Entry::new(Source::Shim)
        };
        let mut registry = Registry::default();
        registry.tools.insert("x".to_owned(), entry);
        fs::create_dir_all(places.shims()).unwrap();
        fs::write(places.shims().join("x.json"), "shim").unwrap();
        let tool = known(&places, &registry, "x").unwrap().unwrap();
        let now = Timestamp::now();
        super::super::pin_first_use(&places, &[tool.candidate()], now).unwrap();
        let seen = || {
            let trust = super::super::read(&places).unwrap();
            standing(&trust, &tool.candidate()).unwrap().seen
        };
        assert_eq!(seen(), Seen::Read, "it was written just before it was pinned");
        renew_pins(&places, &registry, now).unwrap();
        assert_eq!(seen(), Seen::Read, "too early to tell");
        let later = now.saturating_add(std::time::Duration::from_secs(5)).unwrap();
        renew_pins(&places, &registry, later).unwrap();
        assert_eq!(seen(), Seen::Looked);
    }
}
