//! How a tool stands: whether it is still the one that was pinned.
//!
//! Cheap while nothing happened: the executable is looked at, and read only when it is another file than before, or
//! when it had just been changed as it was pinned.

use std::path::Path;

use argrail_spec::trust::{ToolPin, ToolTrust, TrustFile};
use jiff::Timestamp;

use super::pins::Candidate;
use crate::catalog::store_error::StoreError;
use crate::files::identity::{self, Identity, MAX_EXECUTABLE, fingerprint};

/// How long before it was read a file must have been left alone for its identity to speak for its bytes. The kernel
/// counts changes in steps of milliseconds, and a change within the step in which it was read would not show.
const SETTLED: i128 = 2_000_000_000;

/// How far a tool may be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// It was never seen.
    Unknown,
    /// It is what it was when it was first used.
    FirstUse,
    /// It is what a person accepted.
    Accepted,
    /// A person said no.
    Denied,
    /// It is not what was pinned, and may not be used until a person accepts it.
    Drift(Drift),
}

/// What is not as it was pinned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drift {
    /// What differs.
    pub what: What,
    /// How it was.
    pub pinned: String,
    /// How it is; `None` when it is gone.
    pub now: Option<String>,
}

/// What can differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The bytes of the executable.
    Binary,
    /// The metadata.
    Metadata,
    /// Another executable of this name is found first.
    Path,
}

/// How it was found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// By looking.
    Looked,
    /// By reading the executable. [`renew`](super::renew) saves that the next time.
    Read,
}

/// A standing, and how it was found out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// How far the tool may be used.
    pub standing: Standing,
    /// How it was found out.
    pub seen: Seen,
}

impl What {
    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::Metadata => "metadata",
            Self::Path => "path",
        }
    }
}

impl Standing {
    /// Returns the word for it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::FirstUse => ToolTrust::FirstUse.as_str(),
            Self::Accepted => ToolTrust::Accepted.as_str(),
            Self::Denied => ToolTrust::Denied.as_str(),
            Self::Drift(_) => "drift",
        }
    }
}

/// Compares a tool with its pin.
///
/// # Errors
/// When its executable cannot be looked at or read.
pub fn standing(trust: &TrustFile, tool: &Candidate<'_>) -> Result<Judged, StoreError> {
    let judged = |standing, seen| Ok(Judged { standing, seen });
    let Some(pin) = trust.tools.get(tool.name) else {
        return judged(Standing::Unknown, Seen::Looked);
    };
    let level = match pin.trust {
        ToolTrust::Denied => return judged(Standing::Denied, Seen::Looked),
        ToolTrust::FirstUse => Standing::FirstUse,
        ToolTrust::Accepted => Standing::Accepted,
    };
    let (drift, seen) = executable(pin, tool)?;
    if let Some(drift) = drift {
        return judged(Standing::Drift(drift), seen);
    }
    if tool.metadata.kept != pin.metadata {
        let drift = Drift {
            what: What::Metadata,
            pinned: pin.metadata.to_string(),
            now: Some(tool.metadata.kept.to_string()),
        };
        return judged(Standing::Drift(drift), seen);
    }
    judged(level, seen)
}

fn executable(pin: &ToolPin, tool: &Candidate<'_>) -> Result<(Option<Drift>, Seen), StoreError> {
    let Some(found) = identity::look(tool.path)? else {
        let drift = Drift {
            what: What::Binary,
            pinned: pin.binary.to_string(),
            now: None,
        };
        return Ok((Some(drift), Seen::Looked));
    };
    // Another name for the same file is no other tool: `/bin` is `/usr/bin` on most machines.
    let same_file = (found.device, found.inode) == (pin.identity.device, pin.identity.inode);
    if tool.path.to_str() != Some(pin.path.as_str()) && !same_file {
        let drift = Drift {
            what: What::Path,
            pinned: pin.path.clone(),
            now: Some(tool.path.to_string_lossy().into_owned()),
        };
        return Ok((Some(drift), Seen::Looked));
    }
    if found == pin.identity && is_settled(&found, pin.checked.unwrap_or(pin.at)) {
        return Ok((None, Seen::Looked));
    }
    let now = fingerprint(tool.path, MAX_EXECUTABLE)?.map(|found| found.digest);
    let drift = (now != Some(pin.binary)).then(|| Drift {
        what: What::Binary,
        pinned: pin.binary.to_string(),
        now: now.map(|digest| digest.to_string()),
    });
    Ok((drift, Seen::Read))
}

