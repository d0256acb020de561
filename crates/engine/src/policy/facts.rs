//! What a decision is made from.

use std::path::PathBuf;

use argrail_spec::atip::Invoked;
use indexmap::IndexMap;

use super::program::Purity;

/// Everything that counts about one call.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    /// What the words say, in the tool's own grammar.
    pub invoked: Invoked,
    /// Whose word the effects are.
    pub basis: Basis,
    /// Who says which effect, by its name with dots: `filesystem.write` → `catalogue:git`.
    pub origins: IndexMap<String, String>,
    /// How far the tool is trusted.
    pub trust: Trust,
    /// Where it may talk to.
    pub egress: Egress,
    /// Paths that it declares or that stand among its words, absolute.
    pub paths: Vec<PathBuf>,
    /// What the author of the tool wishes (AIP-14).
    pub approval: Approval,
    /// The language of each program text among its words, and what the program does. One that is missing is unknown.
    pub programs: Vec<(String, Purity)>,
    /// Calls inside this one, in the order of `invoked.inner`: what a wrapper starts. One that is missing is unknown.
    pub inner: Vec<Facts>,
}

/// Whose word the effects are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// The catalogue inside argrail, the system's shims, the user's overrides and configuration.
    Settled,
    /// The tool itself, a shim of the data home, a project, an inference, an MCP server.
    Claimed,
    /// Nobody's: only the name is known.
    Undescribed,
}

/// How far a tool is trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trust {
    /// Nothing was pinned and nothing has to be.
    Unpinned,
    /// Seen before and unchanged, or accepted by a person.
    Accepted,
    /// It is not what was accepted; what changed.
    Drift(String),
    /// A person said no.
    Denied,
    /// It is part of a project that nobody accepted.
    Untrusted,
}

/// Where a call may talk to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Egress {
    /// Nowhere.
    None,
    /// To these hosts: names, or `*.name`.
    Names(Vec<String>),
    /// To any public host.
    Public,
}

/// What the author of a tool wishes (AIP-14 `approval`, `mutates`, `risk_level`, `cost_class`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Approval {
    /// `auto`, `always` or `on-mutate`.
    pub wish: Wish,
    /// `class:scope` of what it changes.
    pub mutates: Vec<String>,
    /// 0 read, 1 scoped write, 2 external effect, 3 irreversible.
    pub risk_level: u8,
    /// What a call costs.
    pub cost_class: CostClass,
}

/// What a call costs, as its author says (AIP-14 `cost_class`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum CostClass {
    /// Nothing worth a word.
    #[default]
    Trivial,
    /// Something for each call.
    Metered,
    /// Much.
    Expensive,
}

/// When a person is asked, by the author's wish.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Wish {
    /// When policy says so.
    #[default]
    Auto,
    /// When it changes something.
    OnMutate,
    /// Each time.
    Always,
}
