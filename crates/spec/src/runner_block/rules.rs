//! What can be wrong with a runner block.

use crate::doc::rules;

rules! {
    pub(super) ENGINE = "runner/engine", "an engine that is not here",
        "Running a tool behind a weaker boundary than it asks for would be a quiet downgrade; it is refused.";
    pub(super) DOWNGRADED = "runner/downgraded", "code that wants to run inside of the host",
        "Nothing of a manifest runs inside of argrail; it becomes a process of its own.";
    pub(super) IMAGE = "runner/image", "an image without the engine that would use it",
        "It has no effect.";
    => pub(crate) RULES
}
