//! What the author of a tool wishes (AIP-14), as effects and as reasons. The table stands in `docs/policy.md`.
//!
//! A wish only tightens: no word of an author makes a call freer than its effects do.

use std::borrow::Cow;

use argrail_spec::atip::{Cost, Effects, Filesystem};

use super::case::Case;
use super::decision::{Reason, Verdict};
use super::facts::{Approval, CostClass, Wish};
use super::wording::plain;

/// From here on an effect reaches outside, and from there on it cannot be undone.
const EXTERNAL: u8 = 2;
const IRREVERSIBLE: u8 = 3;

/// Returns the effects with what `mutates`, `risk_level` and `cost_class` say in the words of ATIP.
pub(super) fn raise<'a>(effects: &'a Effects, approval: &Approval) -> Cow<'a, Effects> {
    let mut effects = Cow::Borrowed(effects);
    for entry in &approval.mutates {
        mutates(effects.to_mut(), entry);
    }
    if approval.risk_level >= IRREVERSIBLE {
        effects.to_mut().destructive = Some(true);
        effects.to_mut().reversible = Some(false);
    }
    let estimate = match approval.cost_class {
        CostClass::Trivial => return effects,
        CostClass::Metered => None,
        CostClass::Expensive => Some("high".to_owned()),
    };
    let cost = effects.to_mut().cost.get_or_insert_with(Cost::default);
    cost.billable = Some(true);
    cost.estimate = estimate.or(cost.estimate.take());
    effects
}

fn mutates(effects: &mut Effects, entry: &str) {
    let class = entry.split_once(':').map_or(entry, |(class, _)| class);
    match class {
        "workspace" | "sandbox" => {
            let filesystem = effects.filesystem.get_or_insert_with(Filesystem::default);
            filesystem.write = Some(true);
            return;
        }
        "network" | "external" => effects.network = Some(true),
        _ => {}
    }
    let modifies = effects.modifies.get_or_insert_with(Vec::new);
    if !modifies.iter().any(|known| known == class) {
        modifies.push(class.to_owned());
    }
}

/// Says when the author wants a person to be asked.
pub(super) fn reasons(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let approval = &case.facts.approval;
    let mut ask = |rule, effect| {
        reasons.push(Reason {
            rule,
            origin: case.origin("approval"),
            effect,
            verdict: Verdict::Ask,
        });
    };
    match (approval.wish, approval.mutates.first()) {
        (Wish::Always, _) => ask("aip14.approval", "always asks".to_owned()),
        // `auto` beside something that it changes is no wish that an author may have.
        (Wish::Auto | Wish::OnMutate, Some(first)) => {
            ask("aip14.mutates", format!("mutates {}", plain(first)))
        }
        (Wish::Auto | Wish::OnMutate, None) => {}
    }
    if approval.risk_level >= EXTERNAL {
        ask("aip14.risk", format!("risk level {}", approval.risk_level));
    }
}
