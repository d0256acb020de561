//! What is judged and may have to wait for a person: a call of a tool, or an act of an agent.

use argrail_acli::{Caller, Host, Paused, Text};
use serde_json::Value;

use super::client::Through;
use crate::policy::CarriedOut;

/// Whoever wants something, as far as a decision and a question need to know.
pub(crate) trait Petition: Sync {
    /// Returns who asks.
    fn caller(&self) -> &Caller;

    /// Returns the clock.
    fn host(&self) -> &dyn Host;

    /// Returns it as it was written, for messages.
    fn line(&self) -> String;

    /// Says who does it once it may be done.
    fn carried_out(&self) -> CarriedOut;

    /// Adds a fact to its record.
    fn note(&self, name: &str, value: Value);

    /// Stops its clock for as long as a person thinks.
    fn pause(&self) -> Option<Paused>;

    /// Tells how long it has waited.
    fn progress(&self, done: f64, total: f64, message: Text);

    /// Returns the client that can show a question, too.
    fn client(&self) -> Option<&Through>;
}
