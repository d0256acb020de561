//! What can be wrong with an `INTENT.md` beyond the shape of its fields.

use crate::doc::rules;

rules! {
    pub(super) OPERATOR = "intent/operator", "a condition that nobody knows",
        "It would be true or false by accident; the file is refused.";
    pub(super) ROUTE = "intent/route", "implementations of which one cannot be picked",
        "An input would lead to two of them, or to none.";
    pub(super) UNSUPPORTED = "intent/unsupported", "something that argrail does not run",
        "Only tools of bundles are run; the rest is read and left alone.";
    pub(super) SCOPE = "intent/scope", "a scope for several users",
        "Here there is one user: it counts as app.";
    pub(super) INPUT = "intent/input", "an input whose parts do not fit each other",
        "It cannot be asked for.";
    => pub(crate) RULES
}
