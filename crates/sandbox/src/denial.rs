//! What a child was refused while it ran, so that an error can teach.
//!
//! A hostile child can be refused a million times: the list is short, without repeats, and says when it is full.

use std::sync::{Arc, Mutex, PoisonError};

/// Which of a confined child's vain tries the report has, although the child says nothing of them.
///
/// Programs and connections are always seen; changes of files where nothing may be written, and neither where anything
/// may be started. Seeing costs some microseconds for each try, and nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ReportLevel {
    /// Programs, connections and changes of files.
    #[default]
    Writes,
    /// Also, where nothing may be written, that it would read a file which it is not shown and whose rights keep other
    /// users from it: a key. This costs something for each file that is opened by its path.
    Reads,
}

/// How many different refusals are kept.
const MAX_DENIALS: usize = 64;

/// How much of a target is kept, in characters.
const MAX_TARGET_CHARS: usize = 256;

/// What was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DenialKind {
    /// A path; whether it was to be read or changed is not known.
    Fs,
    /// A path that it would have read.
    FsRead,
    /// A path that it would have made, changed or removed.
    FsWrite,
    /// A host, an address, a name.
    Net,
    /// A program.
    Exec,
    /// A system call.
    Syscall,
}

impl DenialKind {
    /// Returns the name that reports use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fs | Self::FsRead | Self::FsWrite => "fs",
            Self::Net => "net",
            Self::Exec => "exec",
            Self::Syscall => "syscall",
        }
    }
}

/// How a refusal is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Evidence {
    /// It was seen, and the child said nothing of it.
    Seen,
    /// It was seen, and the child spoke of it.
    SeenAndSaid,
    /// It was concluded from what the child said.
    Concluded,
    /// It was seen, and may not have been meant: many open a file for reading and writing first, and then for reading,
    /// which is all they want.
    Suspected,
}

impl Evidence {
    /// Returns what both together are.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::SeenAndSaid, _)
            | (_, Self::SeenAndSaid)
            | (Self::Seen | Self::Suspected, Self::Concluded)
            | (Self::Concluded, Self::Seen | Self::Suspected) => Self::SeenAndSaid,
            (Self::Seen, Self::Seen | Self::Suspected) | (Self::Suspected, Self::Seen) => Self::Seen,
            (Self::Suspected, Self::Suspected) => Self::Suspected,
            (Self::Concluded, Self::Concluded) => Self::Concluded,
        }
    }
}

/// One thing that was refused.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Denial {
    /// What kind of act was refused.
    pub kind: DenialKind,
    /// The path, host, program or system call. Foreign text.
    pub target: String,
    /// How the refusal is known.
    pub evidence: Evidence,
}

impl Denial {
    /// Whether this was concluded rather than seen.
    pub fn inferred(&self) -> bool {
        match self.evidence {
            Evidence::Seen | Evidence::SeenAndSaid => false,
            Evidence::Concluded | Evidence::Suspected => true,
        }
    }

    /// Whether this is a file of which the child said nothing. Programs try many that they do without.
    pub fn is_silent_file(&self) -> bool {
        let of_a_file = match self.kind {
            DenialKind::Fs | DenialKind::FsRead | DenialKind::FsWrite => true,
            DenialKind::Net | DenialKind::Exec | DenialKind::Syscall => false,
        };
        match self.evidence {
            Evidence::Seen | Evidence::Suspected => of_a_file,
            Evidence::SeenAndSaid | Evidence::Concluded => false,
        }
    }
}

/// The refusals of one child, collected from many threads.
#[derive(Debug, Clone, Default)]
pub struct Denials {
    seen: Arc<Mutex<Vec<Denial>>>,
}

impl Denials {
    /// Notes what was seen to be refused.
    pub fn saw(&self, kind: DenialKind, target: &str) {
        self.note(kind, target, Evidence::Seen);
    }

    /// Notes what seems to have been refused.
    pub fn inferred(&self, kind: DenialKind, target: &str) {
        self.note(kind, target, Evidence::Concluded);
    }

    /// Notes what was seen and may not have been meant.
    pub(crate) fn suspected(&self, kind: DenialKind, target: &str) {
        self.note(kind, target, Evidence::Suspected);
    }

