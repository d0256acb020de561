//! The vectors of `corpus/atip/policy.json`.

use serde_json::{Value, json};

use super::input::{facts, rules};
use crate::policy::{Confinement, decide};

const CASES: &str = include_str!("../../../../../corpus/atip/policy.json");

fn decided(case: &Value) -> Value {
    let decision = decide(&facts(&case["call"]), &rules(&case["rules"]));
    let reasons: Vec<&str> = decision.reasons.iter().map(|reason| reason.rule).collect();
    json!({
        "decision": decision.verdict.as_str(),
        "closed": decision.confinement == Confinement::Closed,
        "rules": reasons,
    })
}

#[test]
fn every_policy_vector_holds() {
    let file: Value = serde_json::from_str(CASES).unwrap();
    let failed: Vec<String> = file["cases"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|case| decided(case) != case["expect"])
        .map(|case| format!("{}: {}, not {}", case["id"], decided(case), case["expect"]))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
