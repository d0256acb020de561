//! What an agent carries out itself: there is no closed sandbox for it.

use serde_json::{Value, json};

use super::input::{facts, rules};
use crate::policy::{Confinement, Verdict, decide};

fn check(call: &Value, by: &Value, want: Verdict, rule: Option<&str>) {
    let decision = decide(&facts(call), &rules(by));
    assert_eq!(decision.verdict, want, "{call} {by}: {decision:?}");
    let said = decision.reasons.iter().any(|reason| Some(reason.rule) == rule);
    assert!(rule.is_none() || said, "{call} {by}: {decision:?}");
}

#[test]
fn what_only_the_closed_sandbox_makes_true_asks() {
    let agent = json!({"carriedOut": "agent"});
    let settled = json!({"tool": "cat", "effects": {"idempotent": true}});
    check(&settled, &json!({}), Verdict::Allow, None);
    check(&settled, &agent, Verdict::Allow, None);
    for closed in [
        json!({"tool": "x", "basis": "claimed", "effects": {"idempotent": true}}),
        json!({"tool": "make", "effects": {"idempotent": true, "x-runs": "workspace-code"}}),
    ] {
        check(&closed, &json!({}), Verdict::Allow, None);
        check(&closed, &agent, Verdict::Ask, Some("agent.closed"));
        assert_eq!(
            decide(&facts(&closed), &rules(&agent)).confinement,
            Confinement::Effects
        );
        let wrapped = json!({"tool": "env", "effects": {"idempotent": true}, "inner": [closed]});
        check(&wrapped, &agent, Verdict::Ask, Some("agent.closed"));
    }
}

#[test]
fn a_grant_answers_it_and_a_no_stays_one() {
    let call = json!({"tool": "x", "basis": "claimed", "effects": {"idempotent": true}});
    let granted = json!({"carriedOut": "agent", "grants": ["x"]});
    check(&call, &granted, Verdict::Allow, Some("grant"));
    let denied = json!({"carriedOut": "agent", "permissionPolicy": {"deny": {"filesystem.write": true}}});
    let writes = json!({"tool": "x", "basis": "claimed", "effects": {"filesystem": {"write": true}}});
    check(&writes, &denied, Verdict::Deny, None);
}
