//! The complaints that every Markdown manifest can get.

use crate::doc::Rule;

pub(crate) const MISSING: Rule = Rule {
    id: "manifest/missing",
    summary: "a required field that is not there",
    why: "The manifest cannot be used without it.",
};
pub(crate) const UNKNOWN: Rule = Rule {
    id: "manifest/unknown-field",
    summary: "a field that the draft does not know",
    why: "Nobody reads it; a misspelt restriction would restrict nothing.",
};
pub(crate) const TYPE: Rule = Rule {
    id: "manifest/type",
    summary: "a value of another type",
    why: "The field cannot be used.",
};
pub(crate) const VALUE: Rule = Rule {
    id: "manifest/value",
    summary: "a value that the draft does not allow",
    why: "The field cannot be used.",
};
pub(crate) const REFERENCE: Rule = Rule {
    id: "manifest/reference",
    summary: "a reference that is no relative path inside of the bundle",
    why: "Files outside of a bundle are not part of it, and are never read for it.",
};
pub(crate) const SHELL: Rule = Rule {
    id: "manifest/shell",
    summary: "a shell feature in a command",
    why: "Commands are started without a shell: its operators would become plain arguments.",
};
pub(crate) const TWICE: Rule = Rule {
    id: "manifest/twice",
    summary: "something that stands twice and must be unique",
    why: "It is not clear which one is meant.",
};
pub(crate) const MISPLACED: Rule = Rule {
    id: "manifest/misplaced-field",
    summary: "a field that belongs elsewhere",
    why: "The draft takes it from another place, so it would have no effect here.",
};
pub(crate) const PLAIN_HTTP: Rule = Rule {
    id: "manifest/plain-http",
    summary: "a download without TLS",
    why: "Anybody on the way can put something else in its place.",
};

/// Every rule of the family.
pub(crate) const RULES: &[Rule] = &[
    MISSING, UNKNOWN, TYPE, VALUE, REFERENCE, SHELL, TWICE, MISPLACED, PLAIN_HTTP,
];
