//! `discovery/path-scan-HASH.json` (ATIP §3.3.1): what came of looking at each program, so that nothing is asked twice.
//!
//! A memory is good while the program is the same file (device, number, size, both times) and the memory is young. One
//! that cannot be read, or that another version of argrail wrote, is no memory: everything is looked at again. Scans
//! that end at the same time add to each other.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use argrail_spec::digest::Hasher;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::candidates::Candidate;
use super::literal::Literals;
use crate::catalog::StoreError;
use crate::catalog::dialect::DIALECTS;
use crate::files::atomic::{self, Access, Durability};
use crate::files::identity::Identity;
use crate::files::lock::{Lock, WAIT};
use crate::files::untrusted::{self, Keeper, Links, Reading};
use crate::places::Places;

/// The longest file that is read.
const MOST: u64 = 32 << 20;
/// How long a program that did not end in time is left alone.
const TIMED_OUT: Duration = Duration::from_secs(24 * 60 * 60);
/// How far a clock may be ahead.
const SKEW: SignedDuration = SignedDuration::from_mins(5);

const READING: Reading = Reading {
    keeper: Keeper::Trusted,
    links: Links::Refuse,
    limit: MOST,
};

/// What is remembered of one directory list.
#[derive(Debug, Default)]
pub(super) struct Memory {
    path: PathBuf,
    programs: HashMap<String, Record>,
    changed: HashMap<String, Record>,
}

/// The file.
#[derive(Debug, Serialize, Deserialize)]
struct Stored {
    /// The literals that numbers stand for. Others mean that the numbers mean something else.
    literals: Vec<String>,
    programs: HashMap<String, Record>,
}

/// What is remembered of one program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    /// Device, number, size, modification and change time.
    file: (u64, u64, u64, i64, i64),
    /// Which literals stand in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    literals: Option<u32>,
    /// What came of asking it, if it was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) asked: Option<Asked>,
}

/// What came of asking.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Asked {
    /// When, in seconds since 1970.
    pub(super) at: i64,
    /// What came of it.
    pub(super) result: Miss,
    /// Why, where there is more to say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    /// How long it had, in milliseconds.
    pub(super) timeout: u64,
}

/// What is remembered of an answer. Found tools are remembered by the registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Miss {
    Found,
    NotAtip,
    Impostor,
    Invalid,
    TimedOut,
    Failed,
}

/// What a memory must be good for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Need {
    pub(super) now: Timestamp,
    pub(super) max_age: Duration,
    pub(super) timeout: Duration,
}

impl Memory {
    /// Reads what is remembered of these directories.
    pub(super) fn read(places: &Places, directories: &[PathBuf]) -> Self {
        let path = places
            .discovery()
            .join(format!("path-scan-{}.json", key(directories)));
        let programs = read(&path);
        Self {
            path,
            programs,
            changed: HashMap::new(),
        }
    }

    /// Returns the literals of a program that has not changed.
    pub(super) fn literals(&self, candidate: &Candidate) -> Option<Literals> {
        self.record(candidate)?.literals.map(Literals::of_bits)
    }

    /// Returns what came of asking a program that has not changed, if that is not too long ago.
    pub(super) fn asked(&self, candidate: &Candidate, need: &Need) -> Option<&Asked> {
        self.record(candidate)?
            .asked
            .as_ref()
            .filter(|asked| is_good(asked, need))
    }

    /// Whether another file lay at this path when it was last looked at.
    pub(super) fn is_changed(&self, candidate: &Candidate) -> bool {
        let known = self.programs.get(&*candidate.path.to_string_lossy());
        known.is_some_and(|record| record.file != file_of(&candidate.identity))
    }

    /// Whether a program of this path did not end in time when it was last asked, however long ago.
    pub(super) fn is_slow(&self, candidate: &Candidate) -> bool {
        let known = self.programs.get(&*candidate.path.to_string_lossy());
        let asked = known.and_then(|record| record.asked.as_ref());
        asked.is_some_and(|asked| asked.result == Miss::TimedOut)
    }

