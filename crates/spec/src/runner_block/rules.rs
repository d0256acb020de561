//! What can be wrong with a runner block.

use crate::doc::Rule;

pub(super) const ENGINE: Rule = Rule {
    id: "runner/engine",
    summary: "an engine that is not here",
    why: "Running a tool behind a weaker boundary than it asks for would be a quiet downgrade; it is refused.",
};
pub(super) const DOWNGRADED: Rule = Rule {
    id: "runner/downgraded",
    summary: "code that wants to run inside of the host",
    why: "Nothing of a manifest runs inside of argrail; it becomes a process of its own.",
};
pub(super) const IMAGE: Rule = Rule {
    id: "runner/image",
    summary: "an image without the engine that would use it",
    why: "It has no effect.",
};

/// Every rule of the family.
pub(crate) const RULES: &[Rule] = &[ENGINE, DOWNGRADED, IMAGE];
