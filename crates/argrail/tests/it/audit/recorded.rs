//! What a call leaves in the record, before and after.

use serde_json::{Value, json};

use super::ground::{entries, home};
use crate::ARGRAIL;

#[test]
fn a_call_is_recorded_before_it_runs_and_after() {
    let home = home();
    assert_eq!(home.run(ARGRAIL, &["call", "cat note"]).exit, Some(0));
    let all = entries(&home);
    let [intent, end] = all.as_slice() else {
        panic!("{all:#?}")
    };
    for (entry, seq, action) in [(intent, 0, "cli.intended"), (end, 1, "cli.invoked")] {
        assert_eq!(
            (&entry["$schema"], &entry["doctype"]),
            (&json!("agentgovernance/v1"), &json!("audit-event"))
        );
        assert_eq!((&entry["seq"], &entry["action"]), (&json!(seq), &json!(action)));
        assert_eq!(entry["actor"], json!({"id": "call", "role": "agent"}));
        assert_eq!(entry["policy"]["decision"], "allow");
        assert_eq!(
            (&entry["hashAlg"], &entry["signatures"]),
            (&json!("sha256"), &json!([]))
        );
        let facts = &entry["metadata"];
        assert_eq!(facts["argv"][1], "note");
        assert_eq!(
            (&facts["command"], &facts["parsed_command"]),
            (&json!("cat note"), &json!("cat"))
        );
        assert!(facts["argvHash"].as_str().unwrap().starts_with("hmac-sha256:"));
        assert!(facts["policyVersion"].as_str().unwrap().starts_with("sha256:"));
        assert!(
            facts["sandbox"]["profile"]
                .as_str()
                .unwrap()
                .starts_with("sha256:")
        );
        assert_eq!(
            (&facts["cli_id"], &facts["user_context"]["caller"]),
            (&json!("cat"), &json!("call"))
        );
        assert!(facts["envKeys"].is_array() && facts["cwd"].is_string());
    }
    assert_eq!(
        (&intent["prevHash"], &end["prevHash"]),
        (&json!("GENESIS"), &intent["hash"])
    );
    let facts = &end["metadata"];
    assert_eq!(
        (&facts["intent"], &facts["success"], &facts["exit_code"]),
        (&json!(0), &json!(true), &json!(0))
    );
    assert_eq!(facts["bytes"], json!({"stdout": 6, "stderr": 0}));
    assert!(
        facts["sandbox"]["tier"].is_u64() && facts["times"]["durationUs"].is_u64(),
        "{facts}"
    );
    assert!(facts["timestamp"].is_string() && facts["duration_ms"].is_u64());
    assert_eq!(facts["denials"], json!([]));
}

#[test]
fn no_secret_is_recorded() {
    let home = home();
    let token = format!("ghp_{}", "a1".repeat(18));
    for command in [
        "curl -u me:hunter2 http://a.test/",
        &format!("cat {token}"),
        "cat --password hunter2 note",
    ] {
        home.run(ARGRAIL, &["call", command]);
    }
    let text = std::fs::read_to_string(super::ground::log(&home)).unwrap();
    assert!(!text.contains("hunter2") && !text.contains(&token), "{text}");
    let hashes: Vec<Value> = entries(&home)
        .iter()
        .map(|entry| entry["metadata"]["argvHash"].clone())
        .collect();
    assert!(hashes.iter().any(Value::is_string), "something ran: {hashes:?}");
}

#[test]
fn the_same_words_have_the_same_hash_here_and_another_elsewhere() {
    let hash = |home: &argrail_testkit::Home| {
        home.run(ARGRAIL, &["call", "cat note"]);
        entries(home).last().unwrap()["metadata"]["argvHash"].clone()
    };
    let (here, elsewhere) = (home(), home());
    assert_eq!(hash(&here), hash(&here));
    assert_ne!(hash(&here), hash(&elsewhere));
}

#[test]
fn files_of_earlier_versions_are_left_alone() {
    let home = home().file("../state/argrail/audit/2026-01-01.jsonl", "{\"old\":1}\n");
    home.run(ARGRAIL, &["call", "version"]);
    super::ground::is_whole(&home, 1);
    let old = super::ground::directory(&home).join("2026-01-01.jsonl");
    assert_eq!(std::fs::read_to_string(old).unwrap(), "{\"old\":1}\n");
}
