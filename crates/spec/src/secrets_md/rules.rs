//! What can be wrong with a `SECRETS.md` beyond the shape of its fields.

use crate::doc::Rule;

pub(super) const HOLDS_VALUE: Rule = Rule {
    id: "secrets/value",
    summary: "a field that would hold a secret",
    why: "The file lies in a repository: whoever reads that has the secret. The whole file is refused.",
};
pub(super) const NOBODY: Rule = Rule {
    id: "secrets/nobody",
    summary: "a secret that nobody may have",
    why: "Without an entry under access nobody gets it.",
};
pub(super) const BACKEND: Rule = Rule {
    id: "secrets/backend",
    summary: "a secret that names its vault",
    why: "It tells everybody where secrets are kept, and ties the file to one place.",
};
pub(super) const EXPOSURE: Rule = Rule {
    id: "secrets/exposure",
    summary: "a way to hand out a secret that nobody here knows",
    why: "It is left out.",
};

/// Every rule of the family.
pub(crate) const RULES: &[Rule] = &[HOLDS_VALUE, NOBODY, BACKEND, EXPOSURE];
