//! The steps of a launch by name, so that a failure says which feature of the machine is missing.

use std::io;

use serde::{Deserialize, Serialize};

/// A step of the launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum LaunchStage {
    Order,
    Descriptors,
    Identity,
    OwnerMap,
    UserNamespace,
    Namespaces,
    IdMap,
    Source,
    NewRoot,
    Node,
    Attach,
    Proc,
    Terminal,
    Pivot,
    Network,
    Capabilities,
    NoNewPrivileges,
    Session,
    Limits,
    Program,
    Landlock,
    Seccomp,
    Verify,
    Exec,
    Fork,
}

impl LaunchStage {
    /// Returns the feature of the machine that this step needs, when it is one that machines lack.
    pub(crate) fn feature(self) -> Option<&'static str> {
        match self {
            Self::UserNamespace | Self::IdMap => Some("user namespaces"),
            Self::Namespaces => Some("namespaces"),
            Self::OwnerMap => Some("id-mapped mounts"),
            Self::NewRoot | Self::Pivot => Some("mounts in a user namespace"),
            Self::Proc => Some("a fresh /proc"),
            Self::Terminal => Some("a devpts of its own"),
            Self::Network => Some("a network namespace"),
            Self::Landlock => Some("landlock"),
            Self::Seccomp => Some("seccomp"),
            Self::Order
            | Self::Descriptors
            | Self::Identity
            | Self::Source
            | Self::Node
            | Self::Attach
            | Self::Capabilities
            | Self::NoNewPrivileges
            | Self::Session
            | Self::Limits
            | Self::Program
            | Self::Verify
            | Self::Exec
            | Self::Fork => None,
        }
    }

    /// Returns what is being done, for "cannot …".
    pub(crate) fn act(self) -> &'static str {
        match self {
            Self::Order => "read the order",
            Self::Descriptors => "close inherited descriptors",
            Self::Identity => "become a plain user",
            Self::OwnerMap => "map the owner of",
            Self::UserNamespace => "make a user namespace",
            Self::Namespaces => "make namespaces",
            Self::IdMap => "map the user",
            Self::Source => "open",
            Self::NewRoot => "make a new root",
            Self::Node => "make in the new root",
            Self::Attach => "mount",
            Self::Proc => "mount /proc",
            Self::Terminal => "make a terminal",
            Self::Pivot => "change the root",
            Self::Network => "set up the network",
            Self::Capabilities => "drop capabilities",
            Self::NoNewPrivileges => "give up new privileges",
            Self::Session => "start a session",
            Self::Limits => "set limits",
            Self::Program => "open the program",
            Self::Landlock => "restrict files with Landlock",
            Self::Seccomp => "install the filter of system calls",
            Self::Verify => "see every restriction in force",
            Self::Exec => "start the program",
            Self::Fork => "fork",
        }
    }
}

/// A step that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LaunchFailure {
    pub(crate) stage: LaunchStage,
    /// The system's error number, zero when it was none.
    pub(crate) error: i32,
    /// The path or thing that it was about.
    pub(crate) about: String,
}

/// How much of the thing that a failure is about is told. A failure travels as one packet, and a path of which every
/// byte has to be replaced would take three times its length.
const MAX_ABOUT_BYTES: usize = 4096;

impl LaunchFailure {
    /// Says which step failed, how, and with what.
    pub(crate) fn new(stage: LaunchStage, error: &io::Error, about: &[u8]) -> Self {
        let mut about = String::from_utf8_lossy(about).into_owned();
        if about.len() > MAX_ABOUT_BYTES {
            about.truncate(about.floor_char_boundary(MAX_ABOUT_BYTES));
            about.push('…');
        }
        Self {
            stage,
            error: error.raw_os_error().unwrap_or_default(),
            about,
        }
    }
}

/// Adds to a system's error what was being done.
pub(crate) trait StageContext<T> {
    /// The step, and nothing more to say.
    fn at(self, stage: LaunchStage) -> Result<T, LaunchFailure>;
    /// The step and the thing it was about.
    fn about(self, stage: LaunchStage, about: &[u8]) -> Result<T, LaunchFailure>;
}

impl<T, E: Into<io::Error>> StageContext<T> for Result<T, E> {
    fn at(self, stage: LaunchStage) -> Result<T, LaunchFailure> {
        self.about(stage, b"")
    }

    fn about(self, stage: LaunchStage, about: &[u8]) -> Result<T, LaunchFailure> {
        self.map_err(|error| LaunchFailure::new(stage, &error.into(), about))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_fits_into_its_packet_whatever_it_is_about() {
        let gone = io::Error::from_raw_os_error(libc::ENOENT);
        for (about, length) in [
            (vec![b'a'; 4096], 4096),
            (vec![0xff; 4096], 4098),
            (vec![b'a'; 9999], 4099),
        ] {
            let failure = LaunchFailure::new(LaunchStage::Source, &gone, &about);
            assert_eq!(failure.about.len(), length);
            assert_eq!(failure.error, libc::ENOENT);
            assert!(postcard::to_stdvec(&failure).unwrap().len() < 8 * 1024);
        }
    }
}
