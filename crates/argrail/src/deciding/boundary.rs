//! Whether an answer has to come from a person, seen from whoever asks: could a program that was started like this one
//! give it itself?
//!
//! Answers are rows of a file. Whoever may write the file, or put another in its place, can make them; terminals, codes
//! and tokens only keep such a program from doing so by accident. Where clients answer for a person, they can, too.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, AtFlags, CWD, accessat};

use super::client_answers::ClientAnswers;
use super::user;

/// How far answers can be believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Boundary {
    /// Whether the system keeps this user from answering.
    pub(crate) hold: Hold,
    /// Why it is so.
    pub(crate) why: String,
    /// What would make it real; nothing where it is.
    pub(crate) fix: Option<&'static str>,
}

/// Who keeps programs from answering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hold {
    /// The system: they may not write where answers are.
    Enforced,
    /// Nobody: they are asked not to.
    Advisory,
}

impl Hold {
    /// Returns the word for it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Enforced => "enforced",
            Self::Advisory => "advisory",
        }
    }
}

const FIX: &str = "run agents as another user than the one who decides, and let them reach argrail through serve; \
    docs/deciding.md shows how";

const SWITCH_OFF: &str = "start serve without --elicitation, and take elicitation out of config.json: then only a terminal and \
    tokens answer";

/// Looks at the directory of our state, as the process that runs this, and at who may answer for a person.
pub(crate) fn boundary(state: &Path, clients: &ClientAnswers) -> Boundary {
    let files = by_files(state);
    let ClientAnswers::Count(why) = clients else {
        return files;
    };
    match files.hold {
        Hold::Enforced => Boundary {
            hold: Hold::Advisory,
            why: format!("{why}; such an answer is worth what the client is worth"),
            fix: Some(SWITCH_OFF),
        },
        Hold::Advisory => Boundary {
            why: format!("{}; and {why}", files.why),
            ..files
        },
    }
}

/// Whether the system keeps this user from writing answers.
fn by_files(state: &Path) -> Boundary {
    let us = rustix::process::geteuid().as_raw();
    let name = user::name();
    if us == 0 {
        return advisory(format!(
            "{name} may write every file, so every program of {name} can answer"
        ));
    }
    let existing = nearest(state);
    let owner = existing.metadata().map(|found| found.uid());
    let writable = |path: &Path| accessat(CWD, path, Access::WRITE_OK, AtFlags::EACCESS).is_ok();
    let store = state.join("store.db");
    let place = existing.display();
    if owner.is_ok_and(|owner| owner == us) {
        return advisory(format!(
            "{place} belongs to {name}, so every program of {name} can answer"
        ));
    }
    if writable(&existing) || writable(&store) {
        return advisory(format!(
            "{name} may write to {place}, so every program of {name} can answer"
        ));
    }
    Boundary {
        hold: Hold::Enforced,
        why: format!("answers are kept in {place}, where {name} may not write"),
        fix: None,
    }
}

fn advisory(why: String) -> Boundary {
    Boundary {
        hold: Hold::Advisory,
        why,
        fix: Some(FIX),
    }
}

/// The directory, or the nearest one above it that is there: whoever may write there can make it.
fn nearest(state: &Path) -> PathBuf {
    let there = state.ancestors().find(|path| path.symlink_metadata().is_ok());
    there.unwrap_or(Path::new("/")).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_directory_counts() {
        assert_eq!(nearest(Path::new("/no-such-place/state/argrail")), Path::new("/"));
        let here = std::env::temp_dir();
        assert_eq!(nearest(&here.join("no-such-place/x")), here);
    }

    #[test]
    fn whoever_may_write_the_state_is_advised_only() {
        let here = std::env::temp_dir();
        let found = boundary(&here.join("no-such-place"), &ClientAnswers::Ignored);
        assert_eq!(found.hold, Hold::Advisory, "{found:?}");
        assert!(found.fix.is_some());
        let both = boundary(&here.join("no-such-place"), &ClientAnswers::Count("clients do"));
        assert_eq!(both.why, format!("{}; and clients do", found.why));
    }
}
