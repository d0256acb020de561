//! What holds a server that is a program while one of its tools is called. What is an address is held by nobody here.

use argrail_sandbox::policy::{Anchors, Policy, Protected};
use argrail_spec::config::Secret;

use crate::profile::{Environment, Profile};

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
    /// Variables, beside those that `policy` sets and those of the configuration.
    pub environment: Environment,
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

impl From<Profile> for Grant {
    /// Takes what a call may touch. The home is scratch, unless somebody says otherwise.
    fn from(profile: Profile) -> Self {
        Self {
            policy: profile.policy,
            anchors: profile.anchors,
            protected: profile.protected,
            environment: profile.environment,
            home: ServerHome::default(),
        }
    }
}

impl Hold {
    /// The values that come with a grant and that nobody is shown.
    pub(super) fn secrets(&self) -> impl Iterator<Item = &Secret> {
        let grant = match self {
            Self::Closed => None,
            Self::Granted(grant) => Some(grant),
        };
        grant
            .into_iter()
            .flat_map(|grant| grant.environment.secrets.values())
    }

    pub(super) fn home(&self) -> ServerHome {
        match self {
            Self::Closed => ServerHome::Scratch,
            Self::Granted(grant) => grant.home,
        }
    }
}
