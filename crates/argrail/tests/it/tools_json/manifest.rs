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
