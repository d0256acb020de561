//! What can be wrong with a `DRIVER.md` beyond the shape of its fields.

use crate::doc::rules;

rules! {
    pub(super) KIND = "driver/kind", "a driver of a kind that argrail does not run",
        "Its tools stay unbound here.";
    pub(super) NOT_RUN = "driver/not-run", "a part of a driver that argrail does not use",
        "Whoever wrote it may rely on it.";
    => pub(crate) RULES
}
