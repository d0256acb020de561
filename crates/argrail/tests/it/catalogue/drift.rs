//! A tool that is not what it was is told of and not used until a person accepts it.

use std::fs::{self, File, FileTimes};
use std::io::Write;
use std::os::unix::fs::MetadataExt;

use argrail_testkit::Home;
use serde_json::{Value, json};

use super::ground::{data, envelope};
use crate::ARGRAIL;

const GOOD: &str =
    "#!/bin/sh\necho '{\"atip\":\"0.1\",\"name\":\"tool\",\"version\":\"1\",\"description\":\"good\"}'\n";

fn trust_of(home: &Home) -> Value {
    data(home, &["list"])["tools"][0]["trust"].clone()
}

#[test]
fn a_binary_rewritten_in_place_blocks_the_tool_until_it_is_accepted() {
    let home = Home::new().tool("tool", GOOD);
    assert_eq!(data(&home, &["scan", "--probe"])["found"][0]["name"], "tool");
    assert_eq!(trust_of(&home), "first-use");
    let path = home.bin().join("tool");
    let before = path.metadata().unwrap();
    let mut file = File::options().write(true).open(&path).unwrap();
    file.write_all(GOOD.replace("good", "evil").as_bytes()).unwrap();
    let times = FileTimes::new().set_modified(before.modified().unwrap());
    file.set_times(times).unwrap();
    drop(file);
    let after = path.metadata().unwrap();
    assert_eq!(
        (before.len(), before.ino(), before.mtime_nsec()),
        (after.len(), after.ino(), after.mtime_nsec())
    );

    assert_eq!(trust_of(&home), "drift");
    let shown = data(&home, &["show", "tool"]);
    assert_eq!(shown["drift"]["what"], "binary", "{shown}");
    assert_ne!(shown["drift"]["pinned"], shown["drift"]["now"]);
    let text = home.run(ARGRAIL, &["show", "tool"]).stdout;
    assert!(text.contains("argrail trust tool"), "{text}");
    // No model is told of it, by any way.
    assert_eq!(
        data(&home, &["show", "--context"])["toolContext"]["availableTools"],
        json!([])
    );
    assert_eq!(data(&home, &["search", "tool"])["hits"], json!([]));
    assert_eq!(
        envelope(&home, &["export", "tool", "--format", "mcp"])["error"]["code"],
        "SETUP_REQUIRED"
    );
    let called = home.run(ARGRAIL, &["call", "x-search good"]);
    assert!(called.stdout.contains("\"hits\":[]"), "{called}");
    // Asking it again changes what is known, not what is trusted.
    data(&home, &["scan", "--probe", "--refresh"]);
    assert_eq!(trust_of(&home), "drift");
    assert_eq!(
        envelope(&home, &["trust", "tool"])["success"],
        false,
        "nobody is there to accept it"
    );
    assert_eq!(trust_of(&home), "drift");
    assert_eq!(envelope(&home, &["trust", "tool", "--yes"])["success"], true);
    assert_eq!(trust_of(&home), "accepted");
    assert_eq!(data(&home, &["show", "tool"])["tool"]["description"], "evil");
}

#[test]
fn other_words_of_the_same_binary_are_drift_too() {
    let script = "#!/bin/sh\n. \"${0%/*}/words\"\n";
    let words =
        |text: &str| format!("echo '{{\"atip\":\"0.1\",\"name\":\"tool\",\"description\":\"{text}\"}}'\n");
    let home = Home::new().tool("tool", script);
    fs::write(home.bin().join("words"), words("good")).unwrap();
    data(&home, &["scan", "--probe"]);
    assert_eq!(trust_of(&home), "first-use");
    fs::write(home.bin().join("words"), words("evil")).unwrap();
    data(&home, &["scan", "--probe", "--refresh"]);
    assert_eq!(trust_of(&home), "drift");
    assert_eq!(data(&home, &["show", "tool"])["drift"]["what"], "metadata");
}
