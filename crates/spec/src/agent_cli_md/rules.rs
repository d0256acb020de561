//! What can be wrong with an `AGENT-CLI.md` beyond the shape of its fields.

use crate::doc::Rule;

pub(super) const PROTOCOL: Rule = Rule {
    id: "agent/protocol",
    summary: "a protocol that nobody knows, or one without what it needs",
    why: "Nobody knows how to talk to the agent, so it is not loaded.",
};
pub(super) const NO_EFFECT: Rule = Rule {
    id: "agent/no-effect",
    summary: "a part of the manifest that does nothing here",
    why: "Whoever wrote it may rely on it.",
};
pub(super) const EXTRA: Rule = Rule {
    id: "agent/extra",
    summary: "a field that the draft does not have and adapters use",
    why: "Other hosts may not know it.",
};
pub(super) const OPTION: Rule = Rule {
    id: "agent/option",
    summary: "an option whose parts do not fit its type",
    why: "No value would be checked as its author meant.",
};
pub(super) const RESUMABLE: Rule = Rule {
    id: "agent/resumable",
    summary: "sessions that are taken up again by an agent that cannot",
    why: "The agent would start anew, and what was said before would be lost without a word.",
};
pub(super) const CONTINUATION: Rule = Rule {
    id: "agent/continuation",
    summary: "a way to continue that does not fit the rest",
    why: "A host refuses every way that is not among the supported ones.",
};
pub(super) const MODEL: Rule = Rule {
    id: "agent/model",
    summary: "a default model that is not allowed, or that an option does not take",
    why: "The agent could never be started with it.",
};
pub(super) const NAME: Rule = Rule {
    id: "agent/name",
    summary: "a name that is no folder's",
    why: "The draft wants a kebab id that equals the name of the folder.",
};
pub(super) const TEMPLATE: Rule = Rule {
    id: "agent/template",
    summary: "a template that does not use the value",
    why: "Every value would have the same effect.",
};
pub(crate) const CAPABILITY: Rule = Rule {
    id: "agent/capability",
    summary: "a capability that the profile of the protocol does not have",
    why: "Capabilities must be a subset of those of the ACP.md; hosts route by them before anything is started.",
};

/// Every rule of the family.
pub(crate) const RULES: &[Rule] = &[
    PROTOCOL,
    NO_EFFECT,
    EXTRA,
    OPTION,
    RESUMABLE,
    CONTINUATION,
    MODEL,
    NAME,
    TEMPLATE,
    CAPABILITY,
];
