//! Who runs this, and who the child is to be.

use std::fs;

/// The plain user that a child of the machine's root becomes. Nobody is given this number.
const PLAIN_UID: u32 = 60_990;

/// The user that runs the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HostIdentity {
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    /// Whether that is root of the whole machine, and not of a container that maps it to somebody else.
    pub(crate) machine_root: bool,
}

impl HostIdentity {
    /// Asks the system who this process is.
    pub(crate) fn current() -> Self {
        let uid = rustix::process::geteuid().as_raw();
        Self {
            uid,
            gid: rustix::process::getegid().as_raw(),
            machine_root: uid == 0
                && fs::read_to_string("/proc/self/uid_map").is_ok_and(|map| is_whole(&map)),
        }
    }

    /// The user and group that a child is: ourselves, or a plain user in the place of root.
    pub(crate) fn child(self) -> (u32, u32) {
        if self.machine_root {
            (PLAIN_UID, PLAIN_UID)
        } else {
            (self.uid, self.gid)
        }
    }
}

/// Whether a map of users is the one that changes nothing, which only the machine's own namespace has.
fn is_whole(map: &str) -> bool {
    map.split_whitespace().eq(["0", "0", "4294967295"])
}
