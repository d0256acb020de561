//! `argrail lint` of a manifest, and its JSON Schema.

use argrail_testkit::Home;
use serde_json::{Value, json};

use crate::ARGRAIL;

#[test]
fn a_manifest_is_linted_in_the_drafts_words() {
    let home = Home::new().file(
        "tools.json",
        "{\"tools\": [\n  {\"name\": \"a\", \"description\": \"x\", \"command\": [\"./tools/bin/../hack\"]}\n]}",
    );
    let run = home.run(ARGRAIL, &["lint", "tools.json", "--format", "json"]);
    assert_eq!(run.exit, Some(1), "{run}");
    let answer: Value = serde_json::from_str(&run.stdout).unwrap();
    let text = answer.to_string();
    assert!(text.contains(r#""kind":"tools.json""#), "{text}");
    assert!(
        text.contains(
            r#"tool[0] \"a\": command[0] escapes ./tools/bin after normalization (got \"./tools/bin/../hack\" -> \"./tools/hack\")"#
        ),
        "{text}"
    );
    assert!(
        text.contains(r#""line":2"#) && text.contains(r#""column":49"#),
        "{text}"
    );
}

#[test]
fn the_schema_of_a_manifest_is_printed() {
    let home = Home::new();
    let run = home.run(ARGRAIL, &["lint", "--schema", "tools-json"]);
    let schema: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(schema["title"], "tools.json manifest", "{run}");
    assert_eq!(schema["required"], json!(["tools"]));
}

#[test]
fn what_cannot_be_read_or_parsed_is_told_in_the_drafts_words() {
    let check = |text: Option<&str>, want: &str| {
        let home = Home::new();
        let home = match text {
            Some(text) => home.file("tools.json", text),
            None => home,
        };
        for words in [
            &["lint", "tools.json"][..],
            &["export", "--format", "openai", "--file", "tools.json"],
        ] {
            let run = home.run(ARGRAIL, words);
            assert_ne!(run.exit, Some(0), "{run}");
            assert!(format!("{}{}", run.stdout, run.stderr).contains(want), "{run}");
        }
    };
    check(None, "read manifest: ");
    check(Some(r#"{"tools":["#), "parse manifest: ");
    check(Some(r#"{"tools":[],"tools":[]}"#), "parse manifest: ");
    check(Some(r#"{"tools": 5}"#), "parse manifest: ");
}

#[test]
fn a_name_that_cannot_be_typed_leaves_the_other_tools_exported() {
    let tool = |name: &str| json!({"name": name, "description": "D", "command": ["/bin/cat"]});
    let manifest = json!({"tools": [tool("odd name"), tool("fine")]});
    let home = Home::new().file("tools.json", &manifest.to_string());
    let run = home.run(ARGRAIL, &["export", "--format", "openai", "--file", "tools.json"]);
    assert_eq!(run.exit, Some(0), "{run}");
    assert!(
        run.stdout.contains(r#""name":"fine""#) && !run.stdout.contains("odd"),
        "{run}"
    );
    assert!(
        run.stderr
            .contains("odd name: no command line can begin with its name"),
        "{run}"
    );
    let run = home.run(
        ARGRAIL,
        &["export", "--json", "--format", "openai", "--file", "tools.json"],
    );
    assert_eq!(run.json()["data"]["notes"][0]["tool"], "odd name", "{run}");
}
