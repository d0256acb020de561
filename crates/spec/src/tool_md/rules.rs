//! What can be wrong with a `TOOL.md` beyond the shape of its fields.

use crate::doc::Rule;

pub(super) const SCHEMA: Rule = Rule {
    id: "tool/schema",
    summary: "inputs or outputs that are no usable JSON Schema",
    why: "Nothing can be checked against it, so the tool refuses every call.",
};
pub(super) const EXAMPLE: Rule = Rule {
    id: "tool/example",
    summary: "an example that does not fit its own schema",
    why: "Every driver must satisfy the examples; this one cannot be.",
};
pub(super) const APPROVAL: Rule = Rule {
    id: "tool/approval",
    summary: "a tool that changes things and asks nobody",
    why: "It is read as on-mutate: whoever wrote auto beside mutates did not mean both.",
};
pub(super) const RISK: Rule = Rule {
    id: "tool/risk",
    summary: "a risk level that does not fit what the tool changes",
    why: "People decide by it.",
};
pub(super) const CLASS: Rule = Rule {
    id: "tool/mutation-class",
    summary: "a class of change that nobody has used yet",
    why: "Rules that name the known classes do not match it.",
};
pub(crate) const TEMPLATE: Rule = Rule {
    id: "tool/template",
    summary: "an argv template that cannot be filled",
    why: "A call would lack a word, or have one that nobody meant.",
};

/// Every rule of the family.
pub(crate) const RULES: &[Rule] = &[SCHEMA, EXAMPLE, APPROVAL, RISK, CLASS, TEMPLATE];
