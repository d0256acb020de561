//! What can be wrong with a `TOOL.md` beyond the shape of its fields.

use crate::doc::rules;

rules! {
    pub(super) SCHEMA = "tool/schema", "inputs or outputs that are no usable JSON Schema",
        "Nothing can be checked against it, so the tool refuses every call.";
    pub(super) EXAMPLE = "tool/example", "an example that does not fit its own schema",
        "Every driver must satisfy the examples; this one cannot be.";
    pub(super) APPROVAL = "tool/approval", "a tool that changes things and asks nobody",
        "It is read as on-mutate: whoever wrote auto beside mutates did not mean both.";
    pub(super) RISK = "tool/risk", "a risk level that does not fit what the tool changes",
        "People decide by it.";
    pub(super) CLASS = "tool/mutation-class", "a class of change that nobody has used yet",
        "Rules that name the known classes do not match it.";
    pub(crate) TEMPLATE = "tool/template", "an argv template that cannot be filled",
        "A call would lack a word, or have one that nobody meant.";
    => pub(crate) RULES
}