    /// Gives names to what was seen as `unnamed`: what was concluded of the same kind is what was seen, and if anything
    /// has a name, the unnamed is gone.
    pub(crate) fn name(&self, kind: DenialKind, unnamed: &str) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let is_unnamed = |denial: &Denial| denial.kind == kind && denial.target == unnamed;
        let named = |denial: &Denial| denial.kind == kind && denial.target != unnamed;
        if !seen.iter().any(named) {
            return;
        }
        let was_seen = seen.iter().any(|denial| is_unnamed(denial) && !denial.inferred());
        seen.retain(|denial| !is_unnamed(denial));
        let concluded = seen
            .iter_mut()
            .filter(|denial| denial.kind == kind && denial.inferred());
        if was_seen {
            concluded.for_each(|denial| denial.evidence = Evidence::SeenAndSaid);
        }
    }

    /// Returns what was refused so far, in order.
    pub fn list(&self) -> Vec<Denial> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, kind: DenialKind, target: &str, evidence: Evidence) {
        let target: String = target.chars().take(MAX_TARGET_CHARS).collect();
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let known = |denial: &Denial| denial.kind.as_str() == kind.as_str() && denial.target == target;
        if let Some(known) = seen.iter_mut().find(|denial| known(denial)) {
            known.evidence = known.evidence.and(evidence);
            if known.kind == DenialKind::Fs {
                known.kind = kind;
            }
        } else if seen.len() < MAX_DENIALS {
            seen.push(Denial {
                kind,
                target,
                evidence,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_and_floods_are_not_kept() {
        let denials = Denials::default();
        denials.saw(DenialKind::Net, "evil.test");
        denials.inferred(DenialKind::Net, "evil.test");
        assert_eq!(denials.list().len(), 1);
        for number in 0..1_000 {
            denials.saw(DenialKind::Fs, &format!("/{number}"));
        }
        denials.saw(DenialKind::Exec, &"x".repeat(10_000));
        assert_eq!(denials.list().len(), MAX_DENIALS);
        assert!(
            denials
                .list()
                .iter()
                .all(|denial| denial.target.len() <= MAX_TARGET_CHARS)
        );
    }

    #[test]
    fn what_is_seen_counts_more_than_what_is_concluded() {
        let check = |noted: &[Evidence], expected| {
            let denials = Denials::default();
            for evidence in noted {
                match evidence {
                    Evidence::Concluded => denials.inferred(DenialKind::Fs, "/srv/x"),
                    Evidence::Suspected => denials.suspected(DenialKind::FsWrite, "/srv/x"),
                    Evidence::Seen | Evidence::SeenAndSaid => denials.saw(DenialKind::FsWrite, "/srv/x"),
                }
            }
            let [denial] = &denials.list()[..] else {
                panic!("one path, one refusal");
            };
            assert_eq!((denial.kind, denial.evidence), expected, "{noted:?}");
        };
        use Evidence::{Concluded, Seen, SeenAndSaid, Suspected};
        check(&[Suspected, Seen], (DenialKind::FsWrite, Seen));
        check(&[Suspected, Concluded], (DenialKind::FsWrite, SeenAndSaid));
        check(&[Suspected, Suspected], (DenialKind::FsWrite, Suspected));
        check(&[Seen, Seen], (DenialKind::FsWrite, Seen));
        check(&[Seen, Concluded], (DenialKind::FsWrite, SeenAndSaid));
        check(&[Concluded, Seen], (DenialKind::FsWrite, SeenAndSaid));
        check(&[Concluded, Concluded], (DenialKind::Fs, Concluded));
        check(&[Seen, Concluded, Seen], (DenialKind::FsWrite, SeenAndSaid));
    }

    #[test]
    fn what_has_a_name_takes_the_place_of_what_has_none() {
        let check = |seen: &[&str], said: &[&str], expected: &[(&str, Evidence)]| {
            let denials = Denials::default();
            seen.iter()
                .for_each(|target| denials.saw(DenialKind::Net, target));
            said.iter()
                .for_each(|target| denials.inferred(DenialKind::Net, target));
            denials.name(DenialKind::Net, "somebody");
            let list = denials.list();
            let list: Vec<_> = list
                .iter()
                .map(|denial| (denial.target.as_str(), denial.evidence))
                .collect();
            assert_eq!(list, expected, "{seen:?} {said:?}");
        };
        use Evidence::{Concluded, Seen, SeenAndSaid};
        check(&[], &[], &[]);
        check(&["somebody"], &[], &[("somebody", Seen)]);
        check(&["somebody"], &["a.test"], &[("a.test", SeenAndSaid)]);
        check(&["192.0.2.1:80"], &["somebody"], &[("192.0.2.1:80", Seen)]);
        check(&[], &["a.test", "somebody"], &[("a.test", Concluded)]);
    }
}
