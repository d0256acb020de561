//! What can be wrong with a `DRIVER.md` beyond the shape of its fields.

use crate::doc::Rule;

pub(super) const KIND: Rule = Rule {
    id: "driver/kind",
    summary: "a driver of a kind that argrail does not run",
    why: "Its tools stay unbound here.",
};
pub(super) const NOT_RUN: Rule = Rule {
    id: "driver/not-run",
    summary: "a part of a driver that argrail does not use",
    why: "Whoever wrote it may rely on it.",
};

/// Every rule of the family.
pub(crate) const RULES: &[Rule] = &[KIND, NOT_RUN];
