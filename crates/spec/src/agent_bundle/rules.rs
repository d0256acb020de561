//! What can be wrong between the files of an agent.

use crate::doc::rules;

rules! {
    pub(super) NO_MANIFEST = "agent/no-manifest", "a folder without an AGENT-CLI.md",
        "It is no agent.";
    pub(super) FOLDER = "agent/folder", "a manifest in a folder of another name",
        "The draft wants the name to equal that of the folder; people look for it there.";
    pub(super) PROFILE = "agent/profile", "a profile that does not fit the agent that is bound to it",
        "An agent is started as a child, and one talks to it on its standard streams.";
    => pub(crate) RULES
}
