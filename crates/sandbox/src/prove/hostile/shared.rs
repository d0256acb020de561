//! Harming others through a file that may only be read: halting whoever writes it, following what they do.

use std::fs::File;
use std::io;

use rustix::fs::{FlockOperation, fcntl_lock, flock};

use super::super::attempt::{ActResults, AttemptPolicy, EscapeAttempt, HostileAct, allowed};
use super::super::facts::GroundFacts;
use crate::sys::hostile;

pub(super) const ATTEMPTS: &[EscapeAttempt] = &[
    EscapeAttempt {
        name: "stall-writers",
        attempted: "halt whoever writes a file, by a lease on it",
        setting: AttemptPolicy::Files,
        run: stall_writers,
    },
    EscapeAttempt {
        name: "follow-writers",
        attempted: "be told by a signal what others do in a directory",
        setting: AttemptPolicy::Files,
        run: |facts| {
            let directory = allowed("open a directory", File::open(facts.work()))?;
            Ok(vec![HostileAct::new(
                "F_NOTIFY",
                hostile::note_changes(directory),
            )])
        },
    },
];

fn stall_writers(facts: &GroundFacts) -> ActResults {
    let file = allowed("open a file", File::open(facts.readme()))?;
    // Databases and package managers cannot do without.
    allowed("lock it as a whole", lock_whole(&file))?;
    allowed("lock a part of it", lock_part(facts))?;
    Ok(vec![
        HostileAct::new("F_SETLEASE", hostile::take_lease(&file)),
        HostileAct::new("F_SETDELEG", hostile::take_delegation(&file)),
    ])
}

fn lock_whole(file: &File) -> io::Result<()> {
    flock(file, FlockOperation::LockShared)?;
    Ok(flock(file, FlockOperation::Unlock)?)
}

fn lock_part(facts: &GroundFacts) -> io::Result<()> {
    // Locks of this kind go with any descriptor of the file that is closed.
    let file = File::open(facts.readme())?;
    Ok(fcntl_lock(file, FlockOperation::LockShared)?)
}
