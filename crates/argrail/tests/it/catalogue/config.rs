//! What `config.json` does to the catalogue.

use argrail_testkit::Home;
use serde_json::{Value, json};

use super::ground::{data, home};
use crate::ARGRAIL;

#[test]
fn a_tool_that_the_configuration_names_is_there() {
    let home = Home::new();
    let file = home.work().join("mine.json");
    let config = json!({"tools": {"mine": {"path": home.bin().join("mine"), "metadata": file}}});
    let home = home
        .tool("mine", "#!/bin/sh\n")
        .file(
            "mine.json",
            r#"{"atip": "0.1", "name": "mine", "version": "3", "description": "Mine"}"#,
        )
        .config(&config.to_string());
    let listed = data(&home, &["list"]);
    assert_eq!(listed["tools"][0]["name"], "mine", "{listed}");
    assert_eq!(listed["tools"][0]["source"], "manual");
    let shown = data(&home, &["show", "mine"]);
    assert!(
        shown["provenance"]["/version"]
            .as_str()
            .unwrap()
            .starts_with("config:")
    );
    assert_eq!(shown["path"], json!(home.bin().join("mine")));
    std::fs::remove_file(home.work().join("mine.json")).unwrap();
    let listed = data(&home, &["list"]);
    assert_eq!(listed["tools"], json!([]));
    assert!(
        listed["problems"].to_string().contains("there is no such file"),
        "{listed}"
    );
}

#[test]
fn redacted_fields_are_nowhere() {
    let config = r#"{"redact": ["/title", "/commands/pr/commands/merge/examples", "/toolState"]}"#;
    let home = home().config(config);
    let shown = data(&home, &["show", "hb"]);
    assert!(!shown.to_string().contains("Ours"), "{shown}");
    assert_eq!(shown["tool"].get("title"), None);
    assert!(!shown["provenance"].to_string().contains("/title"));
    assert!(!shown.to_string().contains("hb pr merge 7"));
    let context = data(&home, &["show", "--context"]);
    assert_eq!(context["toolContext"]["toolStates"], json!({}));
    let exported = home.run(ARGRAIL, &["export", "hb", "--format", "atip"]);
    assert!(
        exported.stdout.contains("pull request") && !exported.stdout.contains("Ours"),
        "{exported}"
    );
}

#[test]
fn what_the_configuration_redacts_is_not_kept() {
    let answer = r#"{"atip":"0.1","name":"leaky","version":"1","description":"D","homepage":"https://internal.example"}"#;
    let home = Home::new()
        .tool("leaky", &format!("#!/bin/sh\necho '{answer}'\n"))
        .config(r#"{"redact": ["/homepage"]}"#);
    let scanned = data(&home, &["scan", "--probe"]);
    assert_eq!(scanned["found"][0]["name"], "leaky", "{scanned}");
    let kept = std::fs::read_to_string(home.root().join("data/agent-tools/tools/leaky.json")).unwrap();
    let kept: Value = serde_json::from_str(&kept).unwrap();
    assert_eq!(kept["metadata"]["description"], "D");
    assert_eq!(kept["metadata"].get("homepage"), None);
}

#[test]
fn redacting_more_or_less_is_no_change_of_the_tool() {
    let answer = r#"{"atip":"0.1","name":"leaky","version":"1","description":"D","homepage":"https://internal.example"}"#;
    let home = Home::new().tool("leaky", &format!("#!/bin/sh\necho '{answer}'\n"));
    let trust = || {
        data(&home, &["scan", "--probe", "--refresh"]);
        data(&home, &["list"])["tools"][0]["trust"].clone()
    };
    assert_eq!(trust(), "first-use");
    std::fs::create_dir_all(home.config_file().parent().unwrap()).unwrap();
    for config in [
        r#"{"redact": ["/homepage"]}"#,
        r#"{"redact": ["/homepage", "/description"]}"#,
        "{}",
        r#"{"redact": ["/description"]}"#,
    ] {
        std::fs::write(home.config_file(), config).unwrap();
        assert_eq!(trust(), "first-use", "{config}");
    }
}
