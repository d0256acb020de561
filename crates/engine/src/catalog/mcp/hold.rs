//! What holds a server that is a program while one of its tools is called. What is an address is held by nobody here.

use std::collections::BTreeMap;
use std::ffi::OsString;

use argrail_sandbox::policy::{Anchors, Policy, Protected};

/// What a server may touch.
#[derive(Debug, Clone, Default)]
pub enum Hold {
    /// What it is made of, to be read, and nothing else: what a server gets that is called on its own word.
    #[default]
    Closed,
    /// More, because somebody else than the server says so.
    Granted(Box<Grant>),
}

/// What a server may touch beside what it is made of.
#[derive(Debug, Clone)]
pub struct Grant {
    /// Files, hosts, variables and limits. Which programs may be started is not taken from it.
    pub policy: Policy,
    /// Where its patterns start, and where the server does.
    pub anchors: Anchors,
    /// What no grant reaches.
    pub protected: Protected,
    /// The variables that `policy` passes on.
    pub environment: BTreeMap<OsString, OsString>,
    /// What the server takes for its home.
    pub home: ServerHome,
}

/// What a server takes for its home.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ServerHome {
    /// An empty directory that it may write and that is gone with it.
    #[default]
    Scratch,
    /// The name of the real one, of which it sees what was granted.
    Real,
}

impl Hold {
    pub(super) fn home(&self) -> ServerHome {
        match self {
            Self::Closed => ServerHome::Scratch,
            Self::Granted(grant) => grant.home,
        }
    }
}
