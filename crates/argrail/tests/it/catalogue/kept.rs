//! What is kept of tools: where it says they are, what a damaged entry is told as, what a schema holds.

use std::fs;

use argrail_testkit::Home;
use argrail_testkit::mcp::Client;
use serde_json::{Value, json};

use super::ground::{data, home as shims};
use crate::ARGRAIL;

const EFFECTS: &str = r#"{"network":false,"subprocess":false,"idempotent":true,"destructive":false,"filesystem":{"read":false,"write":false,"delete":false}}"#;

/// A home whose own `bin` is below what `~` means, with a tool in it.
fn kept() -> Home {
    let option = r#"{"name":"who","flags":["--who"],"type":"string","description":"Whom","schema":{"type":"string","minLength":2,"maxLength":5}}"#;
    let many = r#"{"name":"tag","flags":["--tag"],"type":"array","description":"Tags","schema":{"type":"array","items":{"enum":["a","b"]}}}"#;
    let count = r#"{"name":"count","type":"integer","required":false,"description":"How often","schema":{"type":"integer","maximum":9}}"#;
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = --agent ] && echo '{{\"atip\":\"0.1\",\"name\":\"greet\",\"version\":\"1.0.0\",\
         \"description\":\"Greets\",\"commands\":{{\"hi\":{{\"description\":\"Says hi\",\"options\":[{option},{many}],\
         \"arguments\":[{count}],\"effects\":{EFFECTS}}}}}}}' && exit\necho hello\n"
    );
    let home = Home::new().tool("greet", &script);
    let root = home.root().to_owned();
    let home = home
        .env("HOME", &root)
        .env("XDG_CONFIG_HOME", root.join("config"))
        .env("XDG_DATA_HOME", root.join("data"));
    let scanned = data(&home, &["scan", "--probe", "--timeout", "30s"]);
    assert_eq!(scanned["found"][0]["name"], "greet", "{scanned}");
    home
}

fn call(home: &Home, command: &str) -> Value {
    home.run(ARGRAIL, &["call", command]).json()
}

#[test]
fn the_registry_writes_the_home_as_a_tilde() {
    let home = kept();
    let text = fs::read_to_string(home.root().join("data/agent-tools/registry.json")).unwrap();
    let registry: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(registry["tools"]["greet"]["path"], "~/bin/greet", "{text}");
    assert!(!text.contains(home.root().to_str().unwrap()), "{text}");
    assert_eq!(call(&home, "greet hi")["data"]["stdout"], "hello\n");
    // What is written so is known again: nothing is asked twice.
    assert_eq!(data(&home, &["scan", "--probe"])["executed"], 0);
}

#[test]
fn a_damaged_entry_is_told_as_one() {
    let home = kept();
    let file = home.root().join("data/agent-tools/tools/greet.json");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("Greets", "Greeds")).unwrap();
    let listed = data(&home, &["list"]);
    let problem = listed["problems"][0]["message"].as_str().unwrap();
    assert!(problem.starts_with("a damaged cache entry ("), "{listed}");
    assert!(!problem.contains(file.to_str().unwrap()), "{listed}");
    for command in ["greet hi", "greet hi --who ann", "greet"] {
        let error = call(&home, command)["error"].clone();
        let message = error["message"].as_str().unwrap();
        assert!(message.contains("damaged cache entry"), "{command}: {error}");
        assert!(message.contains("argrail scan --probe"), "{command}: {error}");
    }
    // The next probe writes it anew.
    data(&home, &["scan", "--probe", "--timeout", "30s"]);
    assert_eq!(call(&home, "greet hi")["data"]["stdout"], "hello\n");
}

#[test]
fn a_value_is_held_against_its_schema() {
    let home = kept();
    for (command, fits) in [
        ("greet hi --who ann", true),
        ("greet hi --who a", false),
        ("greet hi --who abcdefgh", false),
        ("greet hi --tag a --tag b", true),
        ("greet hi --tag a --tag c", false),
        ("greet hi 9", true),
        ("greet hi 10", false),
    ] {
        let answer = call(&home, command);
        let code = if fits {
            Value::Null
        } else {
            json!("VALIDATION_ERROR")
        };
        assert_eq!(answer["error"]["code"], code, "{command}: {answer}");
    }
    let refused = call(&home, "greet hi --who a");
    let told = refused["error"]["hint"].as_str().unwrap();
    assert!(told.contains("text, of at least 2 characters"), "{refused}");
}

#[test]
fn a_caller_is_told_of_the_tools_that_its_delegation_leaves_it() {
    let config = r#"{"delegations": {"junior": {"allowedTools": ["dial"]}}}"#;
    let home = shims()
        .tool("hb", "#!/bin/sh\n")
        .tool("dial", "#!/bin/sh\n")
        .config(config);
    let available = |words: &[&str]| {
        let run = home.run(ARGRAIL, &[&["call", "x-context"], words].concat());
        run.json()["data"]["toolContext"]["availableTools"].clone()
    };
    assert_eq!(available(&[]), json!(["dial", "hb"]));
    assert_eq!(available(&["--caller", "junior"]), json!(["dial"]));
    let found = home.run(
        ARGRAIL,
        &["call", "x-search merge a pull request", "--caller", "junior"],
    );
    assert!(!found.stdout.contains("hb pr merge"), "{found}");

    let described = |name: &str, words: &[&str]| {
        let words = [&["serve"], words].concat();
        let mut client = Client::new(home.spawn(ARGRAIL, &words));
        let id = client.request(
            "initialize",
            json!({"protocolVersion": "2025-11-25", "capabilities": {},
                "clientInfo": {"name": name, "version": "1"}}),
        );
        client.result(id);
        client.notify("notifications/initialized", json!({}));
        let id = client.request("tools/list", json!({}));
        let listed = client.result(id);
        listed["tools"][0]["description"].as_str().unwrap().to_owned()
    };
    let has = |text: &str, tool: &str| text.contains(&format!(" {tool},"));
    let senior = described("senior", &[]);
    assert!(has(&senior, "hb") && has(&senior, "dial"), "{senior}");
    let junior = described("junior", &[]);
    assert!(!has(&junior, "hb") && has(&junior, "dial"), "{junior}");
    assert!(junior.contains("x-search"), "{junior}");
    fs::write(home.work().join("d.json"), r#"{"allowedTools": ["hb"]}"#).unwrap();
    let process = described("senior", &["--delegation", "d.json"]);
    assert!(has(&process, "hb") && !has(&process, "dial"), "{process}");
}
