//! Claims beside a settled description: they tighten, they relax nothing, and about another file they say nothing.

use std::fs;

use argrail_testkit::Home;
use serde_json::{Value, json};

use super::ground::{call, home, metadata, reads};
use crate::ARGRAIL;

/// A home with this description of a tool in its data home.
trait Put {
    fn put(self, name: &str, metadata: &Value) -> Self;
}

impl Put for Home {
    fn put(self, name: &str, metadata: &Value) -> Self {
        let folder = self.root().join("data/agent-tools/shims");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(format!("{name}.json")), metadata.to_string()).unwrap();
        self
    }
}

fn claims(name: &str, effects: &Value) -> Value {
    json!({
        "atip": "0.1", "name": name, "version": "1.0.0", "description": "Claims something",
        "commands": {"": {"description": "Does it", "effects": effects}},
    })
}

/// Returns the decision and each rule with its origin.
fn why(home: &Home, words: &[&str]) -> (String, Vec<(String, String)>) {
    let words: Vec<&str> = ["why", "--json", "--"]
        .into_iter()
        .chain(words.iter().copied())
        .collect();
    let run = home.run(ARGRAIL, &words);
    assert_eq!(run.exit, Some(0), "{run}");
    let data = run.json()["data"].clone();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let reasons = data["reasons"].as_array().unwrap().iter();
    let reasons = reasons.map(|reason| (text(&reason["rule"]), text(&reason["origin"])));
    (text(&data["decision"]), reasons.collect())
}

#[track_caller]
fn asks(home: &Home, words: &[&str], want: &[(&str, &str)]) {
    let (decision, reasons) = why(home, words);
    assert_eq!(decision, "ask", "{words:?}: {reasons:?}");
    for (rule, origin) in want {
        let is_there = |(known, from): &(String, String)| known == rule && from.contains(origin);
        assert!(reasons.iter().any(is_there), "{rule} of {origin}: {reasons:?}");
    }
}