    /// Remembers which literals stand in a program.
    pub(super) fn note_literals(&mut self, candidate: &Candidate, literals: Literals) {
        let asked = self.record(candidate).and_then(|record| record.asked.clone());
        self.put(candidate, Some(literals), asked);
    }

    /// Remembers what came of asking a program.
    pub(super) fn note_asked(&mut self, candidate: &Candidate, literals: Option<Literals>, asked: Asked) {
        let literals = literals.or_else(|| self.literals(candidate));
        self.put(candidate, literals, Some(asked));
    }

    /// Writes what was noted, beside what other scans wrote meanwhile. `seen` are all programs of this scan: what is
    /// gone is forgotten.
    ///
    /// # Errors
    /// When nothing can be written.
    pub(super) fn write(self, seen: &[Candidate]) -> Result<(), StoreError> {
        if self.changed.is_empty() {
            return Ok(());
        }
        let _lock = Lock::of(&self.path, WAIT)?;
        let mut programs = read(&self.path);
        programs.extend(self.changed);
        let paths: std::collections::HashSet<_> = seen
            .iter()
            .map(|candidate| candidate.path.to_string_lossy())
            .collect();
        programs.retain(|path, _| paths.contains(path.as_str()));
        let stored = Stored {
            literals: literals(),
            programs,
        };
        let text = serde_json::to_vec(&stored).unwrap_or_default();
        Ok(atomic::replace(
            &self.path,
            &text,
            Access::Private,
            Durability::Cached,
        )?)
    }

    fn put(&mut self, candidate: &Candidate, literals: Option<Literals>, asked: Option<Asked>) {
        let record = Record {
            file: file_of(&candidate.identity),
            literals: literals.map(Literals::bits),
            asked,
        };
        let path = candidate.path.to_string_lossy().into_owned();
        self.programs.insert(path.clone(), record.clone());
        self.changed.insert(path, record);
    }

    fn record(&self, candidate: &Candidate) -> Option<&Record> {
        let record = self.programs.get(&*candidate.path.to_string_lossy())?;
        (record.file == file_of(&candidate.identity)).then_some(record)
    }
}

fn file_of(identity: &Identity) -> (u64, u64, u64, i64, i64) {
    let Identity {
        device,
        inode,
        size,
        mtime,
        ctime,
    } = *identity;
    (device, inode, size, mtime, ctime)
}

fn is_good(asked: &Asked, need: &Need) -> bool {
    let Ok(at) = Timestamp::from_second(asked.at) else {
        return false;
    };
    let most = match asked.result {
        // More time may bring an answer.
        Miss::TimedOut if u128::from(asked.timeout) < need.timeout.as_millis() => return false,
        Miss::TimedOut => need.max_age.min(TIMED_OUT),
        Miss::Found | Miss::NotAtip | Miss::Impostor | Miss::Invalid | Miss::Failed => need.max_age,
    };
    let age = need.now.duration_since(at);
    age > -SKEW && SignedDuration::try_from(most).is_ok_and(|most| age < most)
}

/// What programs are remembered in a file. One that is not understood remembers nothing.
fn read(path: &Path) -> HashMap<String, Record> {
    let found = untrusted::read(path, &READING).ok().flatten();
    let stored = found.and_then(|found| serde_json::from_slice::<Stored>(&found.bytes).ok());
    stored
        .filter(|stored| stored.literals == literals())
        .map(|stored| stored.programs)
        .unwrap_or_default()
}

fn literals() -> Vec<String> {
    let attempts = DIALECTS.iter().flat_map(|dialect| dialect.attempts);
    attempts.map(|attempt| attempt.literal.to_owned()).collect()
}

