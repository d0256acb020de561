//! `argrail export`: definitions on stdout, what is left out on stderr.

use argrail_testkit::{Home, Run};
use serde_json::{Value, json};

use super::ARGRAIL;

/// A tool with one command of every sort.
pub(crate) const BOX: &str = r#"{
  "atip": "0.1", "name": "box", "version": "1.0.0", "description": "A box",
  "globalOptions": [{"name": "quiet", "flags": ["-q", "--quiet"], "type": "boolean", "description": "Say less"}],
  "commands": {
    "put": {
      "description": "Put it in",
      "arguments": [{"name": "what", "type": "string", "description": "This"}],
      "options": [{"name": "size", "flags": ["--size"], "type": "integer", "description": "How large"}],
      "effects": {"network": false, "destructive": true, "creates": ["thing"]}
    },
    "secret": {"description": "Not for lists", "hidden": true}
  }
}"#;

pub(crate) fn home() -> Home {
    Home::new().file("box.json", BOX)
}

fn parsed(run: &Run) -> Value {
    assert_eq!(run.exit, Some(0), "{run}");
    serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run}"))
}

#[test]
fn every_format_is_printed() {
    let home = home();
    let exported =
        |format: &str| parsed(&home.run(ARGRAIL, &["export", "--format", format, "--file", "box.json"]));
    assert_eq!(exported("openai")[0]["function"]["name"], "box_put");
    assert_eq!(
        exported("anthropic")[0]["input_schema"]["required"],
        json!(["what"])
    );
    assert_eq!(
        exported("gemini")["functionDeclarations"][0]["parameters"]["type"],
        "OBJECT"
    );
    let tool = &exported("mcp")["tools"][0];
    assert_eq!(
        tool["annotations"],
        json!({"readOnlyHint": false, "destructiveHint": true, "openWorldHint": false})
    );
    let description = tool["description"].as_str().unwrap();
    assert!(
        description.contains("[DESTRUCTIVE]") && description.contains("[CREATES: thing]"),
        "{description}"
    );
    assert_eq!(exported("atip"), serde_json::from_str::<Value>(BOX).unwrap());
}

#[test]
fn strict_is_for_those_that_have_it() {
    let home = home();
    let run = |format: &str| {
        home.run(
            ARGRAIL,
            &["export", "--strict", "--format", format, "--file", "box.json"],
        )
    };
    let strict = parsed(&run("openai"));
    assert_eq!(strict[0]["function"]["strict"], true);
    assert_eq!(
        strict[0]["function"]["parameters"]["required"],
        json!(["quiet", "size", "what"])
    );
    let refused = run("gemini");
    assert_eq!(refused.exit, Some(2), "{refused}");
    assert!(refused.stderr.contains("--format openai"), "{refused}");
}

#[test]
fn the_envelope_says_which_command_each_name_means() {
    let run = home().run(
        ARGRAIL,
        &["export", "--json", "--format", "mcp", "--file", "box.json"],
    );
    let envelope = parsed(&run);
    assert_eq!(envelope["success"], true, "{run}");
    assert_eq!(
        envelope["data"]["names"],
        json!({"box_put": {"tool": "box", "path": ["put"]}})
    );
    assert_eq!(envelope["data"]["format"], "mcp");
    assert_eq!(envelope["data"]["notes"], json!([]));
}

#[test]
fn what_is_left_out_is_said_on_stderr() {
    let odd = BOX.replace("[\"--size\"]", "[\"--size WIDTH\"]");
    let home = Home::new().file("odd.json", &odd);
    let run = home.run(ARGRAIL, &["export", "--format", "openai", "--file", "odd.json"]);
    let tools = parsed(&run);
    assert!(
        tools[0]["function"]["parameters"]["properties"]
            .get("size")
            .is_none(),
        "{run}"
    );
    assert!(
        run.stderr.contains("box put: \"size\": the option has no flag"),
        "{run}"
    );
}

#[test]
fn a_tool_that_nobody_knows_is_refused_with_what_to_do() {
    let run = home().run(ARGRAIL, &["export", "nope", "--json", "--format", "openai"]);
    assert_eq!(run.exit, Some(2), "{run}");
    let envelope: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(envelope["error"]["code"], "COMMAND_NOT_FOUND", "{run}");
    assert!(
        envelope["error"]["hint"].as_str().unwrap().contains("argrail"),
        "{run}"
    );
}

#[test]
fn a_file_that_is_no_metadata_is_refused_with_its_place() {
    let home = Home::new().file("bad.json", "{\n  \"atip\": \"0.1\",\n  \"name\": \"x\",,\n}");
    let run = home.run(
        ARGRAIL,
        &["export", "--json", "--format", "openai", "--file", "bad.json"],
    );
    assert_eq!(run.exit, Some(1), "{run}");
    assert!(run.stdout.contains("'bad.json':3:"), "{run}");
    let absent = home.run(
        ARGRAIL,
        &["export", "--format", "openai", "--file", "absent.json"],
    );
    assert_eq!((absent.exit, absent.stdout.as_str()), (Some(1), ""), "{absent}");
}

#[test]
fn the_catalogue_is_exported_and_called_back() {
    let home = Home::new().file("../data/agent-tools/shims/box.json", BOX).file(
        "../data/agent-tools/shims/crate.json",
        &BOX.replace("box", "crate"),
    );
    let named = |words: &[&str]| -> Vec<String> {
        let words = [&["export", "--format", "anthropic"], words].concat();
        let tools = parsed(&home.run(ARGRAIL, &words));
        let names = tools
            .as_array()
            .unwrap()
            .iter()
            .map(|tool| tool["name"].as_str().unwrap().to_owned());
        names.collect()
    };
    assert_eq!(named(&[]), ["box_put", "crate_put"]);
    assert_eq!(named(&["crate"]), ["crate_put"]);
    let message = r#"{"type": "tool_use", "id": "t", "name": "crate_put", "input": {"what": "x"}}"#;
    let words = ["call", "--provider", "anthropic", "--input", "-"];
    let called = parsed(&home.run_with_input(ARGRAIL, &words, message));
    assert_eq!(
        called["data"]["calls"][0]["argv"],
        json!(["crate", "put", "x"]),
        "{called}"
    );
}