/// Whether reading the executable at `now` would spare the next reading.
pub(super) fn is_worth_renewing(path: &Path, now: Timestamp) -> bool {
    identity::look(path).is_ok_and(|found| found.is_some_and(|found| is_settled(&found, now)))
}

fn is_settled(found: &Identity, read: Timestamp) -> bool {
    i128::from(found.ctime) + SETTLED < read.as_nanosecond()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;

    use argrail_spec::digest::Digest;
    use argrail_testkit::Home;

    use super::super::{MetadataDigest, accept, deny, pin_first_use, read, renew, revoke};
    use super::*;
    use crate::files::identity::testing::rewrite;
    use crate::places::Places;
    use crate::places::testing::places_of;

    const GOOD: &str = "#!/bin/sh\necho good\n";
    const EVIL: &str = "#!/bin/sh\necho evil\n";

    struct Ground {
        home: Home,
        places: Places,
    }

    impl Ground {
        fn new() -> Self {
            let home = Home::new().tool("gh", GOOD);
            let places = places_of(&home);
            Self { home, places }
        }

        fn path(&self) -> PathBuf {
            self.home.bin().join("gh")
        }

        fn judge(&self, path: &Path, metadata: &str) -> Judged {
            let tool = candidate(path, metadata);
            standing(&read(&self.places).unwrap(), &tool).unwrap()
        }

        fn standing(&self) -> Standing {
            self.judge(&self.path(), "m").standing
        }

        fn drift(&self, path: &Path, metadata: &str) -> Drift {
            match self.judge(path, metadata).standing {
                Standing::Drift(drift) => drift,
                other => panic!("no drift but {other:?}"),
            }
        }
    }

    fn candidate<'a>(path: &'a Path, metadata: &str) -> Candidate<'a> {
        Candidate {
            name: "gh",
            path,
            metadata: Digest::of(metadata).into(),
        }
    }

    /// A time at which every file of the test is old.
    fn later() -> Timestamp {
        Timestamp::now() + jiff::SignedDuration::from_secs(10)
    }

    #[test]
    fn a_tool_is_pinned_once_and_drift_blocks_until_it_is_accepted() {
        let ground = Ground::new();
        let path = ground.path();
        assert_eq!(ground.standing(), Standing::Unknown);
        let pin = |metadata| pin_first_use(&ground.places, &[candidate(&path, metadata)], later()).unwrap();
        assert!(pin("m").is_empty());
        assert_eq!(ground.standing(), Standing::FirstUse);
        // Seeing it again, as another, does not move the pin.
        assert!(pin("other").is_empty());
        assert_eq!(ground.standing(), Standing::FirstUse);
        let drift = ground.drift(&path, "other");
        assert_eq!(
            (drift.what, drift.pinned),
            (What::Metadata, Digest::of("m").to_string())
        );
        let now = fingerprint(&path, MAX_EXECUTABLE).unwrap().unwrap().digest;
        accept(&ground.places, &candidate(&path, "other"), now, later()).unwrap();
        assert_eq!(ground.judge(&path, "other").standing, Standing::Accepted);
        assert_eq!(ground.drift(&path, "m").what, What::Metadata);
        deny(&ground.places, &candidate(&path, "m"), later()).unwrap();
        assert_eq!(ground.standing(), Standing::Denied);
        fs::remove_file(&path).unwrap();
        assert_eq!(ground.standing(), Standing::Denied);
        assert!(revoke(&ground.places, "gh").unwrap());
        assert!(!revoke(&ground.places, "gh").unwrap());
        assert_eq!(ground.standing(), Standing::Unknown);
        assert_eq!(read(&ground.places).unwrap().revision, 4);
    }

    #[test]
    fn a_pin_follows_what_is_kept_only_while_the_tool_says_the_same() {
        let ground = Ground::new();
        let path = ground.path();
        let tool = |kept: &str, said: Option<&str>| Candidate {
            metadata: MetadataDigest {
                kept: Digest::of(kept),
                said: said.map(Digest::of),
            },
            ..candidate(&path, kept)
        };
        let check = |kept: &str, said: Option<&str>, want: bool| {
            let tool = tool(kept, said);
            let trust = || read(&ground.places).unwrap();
            pin_first_use(&ground.places, &[tool], later()).unwrap();
            let judged = standing(&trust(), &tool).unwrap().standing;
            assert_eq!(judged == Standing::FirstUse, want, "{kept} {said:?}: {judged:?}");
        };
        check("whole", None, true);
        check("part", Some("whole"), true);
        check("other part", Some("whole"), true);
        // A file that somebody changed, whatever it says that the tool said.
        check("forged", Some("another"), false);
        check("forged", None, false);
        check("whole", None, true);
        check("part", Some("another"), false);
    }

    #[test]
    fn a_binary_rewritten_in_place_with_size_and_mtime_kept_is_drift() {
        let ground = Ground::new();
        let path = ground.path();
        pin_first_use(&ground.places, &[candidate(&path, "m")], later()).unwrap();
        rewrite(&path, EVIL);
        let drift = ground.drift(&path, "m");
        assert_eq!(drift.what, What::Binary);
        assert_eq!(drift.pinned, Digest::of(GOOD).to_string());
        assert_eq!(drift.now, Some(Digest::of(EVIL).to_string()));
    }

    #[test]
    fn the_executable_is_read_only_when_its_identity_does_not_speak_for_it() {
        let ground = Ground::new();
        let path = ground.path();
        let seen = || {
            let judged = ground.judge(&path, "m");
            assert_eq!(judged.standing, Standing::FirstUse);
            judged.seen
        };
        // Pinned in the moment in which it was written: a change in the same moment would not show.
        pin_first_use(&ground.places, &[candidate(&path, "m")], Timestamp::now()).unwrap();
        assert_eq!(seen(), Seen::Read);
        renew(&ground.places, &[("gh", path.as_path())], later()).unwrap();
        assert_eq!(seen(), Seen::Looked);
        // The same bytes in another file are the same tool.
        let copy = ground.home.bin().join("copy");
        fs::copy(&path, &copy).unwrap();
        fs::rename(&copy, &path).unwrap();
        assert_eq!(seen(), Seen::Read);
        renew(&ground.places, &[("gh", path.as_path())], later()).unwrap();
        assert_eq!(seen(), Seen::Looked);
        rewrite(&path, EVIL);
        renew(&ground.places, &[("gh", path.as_path())], later()).unwrap();
        assert_eq!(ground.drift(&path, "m").what, What::Binary);
    }

    #[test]
    fn another_executable_of_the_name_is_drift_and_another_name_of_the_executable_is_not() {
        let ground = Ground::new();
        let path = ground.path();
        pin_first_use(&ground.places, &[candidate(&path, "m")], later()).unwrap();
        let linked = ground.home.work().join("gh");
        std::os::unix::fs::symlink(&path, &linked).unwrap();
        assert_eq!(ground.judge(&linked, "m").standing, Standing::FirstUse);
        let copy = ground.home.work().join("copy");
        fs::copy(&path, &copy).unwrap();
        let drift = ground.drift(&copy, "m");
        assert_eq!(
            (drift.what, drift.pinned),
            (What::Path, path.to_str().unwrap().to_owned())
        );
        fs::remove_file(&path).unwrap();
        assert_eq!(ground.drift(&path, "m").now, None);
    }

    #[test]
    fn a_tool_that_cannot_be_read_stays_without_a_pin() {
        let ground = Ground::new();
        let missing = ground.home.bin().join("missing");
        let unread = pin_first_use(&ground.places, &[candidate(&missing, "m")], later()).unwrap();
        assert_eq!(unread.len(), 1);
        assert!(!ground.places.trust_file().exists());
    }

    #[test]
    fn what_others_can_write_or_nobody_understands_is_a_refusal() {
        let ground = Ground::new();
        let path = ground.path();
        pin_first_use(&ground.places, &[candidate(&path, "m")], later()).unwrap();
        let file = ground.places.trust_file();
        let text = fs::read_to_string(&file).unwrap();
        let refused = |want: &str| {
            let error = read(&ground.places).unwrap_err();
            assert!(error.to_string().contains(want), "{error}");
            let shown = fingerprint(&path, MAX_EXECUTABLE).unwrap().unwrap().digest;
            assert!(accept(&ground.places, &candidate(&path, "m"), shown, later()).is_err());
        };
        fs::write(&file, text.replace("first-use", "always")).unwrap();
        refused("trust: expected first-use");
        fs::write(&file, &text).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o620)).unwrap();
        refused("others can write it");
        fs::remove_file(&file).unwrap();
        fs::set_permissions(ground.places.config(), fs::Permissions::from_mode(0o777)).unwrap();
        refused("others can write it");
    }
}
