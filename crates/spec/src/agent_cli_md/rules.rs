//! What can be wrong with an `AGENT-CLI.md` beyond the shape of its fields.

use crate::doc::rules;

rules! {
    pub(super) PROTOCOL = "agent/protocol", "a protocol that nobody knows, or one without what it needs",
        "Nobody knows how to talk to the agent, so it is not loaded.";
    pub(super) NO_EFFECT = "agent/no-effect", "a part of the manifest that does nothing here",
        "Whoever wrote it may rely on it.";
    pub(super) EXTRA = "agent/extra", "a field that the draft does not have and adapters use",
        "Other hosts may not know it.";
    pub(super) OPTION = "agent/option", "an option whose parts do not fit its type",
        "No value would be checked as its author meant.";
    pub(super) RESUMABLE = "agent/resumable", "sessions that are taken up again by an agent that cannot",
        "The agent would start anew, and what was said before would be lost without a word.";
    pub(super) CONTINUATION = "agent/continuation", "a way to continue that does not fit the rest",
        "A host refuses every way that is not among the supported ones.";
    pub(super) MODEL = "agent/model", "a default model that is not allowed, or that an option does not take",
        "The agent could never be started with it.";
    pub(super) NAME = "agent/name", "a name that is no folder's",
        "The draft wants a kebab id that equals the name of the folder.";
    pub(super) TEMPLATE = "agent/template", "a template that does not use the value",
        "Every value would have the same effect.";
    pub(crate) CAPABILITY = "agent/capability", "a capability that the profile of the protocol does not have",
        "Capabilities must be a subset of those of the ACP.md; hosts route by them before anything is started.";
    => pub(crate) RULES
}
