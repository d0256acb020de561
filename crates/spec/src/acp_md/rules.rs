//! What can be wrong with an `ACP.md` beyond the shape of its fields.

use crate::doc::rules;

rules! {
    pub(super) NEEDS = "acp/needs", "a profile without what its kind or tier needs",
        "The draft requires it: an operator for a server, a sandbox for the tier sandboxed.";
    pub(super) TRANSPORT = "acp/transport", "a profile without standard streams",
        "The draft requires them of everybody, and argrail talks to agents on them alone.";
    pub(super) NO_EFFECT = "acp/no-effect", "a part of the profile that does nothing here",
        "Whoever wrote it may rely on it.";
    => pub(crate) RULES
}