#[test]
fn a_claim_tightens_what_the_catalogue_describes() {
    let home = home().file("note", "hello\n");
    assert_eq!(why(&home, &["wc", "note"]).0, "allow");
    let effects = json!({"destructive": true, "creates": ["x"], "cost": {"billable": true}});
    let home = home.put("wc", &claims("wc", &effects));
    asks(
        &home,
        &["wc", "note"],
        &[
            ("default.change", "shims/wc.json"),
            ("default.billable", "shims/wc.json"),
        ],
    );
    // What the catalogue says holds.
    let (_, reasons) = why(&home, &["wc", "note"]);
    assert!(
        reasons.iter().all(|(rule, _)| rule != "default.destructive"),
        "{reasons:?}"
    );
    let run = call(&home, "wc note");
    assert_eq!(run.json()["error"]["reason"], "approval_required", "{run}");
    let home = home.config(r#"{"permissionPolicy": {"deny": {"effects.creates": ["x"]}}}"#);
    assert_eq!(why(&home, &["wc", "note"]).0, "deny");
}

#[test]
fn a_claim_of_paths_is_denied_by_a_rule_about_them_and_opens_nothing() {
    let claim = json!({"filesystem": {"read": true, "write": false, "paths": ["/etc/shadow"]}});
    let home = home().file("note", "hello\n").put("wc", &claims("wc", &claim));
    assert_eq!(why(&home, &["wc", "note"]).0, "allow");
    let run = home.run(ARGRAIL, &["why", "--json", "--", "wc", "note"]);
    assert!(
        !run.json()["data"]["sandbox"].to_string().contains("shadow"),
        "{run}"
    );
    let home = home.config(r#"{"permissionPolicy": {"deny": {"filesystem.paths": ["/etc/**"]}}}"#);
    assert_eq!(why(&home, &["wc", "note"]).0, "deny");
}

#[test]
fn a_claim_tightens_what_the_configuration_describes_and_relaxes_nothing() {
    let home = home().tool("mg", "#!/bin/sh\necho ok\n");
    let file = home.root().join("mg.json");
    fs::write(&file, metadata("mg", &json!({})).to_string()).unwrap();
    let config = json!({"tools": {"mg": {"metadata": file}}});
    let home = home.config(&config.to_string());
    assert_eq!(why(&home, &["mg", "a"]).0, "allow");
    let home = home.put("mg", &claims("mg", &json!({"cost": {"billable": true}})));
    asks(&home, &["mg", "a"], &[("default.billable", "shims/mg.json")]);

    let mut effects = reads();
    effects["filesystem"]["write"] = json!(true);
    fs::write(&file, metadata("mg", &json!({"effects": effects})).to_string()).unwrap();
    let home = home.put("mg", &claims("mg", &reads()));
    asks(&home, &["mg", "a"], &[("default.change", "mg.json")]);
}

#[test]
fn a_shim_about_another_file_has_no_word() {
    let digest = format!("sha256:{}", "0".repeat(64));
    for more in [
        json!({"binary": {"hash": digest}}),
        json!({"trust": {"integrity": {"checksum": digest}}}),
    ] {
        let home = home().tool("h1", "#!/bin/sh\necho ran\n");
        let home = home.put("h1", &metadata("h1", &json!({})));
        assert_eq!(why(&home, &["h1"]).0, "allow");
        let home = home.put("h1", &metadata("h1", &more));
        let told = "it describes another file than the one that is there";
        for words in [["why", "--json", "h1"].as_slice(), &["call", "h1"]] {
            let run = home.run(ARGRAIL, words);
            assert_eq!(run.json()["error"]["code"], "EXECUTION_ERROR", "{more}: {run}");
            let message = run.json()["error"]["message"].to_string();
            assert!(message.contains(told), "{more}: {run}");
        }
        let list = home.run(ARGRAIL, &["list"]);
        assert!(list.stderr.contains(told), "{more}: {list}");
        let show = home.run(ARGRAIL, &["show", "h1"]);
        assert!(show.stderr.contains(told), "{more}: {show}");
    }
}

#[test]
fn a_place_that_is_denied_is_denied_by_whatever_word() {
    let policy = r#"{"permissionPolicy": {"deny": {"filesystem.paths": ["/etc/**", "*.pem"]}}}"#;
    let option = json!([{"name": "out", "flags": ["--out"], "type": "string", "description": "Where to"}]);
    let mut described = metadata("ct", &json!({}));
    described["commands"][""]["options"] = option;
    let home = home().tool("ct", "#!/bin/sh\necho ran\n").put("ct", &described);
    let home = home.config(policy);
    for word in [
        "/etc/passwd",
        "../../../../../../../../../etc/passwd",
        "of=/etc/passwd",
        "--out=/etc/x",
        "key.pem",
    ] {
        assert_eq!(why(&home, &["ct", word]).0, "deny", "{word}");
    }
    for word in ["etc", "note", "a/b", "https://example.com/etc/passwd"] {
        assert_ne!(why(&home, &["ct", word]).0, "deny", "{word}");
    }
}

#[test]
fn a_trusted_project_tightens_what_the_catalogue_describes_and_relaxes_nothing() {
    let tight = json!({"commands": {"": {"effects": {"cost": {"billable": true}}}}});
    let home = home()
        .file("note", "hello\n")
        .file(".agent-tools/overrides/wc.json", &tight.to_string());
    assert_eq!(why(&home, &["wc", "note"]).0, "allow");
    let trusted = home.run(ARGRAIL, &["trust", "--yes", "."]);
    assert_eq!(trusted.exit, Some(0), "{trusted}");
    asks(
        &home,
        &["wc", "note"],
        &[("default.billable", "project:.agent-tools/overrides/wc.json")],
    );
    let loose = json!({"commands": {"": {"effects": reads()}}});
    let home = home.file(".agent-tools/overrides/tee.json", &loose.to_string());
    let trusted = home.run(ARGRAIL, &["trust", "--yes", "."]);
    assert_eq!(trusted.exit, Some(0), "{trusted}");
    asks(&home, &["tee", "note"], &[("default.change", "catalogue:tee")]);
}
