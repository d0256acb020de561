//! Programs that are never started: a few of ours, and what the configuration names.
//!
//! Ours have one job, and that is to end or overwrite the machine. The sandbox would keep them from it; but none of
//! them will ever describe itself, so starting them could only go wrong.

use argrail_spec::config::Glob;

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
    ours: Vec<Glob>,
    theirs: Vec<Glob>,
}

impl SkipList {
    /// Adds what the configuration names to ours.
    pub fn new(configured: &[Glob]) -> Self {
        Self {
            ours: NEVER.iter().filter_map(|name| Glob::new(name)).collect(),
            theirs: configured.to_vec(),
        }
    }

    /// Says why a program of this name is not started, if it is not.
    pub fn reason(&self, name: &str) -> Option<&'static str> {
        let any = |list: &[Glob]| list.iter().any(|glob| glob.matches(name));
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
        let configured = ["old-*", "x?"].map(|glob| Glob::new(glob).unwrap());
        let list = SkipList::new(&configured);
        assert_eq!(list.ours.len(), NEVER.len());
        for name in ["reboot", "mkfs", "mkfs.ext4", "old-thing", "xy"] {
            assert!(list.reason(name).is_some(), "{name}");
        }
        for name in ["rebooter", "git", "old", "x", "xyz", "[", "g++"] {
            assert_eq!(list.reason(name), None, "{name}");
        }
    }
}
