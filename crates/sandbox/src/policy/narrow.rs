//! The policy that two policies have in common.
//!
//! Of two entries, the one that is within the other is kept. Two that only overlap are both dropped: nothing
//! is granted that cannot be shown to be in both.

use super::path::ComparisonBudget;
use super::{HostPattern, PathPattern, Policy};

impl Policy {
    /// Returns what both policies grant: it is within each of them.
    ///
    /// What either denies is denied. Variables that are set are set, and where both name one, `by` has its
    /// way.
    #[must_use]
    pub fn narrow(&self, by: &Self) -> Self {
        let budget = ComparisonBudget::of_policies();
        let is_within = |inner: &PathPattern, outer: &PathPattern| inner.is_within_for(outer, &budget);
        let write = common(self.write.iter(), by.write.iter(), &is_within);
        let readable = |policy: &Self| {
            policy
                .read
                .iter()
                .chain(&policy.write)
                .cloned()
                .collect::<Vec<_>>()
        };
        let mut read = common(readable(self).iter(), readable(by).iter(), &is_within);
        read.retain(|path| !write.iter().any(|written| is_within(path, written)));
        let mut env_set = self.env_set.clone();
        env_set.extend(by.env_set.clone());
        Self {
            read,
            write,
            deny: both(&self.deny, &by.deny, &is_within),
            egress: common(self.egress.iter(), by.egress.iter(), &HostPattern::is_within),
            ingress: common(self.ingress.iter(), by.ingress.iter(), &PartialEq::eq),
            exec: self.exec.narrow(&by.exec),
            env_pass: common(self.env_pass.iter(), by.env_pass.iter(), &PartialEq::eq),
            env_set,
            tty: self.tty && by.tty,
            local_network: self.local_network && by.local_network,
            limits: self.limits.narrow(&by.limits),
            notes: both(&self.notes, &by.notes, &PartialEq::eq),
        }
    }
}

/// Returns the entries of each side that are within one of the other, without those that add nothing.
fn common<'a, T: Clone + 'a>(
    one: impl Iterator<Item = &'a T> + Clone,
    other: impl Iterator<Item = &'a T> + Clone,
    is_within: &dyn Fn(&T, &T) -> bool,
) -> Vec<T> {
    let mut kept: Vec<T> = Vec::new();
    let sides = one
        .clone()
        .filter(|entry| other.clone().any(|outer| is_within(entry, outer)))
        .chain(
            other
                .clone()
                .filter(|entry| one.clone().any(|outer| is_within(entry, outer))),
        );
    for entry in sides {
        add(&mut kept, entry, is_within);
    }
    kept
}

/// Returns the entries of both sides, without those that add nothing.
fn both<T: Clone>(one: &[T], other: &[T], is_within: &dyn Fn(&T, &T) -> bool) -> Vec<T> {
    let mut kept = Vec::new();
    for entry in one.iter().chain(other) {
        add(&mut kept, entry, is_within);
    }
    kept
}

/// Adds an entry that none of the kept ones covers. What is kept stays: the next entry may rely on it.
fn add<T: Clone>(kept: &mut Vec<T>, entry: &T, is_within: &dyn Fn(&T, &T) -> bool) {
    if !kept.iter().any(|outer| is_within(entry, outer)) {
        kept.push(entry.clone());
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::policy::{Anchors, EnvName, Exec, Program};

    fn paths(texts: &[&str]) -> Vec<PathPattern> {
        let anchors = Anchors::new("/h", "/w").unwrap();
        texts
            .iter()
            .map(|text| PathPattern::parse("fs", text, &anchors).unwrap())
            .collect()
    }

    fn texts(patterns: &[PathPattern]) -> Vec<&str> {
        patterns.iter().map(PathPattern::text).collect()
    }

    #[test]
    fn files_are_those_of_both() {
        fn check(one: [&[&str]; 2], other: [&[&str]; 2], expected: [&[&str]; 2]) {
            let policy = |[read, write]: [&[&str]; 2]| Policy {
                read: paths(read),
                write: paths(write),
                ..Policy::closed()
            };
            let narrowed = policy(one).narrow(&policy(other));
            assert_eq!([texts(&narrowed.read), texts(&narrowed.write)], expected);
        }
        check([&["/a/**"], &[]], [&["/a/b/**", "/c"], &[]], [&["/a/b/**"], &[]]);
        check([&["/a/**"], &[]], [&[], &["/a/b"]], [&["/a/b"], &[]]); // what may be written may be read
        check([&[], &["/a/**"]], [&[], &["/a/**"]], [&[], &["/a/**"]]);
        check([&["/a*"], &[]], [&["/*b"], &[]], [&[], &[]]);
        check([&[], &["/a/**"]], [&[], &[]], [&[], &[]]);
    }

    #[test]
    fn denials_add_up_and_settings_go_to_the_narrower() {
        let name = EnvName::parse_set("env", "A").unwrap();
        let one = Policy::closed()
            .deny(PathPattern::tree(Path::new("/a")))
            .exec(Exec::Any)
            .env_set(name.clone(), "1")
            .tty()
            .note("n");
        let git = Exec::List(vec![Program::parse("exec", "git").unwrap()]);
        let other = Policy {
            deny: paths(&["/a/b", "/c"]),
            ..Policy::closed()
                .exec(git.clone())
                .env_set(name.clone(), "2")
                .note("n")
        };
        let narrowed = one.narrow(&other);
        assert_eq!(texts(&narrowed.deny), ["/a/**", "/c"]);
        assert_eq!(narrowed.exec, git);
        assert_eq!(narrowed.env_set.get(&name).map(String::as_str), Some("2"));
        assert_eq!((narrowed.tty, narrowed.notes.len()), (false, 1));
    }
}
