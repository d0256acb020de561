//! What the person who installs allows beyond the usual.

use serde::Serialize;

/// Every wish at its strictest, unless said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wishes {
    /// Where packages of npm and pip go.
    pub global: Global,
    /// Whether code of packages may run while they are installed.
    pub scripts: Scripts,
    /// Whether methods are used that the bundle calls experimental.
    pub experimental: Experimental,
    /// Whether a file is used that no hash vouches for.
    pub unverified: Unverified,
    /// Which hosts an installer script may reach.
    pub hosts: Hosts,
    /// Whether a system's package manager may run outside of the sandbox.
    pub unconfined: Unconfined,
    /// Where registries may be that package managers name.
    pub registries: Registries,
}

/// Where packages of npm and pip go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Global {
    /// Into a folder of argrail's own.
    #[default]
    Own,
    /// Where the bundle wants them, which may be the user's global folder.
    Asked,
}

/// Whether code of packages may run while they are installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scripts {
    /// Never: npm without install scripts, pip with wheels only.
    #[default]
    Never,
    /// It may, in the sandbox.
    Allowed,
}

/// Whether methods are used that the bundle calls experimental.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Experimental {
    /// They are skipped.
    #[default]
    Skipped,
    /// They are tried in their turn.
    Tried,
}

/// Whether a file is used that no hash vouches for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unverified {
    /// It is not.
    #[default]
    Refused,
    /// The person said yes to it.
    Accepted,
}

/// Which hosts an installer script may reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Hosts {
    /// The one that it came from.
    #[default]
    Named,
    /// Every public one: the person said yes to that.
    Public,
}

/// Where registries may be that package managers name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Registries {
    /// On the open internet.
    #[default]
    Public,
    /// Also inside of a company's network: the person said yes to that.
    Anywhere,
}

/// Whether a system's package manager may run outside of the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unconfined {
    /// It may not, and so it is skipped.
    #[default]
    Refused,
    /// The person said yes to it.
    Accepted,
}