/// A name for a list of directories.
fn key(directories: &[PathBuf]) -> String {
    let mut hasher = Hasher::default();
    for directory in directories {
        hasher.field(directory.as_os_str().as_encoded_bytes());
    }
    let digest = hasher.finish().to_string();
    let hex = digest.rsplit(':').next().unwrap_or_default();
    hex.chars().take(16).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use argrail_testkit::Home;

    use super::*;

    fn places(home: &Home) -> Places {
        let root = home.root().to_owned();
        Places::new(|name| (name == "HOME").then(|| root.join("home").into())).unwrap()
    }

    fn candidate(name: &str, size: u64) -> Candidate {
        Candidate {
            name: name.to_owned(),
            path: Path::new("/srv/bin").join(name),
            identity: Identity {
                device: 1,
                inode: 2,
                size,
                mtime: 3,
                ctime: 4,
            },
        }
    }

    fn asked(at: i64, result: Miss) -> Asked {
        Asked {
            at,
            result,
            reason: None,
            timeout: 2_000,
        }
    }

    fn need(now: i64) -> Need {
        Need {
            now: Timestamp::from_second(now).unwrap(),
            max_age: Duration::from_secs(7 * 24 * 3600),
            timeout: Duration::from_secs(2),
        }
    }

    #[test]
    fn a_memory_is_good_while_the_file_is_the_same_and_it_is_young() {
        const DAY: i64 = 24 * 3600;
        let check = |result: Miss, age: i64, good: bool| {
            assert_eq!(
                is_good(&asked(1_000_000, result), &need(1_000_000 + age)),
                good,
                "{result:?} {age}"
            );
        };
        check(Miss::NotAtip, 0, true);
        check(Miss::NotAtip, 6 * DAY, true);
        check(Miss::NotAtip, 7 * DAY, false);
        check(Miss::Invalid, 6 * DAY, true);
        check(Miss::TimedOut, DAY - 1, true);
        check(Miss::TimedOut, DAY, false);
        check(Miss::NotAtip, -60, true);
        check(Miss::NotAtip, -DAY, false); // from the future it would be good for ever
        let longer = Need {
            timeout: Duration::from_secs(3),
            ..need(1_000_000)
        };
        assert!(!is_good(&asked(1_000_000, Miss::TimedOut), &longer));
        assert!(is_good(&asked(1_000_000, Miss::NotAtip), &longer));
    }

    #[test]
    fn what_was_noted_is_read_again_and_scans_add_to_each_other() {
        let home = Home::new();
        let places = places(&home);
        let directories = [PathBuf::from("/srv/bin")];
        let (one, two, gone) = (candidate("one", 5), candidate("two", 6), candidate("gone", 7));
        let mut first = Memory::read(&places, &directories);
        let mut second = Memory::read(&places, &directories);
        first.note_asked(&one, Some(Literals::of_bits(1)), asked(1_000, Miss::NotAtip));
        first.note_asked(&gone, None, asked(1_000, Miss::NotAtip));
        second.note_literals(&two, Literals::of_bits(2));
        first.write(&[one.clone(), two.clone(), gone.clone()]).unwrap();
        second.write(&[one.clone(), two.clone()]).unwrap();
        let memory = Memory::read(&places, &directories);
        assert_eq!(
            memory.asked(&one, &need(1_000)).map(|asked| asked.result),
            Some(Miss::NotAtip)
        );
        assert_eq!(memory.literals(&one), Some(Literals::of_bits(1)));
        assert_eq!(memory.literals(&two), Some(Literals::of_bits(2)));
        assert_eq!(memory.asked(&two, &need(1_000)), None);
        assert_eq!(memory.asked(&gone, &need(1_000)), None);
        // Another file, other directories.
        assert_eq!(memory.asked(&candidate("one", 9), &need(1_000)), None);
        assert_eq!(
            Memory::read(&places, &[PathBuf::from("/srv")]).literals(&one),
            None
        );
        // A file that is not understood remembers nothing, and is written over.
        let file = memory.path.clone();
        fs::write(&file, "{").unwrap();
        let mut memory = Memory::read(&places, &directories);
        assert_eq!(memory.literals(&one), None);
        memory.note_literals(&one, Literals::of_bits(4));
        memory.write(std::slice::from_ref(&one)).unwrap();
        assert_eq!(
            Memory::read(&places, &directories).literals(&one),
            Some(Literals::of_bits(4))
        );
    }
}
