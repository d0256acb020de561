//! What holds for any call under any rules: nothing that restricts widens, and no danger makes a call freer.
//!
//! A call starts harmless and gets a few dangers, so that about as many run as ask: a property that only sees calls
//! that ask anyway proves nothing.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Map, Value, json};

use super::input::{facts, rules};
use crate::policy::{Confinement, Decision, Verdict, decide};

/// One more claim about a call: where it stands, and what it says.
type Claim = (&'static str, Value);

/// An object of a few entries, the last of each name.
fn object(entries: impl IntoIterator<Item = Claim>) -> Value {
    let entries = entries.into_iter().map(|(key, value)| (key.to_owned(), value));
    Value::Object(entries.collect::<Map<_, _>>())
}

/// What makes a call neither better nor worse, or better.
fn harmless() -> BoxedStrategy<Claim> {
    select(vec![
        ("/effects/network", json!(false)),
        ("/effects/destructive", json!(false)),
        ("/effects/reversible", json!(true)),
        ("/effects/creates", json!([])),
        ("/effects/filesystem", json!({"read": true, "write": false})),
        (
            "/effects/filesystem",
            json!({"write": true, "paths": ["/srv/out/a"]}),
        ),
        ("/effects/cost", json!({"estimate": "low", "billable": false})),
        ("/egress", json!(["example.org"])),
        ("/paths", json!(["/srv/out/a"])),
        ("/programs", json!([{"language": "awk", "does": "pure"}])),
        ("/approval/wish", json!("on-mutate")),
        ("/options", json!([{"spellings": ["--force", "-f"]}])),
    ])
    .boxed()
}

/// What makes a call worse, and what a policy may permit.
fn permissible() -> BoxedStrategy<Claim> {
    select(vec![
        ("/effects/network", json!(true)),
        ("/effects/subprocess", json!(true)),
        ("/effects/reversible", json!(false)),
        ("/effects/creates", json!(["issue", "branch"])),
        ("/effects/modifies", json!(["issue", "branch"])),
        ("/effects/filesystem/read", json!(true)),
        ("/effects/filesystem/write", json!(true)),
        ("/effects/idempotent", json!(false)),
        ("/effects/idempotent", Value::Null),
    ])
    .boxed()
}

/// What makes a call worse, whatever a policy permits.
fn grave() -> BoxedStrategy<Claim> {
    select(vec![
        ("/effects/destructive", json!(true)),
        ("/effects/deletes", json!(["issue", "branch"])),
        ("/effects/filesystem/delete", json!(true)),
        ("/effects/cost/billable", json!(true)),
        ("/effects/cost/estimate", json!("high")),
        ("/effects/x-prints", json!("credentials")),
        ("/effects/x-runs", json!("workspace-code")),
        ("/egress", json!("public")),
        ("/unverified", json!(["--odd"])),
        ("/programs", json!([{"language": "sh", "does": "unknown"}])),
        ("/paths", json!(["/srv/out/a", "/etc/passwd"])),
        ("/approval/wish", json!("always")),
        (
            "/approval/mutates",
            json!(["workspace:src", "external:example.org"]),
        ),
        ("/approval/riskLevel", json!(3)),
        ("/approval/costClass", json!("expensive")),
        ("/trust", json!("drift")),
        ("/basis", json!("claimed")),
        ("/basis", json!("undescribed")),
    ])
    .boxed()
}

fn dangers() -> BoxedStrategy<Claim> {
    prop_oneof![4 => permissible(), 1 => grave()].boxed()
}

/// Adds a claim to a call, if it can be added.
fn with(mut call: Value, (place, value): &Claim) -> Value {
    let (parent, key) = place.rsplit_once('/').unwrap();
    let safe = call.pointer("/effects/idempotent") == Some(&json!(true));
    let undescribed = call["basis"] == "undescribed";
    match key {
        // What was never said to be safe to repeat cannot be said less so.
        "idempotent" if !safe => return call,
        // Nor can what nobody describes be described worse.
        "basis" if undescribed => return call,
        "inner" => {
            let mut all = call["inner"].as_array().cloned().unwrap_or_default();
            all.push(value.clone());
            call["inner"] = Value::Array(all);
            return call;
        }
        _ => {}
    }
    // A group that is not there yet.
    if parent.len() > "/effects".len() && call.pointer(parent).is_none() {
        let group = parent.rsplit_once('/').unwrap().1;
        call["effects"][group] = json!({});
    }
    let object = call.pointer_mut(parent).unwrap().as_object_mut().unwrap();
    if value.is_null() {
        object.remove(key);
    } else {
        object.insert(key.to_owned(), value.clone());
    }
    call
}

fn flat_call() -> BoxedStrategy<Value> {
    let base = select(vec!["git", "gh", "rm"]).prop_map(
        |tool| json!({"tool": tool, "path": ["push"], "effects": {"idempotent": true}, "approval": {}}),
    );
    (base, vec(harmless(), 0..4), vec(dangers(), 0..4))
        .prop_map(|(base, harmless, dangers)| harmless.iter().chain(&dangers).fold(base, with))
        .boxed()
}

fn call() -> BoxedStrategy<Value> {
    let inner = (flat_call(), any::<bool>()).prop_map(|(mut inner, open)| {
        inner["open"] = json!(open);
        inner
    });
    (flat_call(), proptest::option::weighted(0.1, inner))
        .prop_map(|(outer, inner)| match inner {
            Some(inner) => with(outer, &("/inner", inner)),
            None => outer,
        })
        .boxed()
}

/// One more danger in a call, another call inside it among them.
fn danger() -> BoxedStrategy<Claim> {
    prop_oneof![4 => permissible(), 4 => grave(), 1 => call().prop_map(|inner| ("/inner", inner))].boxed()
}

/// An entry of a permission policy.
fn entry() -> BoxedStrategy<Claim> {
    let flags = vec![
        "network",
        "subprocess",
        "destructive",
        "idempotent",
        "reversible",
        "filesystem.read",
        "filesystem.write",
        "filesystem.delete",
        "cost.billable",
        "creates",
        "modifies",
        "deletes",
    ];
    let others = vec![
        ("creates", json!("issue")),
        ("modifies", json!(["issue", "branch"])),
        ("deletes", json!("b*")),
        ("filesystem.paths", json!(["/srv/**"])),
        ("filesystem.paths", json!("/etc/*")),
        ("cost.estimate", json!("low")),
        ("mutates", json!("external:*")),
    ];
    prop_oneof![
        2 => (select(flags), any::<bool>()).prop_map(|(key, value)| (key, json!(value))),
        1 => select(others),
    ]
    .boxed()
}

/// What `autoApprove` says: some of what can be permitted, and at times something that is demanded.
fn auto_approve() -> BoxedStrategy<Value> {
    let permitted = vec![
        ("filesystem.write", json!(true)),
        ("filesystem.delete", json!(true)),
        ("filesystem.read", json!(true)),
        ("creates", json!(true)),
        ("modifies", json!(["issue", "branch"])),
        ("deletes", json!(true)),
        ("network", json!(true)),
        ("subprocess", json!(true)),
        ("idempotent", json!(false)),
        ("reversible", json!(false)),
        ("destructive", json!(true)),
        ("cost.billable", json!(true)),
    ];
    (
        subsequence(permitted, 0..5),
        proptest::option::weighted(0.2, entry()),
    )
        .prop_map(|(permitted, more)| object(permitted.into_iter().chain(more)))
        .boxed()
}

fn delegation() -> BoxedStrategy<Value> {
    let tools = vec![
        ("allowedTools", json!(["git", "gh"])),
        ("allowedTools", json!([])),
    ];
    let denied = vec![
        ("deniedCommands", json!(["git push --force"])),
        ("deniedCommands", json!(["rm"])),
    ];
    let restricted = vec![
        ("effectRestrictions", json!({"destructive": false})),
        ("effectRestrictions", json!({"network": true})),
        ("effectRestrictions", json!({"idempotent": true})),
    ];
    let maybe = |entries| proptest::option::of(select::<Claim>(entries));
    (maybe(tools), maybe(denied), maybe(restricted))
        .prop_map(|(tools, denied, restricted)| object(tools.into_iter().chain(denied).chain(restricted)))
        .boxed()
}

fn rule_set() -> BoxedStrategy<Value> {
    let few = || prop_oneof![6 => Just(json!({})), 1 => vec(entry(), 1..3).prop_map(object)];
    let delegations = prop_oneof![9 => Just(Vec::new()), 1 => vec(delegation(), 1..3)];
    (auto_approve(), few(), few(), delegations)
        .prop_map(|(auto, require, deny, delegations)| {
            json!({
                "permissionPolicy": {"autoApprove": auto, "requireConfirmation": require, "deny": deny},
                "delegations": delegations,
            })
        })
        .boxed()
}

fn decided(call: &Value, set: &Value) -> Decision {
    decide(&facts(call), &rules(set))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 800, ..ProptestConfig::default() })]

    #[test]
    fn adding_a_restriction_never_widens(
        call in call(),
        set in rule_set(),
        extra in entry(),
        covers in delegation(),
        group in select(vec!["requireConfirmation", "deny", "delegations"]),
    ) {
        let mut more = set.clone();
        if group == "delegations" {
            more[group].as_array_mut().unwrap().push(covers);
        } else {
            let rules = &mut more["permissionPolicy"][group];
            prop_assume!(rules.get(extra.0).is_none());
            rules[extra.0] = extra.1;
        }
        let (before, after) = (decided(&call, &set), decided(&call, &more));
        prop_assert!(after.verdict >= before.verdict);
        prop_assert!(after.confinement >= before.confinement);
        prop_assert!(before.reasons.iter().all(|reason| after.reasons.contains(reason)));
    }

    #[test]
    fn adding_a_danger_never_relaxes(call in call(), set in rule_set(), danger in danger()) {
        let worse = with(call.clone(), &danger);
        prop_assert!(decided(&worse, &set).verdict >= decided(&call, &set).verdict, "{}", worse);
    }

    #[test]
    fn what_needs_the_closed_sandbox_never_runs_outside_of_it(
        call in call(),
        set in rule_set(),
        danger in danger(),
    ) {
        let worse = with(call.clone(), &danger);
        let (before, after) = (decided(&call, &set), decided(&worse, &set));
        // The text of a program is closed in unless its tool has a network, so a network may let it out.
        let network = matches!(danger.0, "/effects/network" | "/egress" | "/approval/mutates");
        let allowed = before.verdict == Verdict::Allow && after.verdict == Verdict::Allow;
        if before.confinement == Confinement::Closed && allowed && !network {
            prop_assert_eq!(after.confinement, Confinement::Closed);
        }
        if worse.get("basis").is_some() || worse["effects"].get("x-runs").is_some() {
            prop_assert_eq!(after.confinement, Confinement::Closed);
        }
    }

    #[test]
    fn the_strictest_reason_decides_and_always_the_same(call in call(), set in rule_set()) {
        let decision = decided(&call, &set);
        let strictest = decision.reasons.iter().map(|reason| reason.verdict).max();
        prop_assert_eq!(strictest, Some(decision.verdict));
        prop_assert_eq!(decided(&call, &set), decision);
    }

    #[test]
    fn what_destroys_costs_shows_secrets_or_is_not_verified_never_runs_unasked(
        call in call(),
        set in rule_set(),
    ) {
        let effects = &call["effects"];
        let grave = effects["destructive"] == true
            || effects["cost"]["billable"] == true
            || effects.get("x-prints").is_some()
            || call.get("unverified").is_some()
            || call["basis"] == "undescribed";
        let changes = effects["filesystem"]["write"] == true || effects["filesystem"]["delete"] == true;
        if grave || (call["basis"] == "claimed" && changes) {
            prop_assert!(decided(&call, &set).verdict > Verdict::Allow);
        }
    }
}
