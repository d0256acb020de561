//! Programs that are never started: a few of ours, and what the configuration names.
//!
//! Ours have one job, and that is to end or overwrite the machine. The sandbox would keep them from it; but none of
//! them will ever describe itself, so starting them could only go wrong.

use std::path::Path;

use argrail_sandbox::Refusal;
use argrail_sandbox::policy::{Anchors, PathPattern};

const NEVER: &[&str] = &[
    "halt",
    "init",
    "kexec",
    "mkfs*",
    "mkswap",
    "poweroff",
    "reboot",
    "runlevel",
    "shutdown",
    "switch_root",
    "telinit",
];

/// The names that are skipped.
#[derive(Debug, Clone)]
pub struct SkipList {
    ours: Vec<PathPattern>,
    theirs: Vec<PathPattern>,
}

impl SkipList {
    /// Reads names with `*`, `?`, `[ab]` and `{a,b}` from the configuration, and adds ours.
    ///
    /// # Errors
    /// The first that is no pattern of names.
    pub fn new<S: AsRef<str>>(configured: &[S]) -> Result<Self, Refusal> {
        // A name is a path of one step: one automaton for both, that never backtracks.
        let anchors = Anchors::new("/", "/")?;
        let read = |field: &str, name: &str| {
            if name.is_empty() || name.contains('/') {
                let reason = "the name of a program is wanted";
                return Err(Refusal::new(
                    field,
                    name,
                    reason,
                    "Give the name of the program alone",
                ));
            }
            PathPattern::parse(field, &format!("/{name}"), &anchors)
        };
        let theirs = configured
            .iter()
            .enumerate()
            .map(|(index, name)| read(&format!("skip[{index}]"), name.as_ref()));
        Ok(Self {
            ours: NEVER
                .iter()
                .map(|name| read("skip", name))
                .collect::<Result<_, _>>()?,
            theirs: theirs.collect::<Result<_, _>>()?,
        })
    }

    /// Says why a program of this name is not started, if it is not.
    pub fn reason(&self, name: &str) -> Option<&'static str> {
        let path = Path::new("/").join(name);
        let any = |list: &[PathPattern]| list.iter().any(|pattern| pattern.matches(&path));
        if any(&self.theirs) {
            return Some("the configuration skips it");
        }
        any(&self.ours).then_some("it ends or overwrites machines, and is never started to ask")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_globs_are_skipped() {
        let list = SkipList::new(&["old-*", "x?", "{a,b}.sh"]).unwrap();
        for name in ["reboot", "mkfs", "mkfs.ext4", "old-thing", "xy", "b.sh"] {
            assert!(list.reason(name).is_some(), "{name}");
        }
        for name in ["rebooter", "git", "old", "x", "xyz", "c.sh", "[", "g++"] {
            assert_eq!(list.reason(name), None, "{name}");
        }
        assert_eq!(SkipList::new(&["bin/x"]).unwrap_err().field, "skip[0]");
        assert_eq!(SkipList::new(&["ok", ""]).unwrap_err().field, "skip[1]");
    }
}
