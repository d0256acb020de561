//! The policy: everything that one child may touch.

use std::collections::BTreeMap;

use super::{EnvName, Exec, HostPattern, Ingress, Limits, PathPattern};

/// What a child may touch. What is not in it, it may not.
///
/// ```
/// use argrail_sandbox::policy::{PathPattern, Policy};
/// use std::path::Path;
/// let policy = Policy::closed().read(PathPattern::tree(Path::new("/srv/data")));
/// assert!(policy.is_within(&Policy::closed()).is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Policy {
    /// Paths it may read.
    pub read: Vec<PathPattern>,
    /// Paths it may write, and read.
    pub write: Vec<PathPattern>,
    /// Paths it may not touch, whatever `read` and `write` say.
    pub deny: Vec<PathPattern>,
    /// Hosts it may reach.
    pub egress: Vec<HostPattern>,
    /// URLs at which it is reached.
    pub ingress: Vec<Ingress>,
    /// Programs it may start.
    pub exec: Exec,
    /// Variables of the host that it gets.
    pub env_pass: Vec<EnvName>,
    /// Variables that it gets with these values, whatever the host has.
    pub env_set: BTreeMap<EnvName, String>,
    /// Whether it gets a terminal.
    pub tty: bool,
    /// Whether its own processes may talk to each other over a loopback of their own.
    pub local_network: bool,
    /// How much it may use.
    pub limits: Limits,
    /// What whoever wrote the policy should know, such as a part that has no effect.
    pub notes: Vec<String>,
}

impl Policy {
    /// Returns the policy of nothing: no files, no network, no programs, no variables.
    pub fn closed() -> Self {
        Self {
            read: Vec::new(),
            write: Vec::new(),
            deny: Vec::new(),
            egress: Vec::new(),
            ingress: Vec::new(),
            exec: Exec::None,
            env_pass: Vec::new(),
            env_set: BTreeMap::new(),
            tty: false,
            local_network: false,
            limits: Limits::default(),
            notes: Vec::new(),
        }
    }

    /// Adds paths that may be read.
    #[must_use]
    pub fn read(mut self, pattern: PathPattern) -> Self {
        self.read.push(pattern);
        self
    }

    /// Adds paths that may be written and read.
    #[must_use]
    pub fn write(mut self, pattern: PathPattern) -> Self {
        self.write.push(pattern);
        self
    }

    /// Adds paths that may not be touched.
    #[must_use]
    pub fn deny(mut self, pattern: PathPattern) -> Self {
        self.deny.push(pattern);
        self
    }

    /// Adds hosts that may be reached.
    #[must_use]
    pub fn egress(mut self, host: HostPattern) -> Self {
        self.egress.push(host);
        self
    }

    /// Adds a URL at which the child is reached.
    #[must_use]
    pub fn ingress(mut self, url: Ingress) -> Self {
        self.ingress.push(url);
        self
    }

    /// Says which programs may be started, instead of what was said before.
    #[must_use]
    pub fn exec(mut self, exec: Exec) -> Self {
        self.exec = exec;
        self
    }

    /// Adds a variable of the host.
    #[must_use]
    pub fn env_pass(mut self, name: EnvName) -> Self {
        self.env_pass.push(name);
        self
    }

    /// Adds a variable with its value.
    #[must_use]
    pub fn env_set(mut self, name: EnvName, value: impl Into<String>) -> Self {
        self.env_set.insert(name, value.into());
        self
    }

    /// Gives the child a terminal.
    #[must_use]
    pub fn tty(mut self) -> Self {
        self.tty = true;
        self
    }

    /// Gives the child a loopback of its own.
    #[must_use]
    pub fn local_network(mut self) -> Self {
        self.local_network = true;
        self
    }

    /// Sets the limits, instead of those that were set before.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Adds a note for whoever wrote the policy.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}
