//! `grants` and `revoke`.

use argrail_engine::store::{Claim, State, Store};
use jiff::Timestamp;
use serde_json::json;

use super::ground::{Ground, TALL, push};

impl Ground {
    fn revoke(&self, ids: &[&str]) -> (Option<i32>, Vec<String>) {
        let arguments: Vec<&str> = ["revoke"].iter().chain(ids).copied().collect();
        self.at_terminal(&arguments, TALL).wait()
    }
}

#[test]
fn a_grant_is_taken_back_at_once() {
    let ground = Ground::new();
    let id = ground.ask(&push());
    assert_eq!(ground.approve(&id, &["--for", "8h"]).0, Some(0));
    let grant = ground.store.grants().unwrap().remove(0);
    let listed = ground.run(&["grants"]);
    assert!(listed.stdout.contains(&grant.id.to_string()), "{listed}");
    assert!(ground.store.use_grant(&grant.id, Timestamp::now()).unwrap());
    let (exit, lines) = ground.revoke(&[&grant.id.to_string()]);
    assert_eq!(exit, Some(0), "{lines:#?}");
    assert!(!ground.store.use_grant(&grant.id, Timestamp::now()).unwrap());
    let (_, active) = ground.json(&["grants", "--json"]);
    assert_eq!(active["data"]["grants"], json!([]));
    let (_, all) = ground.json(&["grants", "--all", "--json"]);
    let all = &all["data"]["grants"][0];
    assert_eq!(all["state"], "revoked");
    assert_eq!(all["uses"], 1);
    assert!(
        all["revokedAt"].is_string() && all["lastUsedAt"].is_string(),
        "{all}"
    );
}

#[test]
fn a_yes_that_nobody_used_is_taken_back() {
    let ground = Ground::new();
    let id = ground.ask(&push());
    let (exit, lines) = ground.revoke(&[&id]);
    assert_eq!(exit, Some(2), "it waits, and is denied instead: {lines:#?}");
    assert!(
        lines.iter().any(|line| line.contains("argrail deny")),
        "{lines:#?}"
    );
    assert_eq!(ground.approve(&id, &[]).0, Some(0));
    let binding = ground.request(&id).binding;
    assert_eq!(ground.revoke(&[&id]).0, Some(0));
    let claim = ground.store.claim(&binding, Timestamp::now()).unwrap();
    assert!(!matches!(claim, Claim::Approved(_)), "{claim:?}");
    assert!(matches!(ground.state(&id), State::Used(_)));
    assert_eq!(ground.revoke(&[&id]).0, Some(2), "once");
}

#[test]
fn what_is_not_there_is_told_and_what_came_before_is_done() {
    let ground = Ground::new();
    let id = ground.ask(&push());
    assert_eq!(ground.approve(&id, &["--for", "1h"]).0, Some(0));
    let grant = ground.store.grants().unwrap().remove(0).id.to_string();
    let (exit, lines) = ground.revoke(&[&grant, "g-zzzzz"]);
    assert_eq!(exit, Some(2), "{lines:#?}");
    assert!(
        lines
            .iter()
            .any(|line| line.contains("no grant has the name 'g-zzzzz'")),
        "{lines:#?}"
    );
    assert!(lines.contains(&format!("{grant}: taken back")), "{lines:#?}");
    let (_, all) = ground.json(&["grants", "--all", "--json"]);
    assert_eq!(all["data"]["grants"][0]["state"], "revoked");
}
