//! Answering with a token that a person made at a terminal.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use argrail_engine::policy::ApprovalMeans;
use argrail_engine::store::State;

use super::ground::{Ground, TALL, force_push, push};

impl Ground {
    /// Makes a token as a person does, and returns its file.
    fn token(&self, name: &str) -> String {
        let path = self.home.root().join("config").join(name);
        let path = path.to_str().unwrap().to_owned();
        let (exit, lines) = self
            .at_terminal(&["approvals", "--new-token", &path], TALL)
            .wait();
        assert_eq!(exit, Some(0), "{lines:#?}");
        path
    }
}

#[test]
fn a_token_answers_what_is_harmless() {
    let ground = Ground::new();
    let token = ground.token("approve.token");
    assert_eq!(fs::metadata(&token).unwrap().mode() & 0o777, 0o600);
    let (yes, no) = (ground.ask(&push()), ground.ask(&force_push()));
    let (exit, answer) = ground.json(&["approve", &yes, "--token-file", &token, "--json"]);
    assert_eq!(exit, Some(0), "{answer}");
    let State::Approved(approver) = ground.state(&yes) else {
        panic!("{:?}", ground.state(&yes));
    };
    assert_eq!(approver.means, ApprovalMeans::Token);

    let (exit, answer) = ground.json(&["approve", &no, "--token-file", &token, "--json"]);
    assert_eq!(exit, Some(3), "{answer}");
    assert!(
        answer["error"]["hint"]
            .as_str()
            .unwrap()
            .contains("--destructive")
    );
    assert_eq!(ground.state(&no), State::Pending);
    let mut unread = push();
    unread["unread"] = serde_json::json!(true);
    let unread = ground.ask(&unread);
    let (exit, answer) = ground.json(&["approve", &unread, "--token-file", &token, "--json"]);
    assert_eq!(exit, Some(3), "{answer}");
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("nobody has read") && !message.contains("destroys"),
        "{message}"
    );
    let named = ["approve", &no, "--token-file", &token, "--destructive", "--json"];
    assert_eq!(ground.json(&named).0, Some(0));
    assert!(matches!(ground.state(&no), State::Approved(_)));
}

#[test]
fn a_token_denies_and_takes_back() {
    let ground = Ground::new();
    let token = ground.token("t");
    let (one, two) = (ground.ask(&push()), ground.ask(&force_push()));
    assert_eq!(ground.run(&["deny", &one, "--token-file", &token]).exit, Some(0));
    assert!(matches!(ground.state(&one), State::Denied(..)));
    let approve = ["approve", &two, "--token-file", &token, "--destructive"];
    assert_eq!(ground.run(&approve).exit, Some(0));
    assert_eq!(
        ground.run(&["revoke", &two, "--token-file", &token]).exit,
        Some(0)
    );
    assert!(
        matches!(ground.state(&two), State::Used(_)),
        "nobody can use it any more"
    );
}

#[test]
fn a_token_is_recorded_and_can_be_taken_back_whoever_has_a_copy() {
    let ground = Ground::new();
    let token = ground.token("t");
    let copy = ground.home.root().join("config/copy");
    fs::copy(&token, &copy).unwrap();
    let id = ground.ask(&push());
    let (exit, lines) = ground.at_terminal(&["revoke", &token], TALL).wait();
    assert_eq!(exit, Some(0), "{lines:#?}");
    for file in [token.as_str(), copy.to_str().unwrap()] {
        let (exit, answer) = ground.json(&["approve", &id, "--token-file", file, "--json"]);
        assert_eq!(exit, Some(3), "{answer}");
    }
    assert_eq!(ground.state(&id), State::Pending);
    assert_eq!(ground.at_terminal(&["revoke", &token], TALL).wait().0, Some(2));
    let (_, shown) = ground.json(&["audit", "show", "--action", "grant", "--json"]);
    let entries = shown["data"]["entries"].as_array().unwrap();
    let told: Vec<_> = entries
        .iter()
        .map(|entry| entry["action"].as_str().unwrap())
        .collect();
    assert_eq!(told, ["grant.given", "grant.revoked"], "{shown}");
    for entry in entries {
        assert_eq!(entry["subject"]["ref"], token.as_str(), "{entry}");
    }
    assert_eq!(entries[0]["metadata"]["use"], "verbs");
}

#[test]
fn a_token_that_nobody_made_here_opens_nothing() {
    let ground = Ground::new();
    let id = ground.ask(&push());
    let good = ground.token("good");
    let path = ground.home.root().join("config/forged");
    let refused = |what: &str| {
        let (exit, answer) = ground.json(&["approve", &id, "--token-file", path.to_str().unwrap(), "--json"]);
        assert_eq!(exit, Some(3), "{what}: {answer}");
        assert_eq!(answer["error"]["code"], "PERMISSION_DENIED", "{what}");
        assert_eq!(ground.state(&id), State::Pending, "{what}");
    };
    refused("no file");
    fs::write(&path, "ab".repeat(32)).unwrap();
    refused("others may read it");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    refused("a token of somebody else's");
    fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink(&good, &path).unwrap();
    refused("a link to a good one");
    fs::set_permissions(&good, fs::Permissions::from_mode(0o644)).unwrap();
    let (exit, answer) = ground.json(&["approve", &id, "--token-file", &good, "--json"]);
    assert_eq!(exit, Some(3), "{answer}");
}

#[test]
fn only_a_person_makes_a_token_and_only_in_a_new_file() {
    let ground = Ground::new();
    let path = ground.home.root().join("config/t");
    let (exit, answer) = ground.json(&["approvals", "--new-token", path.to_str().unwrap(), "--json"]);
    assert_eq!(exit, Some(3), "{answer}");
    assert!(!path.exists());
    let made = ground.token("t");
    let before = fs::read(&made).unwrap();
    let (exit, _) = ground
        .at_terminal(&["approvals", "--new-token", &made], TALL)
        .wait();
    assert_eq!(exit, Some(2));
    assert_eq!(fs::read(&made).unwrap(), before);
}
