//! Which part a process of this program plays: host, launcher, prober or prover; and what a host notes of its own start.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// The name under which the launcher is started. No shell finds a program by it.
pub(crate) const LAUNCHER_NAME: &str = "argrail-sandbox-launcher";

/// The first argument of a process that tries what the machine offers, and says so.
pub(crate) const PROBER_ARGUMENT: &str = "--argrail-sandbox-prober";

/// The first argument of a process that plays a hostile program. It does nothing that whoever starts it could not.
pub(crate) const PROVER_ARGUMENT: &str = "--argrail-sandbox-prover";

/// The word after [`PROVER_ARGUMENT`] for a program that does nothing at all, and ends well.
pub(crate) const NOTHING_ATTEMPT: &str = "nothing";

/// Whether this program can be its own launcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Entered {
    /// It never said so: started again, it would be itself once more.
    Never,
    /// It did, and other threads ran by then: as a launcher it could not fork.
    TooLate,
    /// It did, first of all.
    First,
}

static ENTERED: AtomicU8 = AtomicU8::new(Entered::Never as u8);

impl Entered {
    /// Returns what became of [`enter`](crate::enter) in this process.
    pub(crate) fn here() -> Self {
        let seen = ENTERED.load(Ordering::Relaxed);
        [Self::TooLate, Self::First]
            .into_iter()
            .find(|entered| *entered as u8 == seen)
            .unwrap_or(Self::Never)
    }

    /// Notes that this process entered: first, or when other threads ran already.
    pub(crate) fn note(entered: Self) {
        ENTERED.store(entered as u8, Ordering::Relaxed);
    }
}

/// As many files as this program was given at its start; 0 when that was no limit, or nobody raised it.
static INHERITED_OPEN_FILES: AtomicU64 = AtomicU64::new(0);

/// Returns how many files this program might have opened before it raised that for itself.
pub(crate) fn inherited_open_files() -> Option<u64> {
    Some(INHERITED_OPEN_FILES.load(Ordering::Relaxed)).filter(|count| *count > 0)
}

/// A host of many children holds a dozen descriptors for each: it takes as many as it may.
pub(crate) fn keep_open_files() {
    let limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum {
        INHERITED_OPEN_FILES.store(limit.current.unwrap_or_default(), Ordering::Relaxed);
        raise_open_files();
    }
}

/// Each mount is an open file until it has its place, and there may be many. The program gets a limit of its own.
pub(super) fn raise_open_files() {
    let limit = getrlimit(Resource::Nofile);
    let most = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    // Without it, fewer mounts are possible, and the one too many is refused.
    let _ = setrlimit(Resource::Nofile, most);
}
