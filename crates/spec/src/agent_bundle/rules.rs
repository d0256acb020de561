//! What can be wrong between the files of an agent.

use crate::doc::Rule;

pub(super) const NO_MANIFEST: Rule = Rule {
    id: "agent/no-manifest",
    summary: "a folder without an AGENT-CLI.md",
    why: "It is no agent.",
};
pub(super) const FOLDER: Rule = Rule {
    id: "agent/folder",
    summary: "a manifest in a folder of another name",
    why: "The draft wants the name to equal that of the folder; people look for it there.",
};
pub(super) const PROFILE: Rule = Rule {
    id: "agent/profile",
    summary: "a profile that does not fit the agent that is bound to it",
    why: "An agent is started as a child, and one talks to it on its standard streams.",
};

/// Every rule of the family.
pub(crate) const RULES: &[Rule] = &[NO_MANIFEST, FOLDER, PROFILE];
