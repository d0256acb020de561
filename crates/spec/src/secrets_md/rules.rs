//! What can be wrong with a `SECRETS.md` beyond the shape of its fields.

use crate::doc::rules;

rules! {
    pub(super) HOLDS_VALUE = "secrets/value", "a field that would hold a secret",
        "The file lies in a repository: whoever reads that has the secret. The whole file is refused.";
    pub(super) NOBODY = "secrets/nobody", "a secret that nobody may have",
        "Without an entry under access nobody gets it.";
    pub(super) BACKEND = "secrets/backend", "a secret that names its vault",
        "It tells everybody where secrets are kept, and ties the file to one place.";
    pub(super) EXPOSURE = "secrets/exposure", "a way to hand out a secret that nobody here knows",
        "It is left out.";
    => pub(crate) RULES
}
