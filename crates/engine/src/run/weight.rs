//! What a refusal means for a call that was refused something: nothing much, the reason for a failure, or a lie.
//!
//! The rule is short. Who only says of itself what it does, and is seen to try what it does not say, fails, whatever
//! exit code it has. A description that somebody vouches for is not made a lie by a program's habits: of a file that the
//! program itself says nothing of, the answer tells in passing. A program that was seen to start another in vain did not do
//! what it was called for, unless the other is one that everybody can do without. One that could not even fork counts as
//! such: what it would have started, nobody knows, so nobody can say that it is not missed.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use argrail_sandbox::{Denial, Evidence};
use argrail_spec::atip::Effects;
use serde_json::Value;

use super::tried::Act;
use crate::policy::{Basis, Facts};
use crate::profile::Profile;

/// How much a refusal weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// A file that the program seems to do without. It is told in passing.
    Aside,
    /// Why it failed, if it did; else worth a word.
    Reason,
    /// A program that it hands work to was not started, so the work is not done, whatever exit code it has: wrappers and
    /// shims end with 0 all the same.
    Undone,
    /// More than its own description says: it fails.
    Lie,
}

/// Returns what a refusal weighs.
pub(super) fn weigh(denial: &Denial, act: Act, facts: &Facts, profile: &Profile) -> Weight {
    let path = Path::new(&denial.target);
    let seen = match denial.evidence {
        Evidence::Seen | Evidence::SeenAndSaid => true,
        Evidence::Concluded | Evidence::Suspected => false,
    };
    let home = profile.anchors.home();
    let lies = seen
        && any(facts, &|facts| facts.basis == Basis::Claimed)
        && !any(facts, &|facts| declares(&facts.invoked.effects, act, path, home));
    match (lies, denial.is_silent_file()) {
        (true, true) if is_habit(act, path, home) => Weight::Aside,
        (true, _) => Weight::Lie,
        (false, true) => Weight::Aside,
        (false, false) if seen && act == Act::Start && !is_optional(path) => Weight::Undone,
        (false, false) => Weight::Reason,
    }
}

/// Programs that others start to show something nicely or to learn a word about the machine, and do without: pagers,
/// settings of a terminal, names of the system. None of them does any work for whoever called.
const OPTIONAL: &[&str] = &[
    "arch",
    "getconf",
    "hostname",
    "infocmp",
    "ldconfig",
    "less",
    "locale",
    "lsb_release",
    "more",
    "most",
    "nproc",
    "pager",
    "resize",
    "stty",
    "tput",
    "tty",
    "uname",
];

fn is_optional(program: &Path) -> bool {
    let name = program.file_name().and_then(OsStr::to_str);
    name.is_some_and(|name| OPTIONAL.binary_search(&name).is_ok())
}

/// Whether something holds of a call or one inside it.
fn any(facts: &Facts, holds: &dyn Fn(&Facts) -> bool) -> bool {
    holds(facts) || facts.inner.iter().any(|inner| any(inner, holds))
}

/// Whether a description says that such a thing is done, be it granted or not.
fn declares(effects: &Effects, act: Act, path: &Path, home: &Path) -> bool {
    let files = effects.filesystem.as_ref();
    match act {
        Act::Read => {
            let paths = files.and_then(|files| files.paths.as_deref()).unwrap_or_default();
            let own = ["x-reads", "x-secrets"].into_iter();
            let own = own.filter_map(|key| effects.extra.get(key)?.as_array());
            let own = own.flatten().filter_map(Value::as_str);
            let mut named = paths.iter().map(String::as_str).chain(own);
            named.any(|text| path.starts_with(whole(text, home)))
        }
        Act::Write => files.is_some_and(|files| files.write == Some(true) || files.delete == Some(true)),
        Act::Connect => effects.network == Some(true),
        Act::Start => effects.subprocess == Some(true) || effects.extra.contains_key("x-exec"),
        Act::Call => false,
    }
}

/// A declared path from the root, without the stars at its end.
fn whole(text: &str, home: &Path) -> PathBuf {
    let text = text.trim_end_matches(['*', '/']);
    match text.strip_prefix("~/") {
        Some(rest) => home.join(rest),
        None => PathBuf::from(text),
    }
}

/// Whether programs write there without being asked, and without being missed: caches.
fn is_habit(act: Act, path: &Path, home: &Path) -> bool {
    let cache = path.starts_with(home.join(".cache")) || path.iter().any(|part| part == "__pycache__");
    act == Act::Write && cache
}

#[cfg(test)]
mod tests {
    use argrail_spec::atip::Filesystem;
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_declared_is_no_lie() {
        let home = Path::new("/data/user");
        let check = |effects: &Effects, act, target: &str, expected| {
            let declared = declares(effects, act, Path::new(target), home);
            assert_eq!(declared, expected, "{act:?} {target}");
        };
        let silent = Effects::default();
        let mut loud = Effects {
            network: Some(true),
            subprocess: Some(true),
            filesystem: Some(Filesystem {
                write: Some(true),
                paths: Some(vec!["/srv/data/**".into()]),
                ..Filesystem::default()
            }),
            ..Effects::default()
        };
        loud.extra.insert("x-reads".into(), json!(["~/.tool/key"]));
        for (act, target) in [
            (Act::Write, "/srv/x"),
            (Act::Connect, "192.0.2.1:80"),
            (Act::Start, "/bin/sh"),
            (Act::Read, "/srv/data/x"),
            (Act::Read, "/data/user/.tool/key"),
        ] {
            check(&silent, act, target, false);
            check(&loud, act, target, true);
        }
        check(&loud, Act::Read, "/data/user/.ssh/key", false);
        check(&loud, Act::Call, "ptrace", false);
    }

    #[test]
    fn only_what_does_no_work_is_optional() {
        assert!(OPTIONAL.is_sorted());
        assert!(is_optional(Path::new("/usr/bin/uname")) && is_optional(Path::new("less")));
        for program in ["/data/user/.cargo/bin/cargo", "/usr/bin/unames", "git", "", "/"] {
            assert!(!is_optional(Path::new(program)), "{program}");
        }
    }

    #[test]
    fn caches_are_a_habit() {
        let home = Path::new("/data/user");
        let check = |act, target: &str, expected| {
            assert_eq!(
                is_habit(act, Path::new(target), home),
                expected,
                "{act:?} {target}"
            );
        };
        check(Act::Write, "/data/user/.cache/tool/x", true);
        check(Act::Write, "/srv/project/__pycache__/x.pyc", true);
        check(Act::Write, "/data/user/.cached", false);
        check(Act::Write, "/srv/project/x", false);
        check(Act::Read, "/data/user/.cache/key", false);
    }
}
