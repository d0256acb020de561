//! Harming others through a file that may only be read: halting whoever writes it, following what they do.

use std::fs::File;
use std::io;

use rustix::fs::{FlockOperation, fcntl_lock, flock};

use super::super::attempt::{Act, Acts, Attempt, Setting, allowed};
use super::super::facts::Facts;
use crate::sys::hostile;

pub(super) const ATTEMPTS: &[Attempt] = &[
    Attempt {
        name: "stall-writers",
        attempted: "halt whoever writes a file, by a lease on it",
        setting: Setting::Files,
        run: stall_writers,
    },
    Attempt {
        name: "follow-writers",
        attempted: "be told by a signal what others do in a directory",
        setting: Setting::Files,
        run: |facts| {
            let directory = allowed("open a directory", File::open(facts.work()))?;
            Ok(vec![Act::new("F_NOTIFY", hostile::note_changes(directory))])
        },
    },
];

fn stall_writers(facts: &Facts) -> Acts {
    let file = allowed("open a file", File::open(facts.readme()))?;
    // Databases and package managers cannot do without.
    allowed("lock it as a whole", lock_whole(&file))?;
    allowed("lock a part of it", lock_part(facts))?;
    Ok(vec![
        Act::new("F_SETLEASE", hostile::take_lease(&file)),
        Act::new("F_SETDELEG", hostile::take_delegation(&file)),
    ])
}

fn lock_whole(file: &File) -> io::Result<()> {
    flock(file, FlockOperation::LockShared)?;
    Ok(flock(file, FlockOperation::Unlock)?)
}

fn lock_part(facts: &Facts) -> io::Result<()> {
    // Locks of this kind go with any descriptor of the file that is closed.
    let file = File::open(facts.readme())?;
    Ok(fcntl_lock(file, FlockOperation::LockShared)?)
}
