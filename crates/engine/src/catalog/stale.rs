//! When what is remembered of a tool is asked for again (ATIP §3.5.1). Pure: clock and file come in as values.

use std::time::Duration;

use argrail_spec::identity::Identity;
use argrail_spec::registry::CacheEntry;
use jiff::{SignedDuration, Timestamp};

/// How long an entry is good unless the configuration says otherwise: the draft's seven days.
pub const MAX_AGE: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// How far the clock of whoever wrote an entry may be ahead of ours.
const SKEW: SignedDuration = SignedDuration::from_mins(5);

/// Why an entry is not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stale {
    /// The tool has another version.
    Version,
    /// It is too old, or from the future.
    Age,
    /// The executable is another, or was written.
    Changed,
    /// Somebody asked for a fresh one.
    Refresh,
}

/// What somebody asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// What is remembered will do.
    Remembered,
    /// Everything is asked again.
    Fresh,
}

/// How things stand.
#[derive(Debug, Clone, Copy)]
pub struct Now<'a> {
    /// The executable, if it was looked at.
    pub identity: Option<Identity>,
    /// The version of the tool, if it was asked for it.
    pub version: Option<&'a str>,
    /// The time.
    pub time: Timestamp,
    /// How long an entry is good.
    pub max_age: Duration,
    /// What somebody asked for.
    pub wanted: Wanted,
}

/// Returns why `entry` is not to be used any more, if so.
pub fn is_stale(entry: &CacheEntry, now: &Now<'_>) -> Option<Stale> {
    if now.wanted == Wanted::Fresh {
        return Some(Stale::Refresh);
    }
    if now.identity.is_some_and(|identity| is_changed(entry, identity)) {
        return Some(Stale::Changed);
    }
    if let (Some(version), Some(cached)) = (now.version, &entry.version)
        && version != cached
    {
        return Some(Stale::Version);
    }
    is_old(entry, now).then_some(Stale::Age)
}

/// Without a stamp, as other programs write entries, the modification time is all there is to go by.
fn is_changed(entry: &CacheEntry, now: Identity) -> bool {
    match &entry.binary {
        Some(stamp) => stamp.identity != now,
        None => i128::from(now.mtime) > entry.cached_at.as_nanosecond(),
    }
}

fn is_old(entry: &CacheEntry, now: &Now<'_>) -> bool {
    let max_age = SignedDuration::try_from(now.max_age).unwrap_or(SignedDuration::MAX);
    let age = now.time.duration_since(entry.cached_at);
    // An entry from the future would outlive every limit.
    now.time >= entry.expires_at || age > max_age || age < -SKEW
}

#[cfg(test)]
mod tests {
    use argrail_spec::registry::Stamp;
    use serde_json::json;

    use super::*;

    const THEN: &str = "2026-01-05T10:30:00Z";
    const FILE: Identity = Identity {
        device: 1,
        inode: 2,
        size: 3,
        mtime: 4,
        ctime: 5,
    };

    fn entry() -> CacheEntry {
        let metadata = json!({"atip": "0.1", "name": "gh", "version": "2.45.0"});
        CacheEntry {
            binary: Some(Stamp {
                identity: FILE,
                path: None,
            }),
            ..CacheEntry::new("gh", metadata, THEN.parse().unwrap(), MAX_AGE)
        }
    }

    fn now(time: &str) -> Now<'static> {
        Now {
            identity: Some(FILE),
            version: Some("2.45.0"),
            time: time.parse().unwrap(),
            max_age: MAX_AGE,
            wanted: Wanted::Remembered,
        }
    }

    #[test]
    fn an_entry_is_asked_for_again_for_each_of_the_drafts_reasons() {
        let check = |now: Now<'_>, want: Option<Stale>| assert_eq!(is_stale(&entry(), &now), want, "{now:?}");
        let day = "2026-01-06T10:30:00Z";
        check(now(THEN), None);
        check(now(day), None);
        check(now("2026-01-12T10:29:59Z"), None);
        check(now("2026-01-12T10:30:00Z"), Some(Stale::Age));
        let wanted = Wanted::Fresh;
        check(Now { wanted, ..now(day) }, Some(Stale::Refresh));
        let short = Duration::from_secs(60);
        check(
            Now {
                max_age: short,
                ..now(day)
            },
            Some(Stale::Age),
        );
        check(
            Now {
                max_age: Duration::MAX,
                ..now(day)
            },
            None,
        );
        // The clock may have gone back a little, not a lot.
        check(now("2026-01-05T10:26:00Z"), None);
        check(now("2026-01-05T10:24:59Z"), Some(Stale::Age));
        let version = Some("2.46.0");
        check(Now { version, ..now(day) }, Some(Stale::Version));
        let nothing_asked = Now {
            version: None,
            identity: None,
            ..now(day)
        };
        check(nothing_asked, None);
        for identity in [
            Identity { device: 9, ..FILE },
            Identity { inode: 9, ..FILE },
            Identity { size: 9, ..FILE },
            Identity { mtime: 9, ..FILE },
            Identity { ctime: 9, ..FILE },
        ] {
            let identity = Some(identity);
            check(Now { identity, ..now(day) }, Some(Stale::Changed));
        }
    }

    #[test]
    fn without_a_stamp_the_modification_time_counts() {
        let entry = CacheEntry {
            binary: None,
            ..entry()
        };
        let at = |seconds: i64| Identity {
            mtime: seconds * 1_000_000_000,
            ..FILE
        };
        let written = entry.cached_at.as_second();
        let stale = |identity| {
            let identity = Some(identity);
            is_stale(
                &entry,
                &Now {
                    identity,
                    ..now(THEN)
                },
            )
        };
        assert_eq!(stale(at(written - 1)), None);
        assert_eq!(stale(at(written + 1)), Some(Stale::Changed));
    }
}
