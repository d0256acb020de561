//! `tools: ["/path"]` of the configuration: a program outside of `PATH` is listed, probed and callable.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use argrail_testkit::Home;
use serde_json::{Value, json};

use super::ground::{data, envelope};
use crate::ARGRAIL;

const SCRIPT: &str = r#"#!/bin/sh
if [ "$1" = --agent ]; then
  echo '{"atip":"0.1","name":"greeter","version":"1.0.0","description":"Greets","commands":{"hi":{"description":"Says hi","effects":{"network":false,"subprocess":false,"idempotent":true,"destructive":false,"filesystem":{"read":false,"write":false,"delete":false}}}}}'
  exit
fi
echo hello
"#;

/// A home with the program in a directory that no `PATH` has.
fn elsewhere(file: &str) -> (Home, PathBuf) {
    let home = Home::new().file(&format!("../elsewhere/{file}"), SCRIPT);
    let path = home.root().join("elsewhere").join(file);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    (home, path)
}

fn row(home: &Home) -> Value {
    let listed = data(home, &["list"]);
    listed["tools"][0].clone()
}

#[test]
fn a_program_that_the_configuration_names_is_listed_probed_and_called() {
    let (home, path) = elsewhere("greeter");
    let home = home.config(&json!({"tools": [path]}).to_string());
    let before = row(&home);
    assert_eq!(
        (&before["name"], &before["source"]),
        (&json!("greeter"), &json!("manual"))
    );
    assert_eq!(before["path"], json!(path));
    let asked = home.run(ARGRAIL, &["call", "greeter hi"]);
    assert_eq!(asked.json()["error"]["reason"], "approval_required", "{asked}");
    let scanned = data(&home, &["scan", "--probe", "--timeout", "30s"]);
    assert_eq!(scanned["found"][0]["name"], "greeter", "{scanned}");
    let after = row(&home);
    assert_eq!(
        (&after["source"], &after["version"]),
        (&json!("native"), &json!("1.0.0"))
    );
    assert_eq!(data(&home, &["list", "--source", "native"])["tools"][0], after);
    let called = home.run(ARGRAIL, &["call", "greeter hi"]);
    assert_eq!(called.json()["data"]["stdout"], "hello\n", "{called}");
}

#[test]
fn the_file_may_have_another_name_than_the_tool() {
    let (home, path) = elsewhere("greeter-1.0");
    let home = home
        .tool("greeter", "#!/bin/sh\necho another\n")
        .config(&json!({"tools": {"greeter": {"path": path}}}).to_string());
    let scanned = data(&home, &["scan", "--probe", "--timeout", "30s"]);
    assert_eq!(scanned["found"][0]["path"], json!(path), "{scanned}");
    let called = home.run(ARGRAIL, &["call", "greeter hi"]);
    assert_eq!(called.json()["data"]["stdout"], "hello\n", "{called}");
}

#[test]
fn one_that_cannot_be_started_is_not_replaced_by_another_of_its_name() {
    let home = Home::new().tool("greeter", "#!/bin/sh\necho another\n");
    let gone = home.root().join("elsewhere/greeter");
    let home = home.config(&json!({"tools": [gone]}).to_string());
    let answer = envelope(&home, &["call", "greeter"]);
    assert_eq!(answer["error"]["code"], "SETUP_REQUIRED", "{answer}");
    // Nor is one that a project brought, which nobody accepted.
    let home = Home::new()
        .file("tools.json", r#"{"tools": []}"#)
        .file("bin/greeter", SCRIPT);
    let path = home.work().join("bin/greeter");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let home = home.config(&json!({"tools": [path]}).to_string());
    let answer = envelope(&home, &["call", "greeter hi"]);
    assert_eq!(answer["error"]["code"], "SETUP_REQUIRED", "{answer}");
}

#[test]
fn every_source_is_a_filter() {
    let (home, _) = elsewhere("greeter");
    let home = home.tool("ls", "#!/bin/sh\n");
    let names = |source: &str| {
        let listed = data(&home, &["list", "--source", source]);
        let tools = listed["tools"].as_array().unwrap().clone();
        tools.iter().map(|tool| tool["name"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(names("shipped"), ["ls"]);
    assert_eq!(names("bundle"), [""; 0]);
    let refused = envelope(&home, &["list", "--source", "nowhere"]);
    assert_eq!(refused["_meta"]["command"], "list", "{refused}");
    let why = home.run(ARGRAIL, &["why", "--json", "no-such-tool", "x"]);
    assert_eq!(why.json()["_meta"]["command"], "no-such-tool x", "{why}");
}
