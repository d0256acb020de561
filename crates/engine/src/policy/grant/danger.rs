//! What a call does that no grant covers by the way.

use argrail_spec::atip::{Certainty, Estimate, claim};

use super::pattern::Danger;
use crate::policy::case::Case;
use crate::policy::facts::Facts;
use crate::policy::rules::Rules;

impl Facts {
    /// Returns the dangers of this call, without those inside it.
    pub(crate) fn own_dangers(&self) -> Vec<Danger> {
        let rules = Rules::default();
        let case = Case::new(self, &rules, Certainty::Whole);
        let says = |key, said| claim(&case.effects, key) == Some(said);
        let cost = case.effects.cost.as_ref();
        let estimate = cost.and_then(|cost| cost.estimate.as_deref());
        let mut dangers = Vec::new();
        if says("destructive", true) || says("reversible", false) {
            dangers.push(Danger::Destructive);
        }
        if says("cost.billable", true) || estimate.is_some_and(|word| Estimate::of(word) > Estimate::Low) {
            dangers.push(Danger::Billable);
        }
        dangers
    }

    /// Returns the dangers of this call and of all inside it, each once.
    pub(crate) fn dangers(&self) -> Vec<Danger> {
        let mut dangers = self.own_dangers();
        for danger in self.inner.iter().flat_map(Facts::dangers) {
            if !dangers.contains(&danger) {
                dangers.push(danger);
            }
        }
        dangers
    }
}
