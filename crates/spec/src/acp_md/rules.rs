//! What can be wrong with an `ACP.md` beyond the shape of its fields.

use crate::doc::Rule;

pub(super) const NEEDS: Rule = Rule {
    id: "acp/needs",
    summary: "a profile without what its kind or tier needs",
    why: "The draft requires it: an operator for a server, a sandbox for the tier sandboxed.",
};
pub(super) const TRANSPORT: Rule = Rule {
    id: "acp/transport",
    summary: "a profile without standard streams",
    why: "The draft requires them of everybody, and argrail talks to agents on them alone.",
};
pub(super) const NO_EFFECT: Rule = Rule {
    id: "acp/no-effect",
    summary: "a part of the profile that does nothing here",
    why: "Whoever wrote it may rely on it.",
};

/// Every rule of the family.
pub(crate) const RULES: &[Rule] = &[NEEDS, TRANSPORT, NO_EFFECT];
