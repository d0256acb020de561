//! What people and lead agents have ruled. All of it applies at once, and the strictest word wins.

use std::path::PathBuf;

use argrail_spec::atip::{Delegation, PermissionPolicy};

use super::grant::Grant;

/// The rules that a call is held against, beside the built-in ones.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rules {
    /// What runs without a question, with one, or never (ATIP §5.2).
    pub permission_policy: Option<PermissionPolicy>,
    /// What the caller was given of another's rights, by name (ATIP §4.3). Every one has to cover the call.
    pub delegations: Vec<(String, Delegation)>,
    /// What people have said yes to beforehand: only what holds now, and for this caller.
    pub grants: Vec<Grant>,
    /// Hosts that the user's configuration names: names, `*.name`, or `s3://bucket`.
    pub hosts: Vec<String>,
    /// What `~` means.
    pub home: PathBuf,
    /// Where the call starts.
    pub directory: PathBuf,
    /// Who does it once it may be done.
    pub carried_out: CarriedOut,
}

/// Who does what was allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CarriedOut {
    /// We do, in the sandbox that was decided.
    #[default]
    Here,
    /// An agent does, in a sandbox of its own, which is wider: the closed one cannot be had there.
    ByAgent,
}
