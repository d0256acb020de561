//! What can be wrong with an `INTENT.md` beyond the shape of its fields.

use crate::doc::Rule;

pub(super) const OPERATOR: Rule = Rule {
    id: "intent/operator",
    summary: "a condition that nobody knows",
    why: "It would be true or false by accident; the file is refused.",
};
pub(super) const ROUTE: Rule = Rule {
    id: "intent/route",
    summary: "implementations of which one cannot be picked",
    why: "An input would lead to two of them, or to none.",
};
pub(super) const UNSUPPORTED: Rule = Rule {
    id: "intent/unsupported",
    summary: "something that argrail does not run",
    why: "Only tools of bundles are run; the rest is read and left alone.",
};
pub(super) const SCOPE: Rule = Rule {
    id: "intent/scope",
    summary: "a scope for several users",
    why: "Here there is one user: it counts as app.",
};
pub(super) const INPUT: Rule = Rule {
    id: "intent/input",
    summary: "an input whose parts do not fit each other",
    why: "It cannot be asked for.",
};

/// Every rule of the family.
pub(crate) const RULES: &[Rule] = &[OPERATOR, ROUTE, UNSUPPORTED, SCOPE, INPUT];
