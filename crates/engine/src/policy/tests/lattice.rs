//! Every set of claims that a policy can answer, under every policy that speaks about them: chance finds too few of the
//! pairs in which one claim more could make the difference.

use serde_json::{Map, Value, json};

use super::input::{facts, rules};
use crate::policy::{Confinement, Decision, Facts, Verdict, decide};

/// Claims of danger, and the key of a policy that speaks about each.
const CLAIMS: [(&str, &str, bool); 6] = [
    ("write", "filesystem.write", true),
    ("creates", "creates", true),
    ("network", "network", true),
    ("subprocess", "subprocess", true),
    ("reversible", "reversible", false),
    ("idempotent", "idempotent", false),
];

/// A call with the claims whose bits are set. `says` is whether it denies the others, or is silent.
fn call(bits: usize, says: bool) -> Facts {
    let mut effects = json!({"idempotent": true});
    for (index, (claim, _, dangerous)) in CLAIMS.into_iter().enumerate() {
        let there = bits >> index & 1 == 1;
        if !there && !says {
            continue;
        }
        match claim {
            "write" => effects["filesystem"] = json!({"write": there}),
            "creates" => effects["creates"] = if there { json!(["issue"]) } else { json!([]) },
            claim => effects[claim] = json!(there == dangerous),
        }
    }
    facts(&json!({"effects": effects}))
}

/// Every group of rules: each key absent, true or false.
fn groups() -> impl Iterator<Item = Value> {
    (0..3_usize.pow(6)).map(|code| {
        let mut group = Map::new();
        let mut rest = code;
        for (_, key, _) in CLAIMS {
            match rest % 3 {
                1 => drop(group.insert(key.to_owned(), json!(true))),
                2 => drop(group.insert(key.to_owned(), json!(false))),
                _ => {}
            }
            rest /= 3;
        }
        Value::Object(group)
    })
}

/// Looks at each pair of calls of which the second has one claim more.
fn check(group: &'static str, holds: impl Fn(&Decision, &Decision) -> bool) -> usize {
    let mut allowed = 0;
    for says in [true, false] {
        let calls: Vec<Facts> = (0..1 << CLAIMS.len()).map(|bits| call(bits, says)).collect();
        for said in groups() {
            let set = rules(&json!({"permissionPolicy": {group: said}}));
            let decisions: Vec<Decision> = calls.iter().map(|call| decide(call, &set)).collect();
            for (bits, before) in decisions.iter().enumerate() {
                allowed += usize::from(bits != 0 && before.verdict == Verdict::Allow);
                for bit in (0..CLAIMS.len()).map(|index| 1 << index) {
                    let after = &decisions[bits | bit];
                    assert!(
                        holds(before, after),
                        "{said}: {:?}, then {after:?}",
                        calls[bits].invoked.effects
                    );
                }
            }
        }
    }
    allowed
}

fn no_freer(before: &Decision, after: &Decision) -> bool {
    let both = before.verdict == Verdict::Allow && after.verdict == Verdict::Allow;
    let let_out = before.confinement == Confinement::Closed && after.confinement == Confinement::Effects;
    after.verdict >= before.verdict && !(both && let_out)
}

#[test]
fn one_claim_more_never_gets_a_call_approved() {
    // Many of them are approved, so there is something to lose.
    assert!(check("autoApprove", no_freer) > 1000);
}

#[test]
fn one_claim_more_never_gets_a_call_past_a_rule() {
    check("deny", no_freer);
    check("requireConfirmation", no_freer);
}
