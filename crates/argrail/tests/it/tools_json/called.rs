//! The ways to call a tool: as a command, with `--json`, with `--tool`, by a provider's message. All are one door.

use argrail_testkit::{Home, Run};
use serde_json::{Value, json};

use super::ground::one;
use crate::ARGRAIL;

/// A trusted project with a tool whose effects nobody knows.
fn trusted() -> Home {
    let schema = json!({"type": "object", "properties": {"zone": {"type": "string"}}});
    let home = one("#!/bin/sh\nexec /bin/cat\n", json!({"schema": schema}));
    assert_eq!(home.run(ARGRAIL, &["trust", "--yes"]).exit, Some(0));
    home
}

fn envelope(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run}"))
}

#[test]
fn every_way_to_call_a_tool_is_answered_alike() {
    let home = trusted();
    let code = |run: &Run| envelope(run)["error"]["code"].as_str().unwrap().to_owned();
    let text = code(&home.run(ARGRAIL, &["call", "t --zone UTC"]));
    let json = code(&home.run(ARGRAIL, &["call", "t --json '{\"zone\":\"UTC\"}'"]));
    let words = ["call", "--tool", "t", "--input", "{\"zone\":\"UTC\"}"];
    let tool = code(&home.run(ARGRAIL, &words));
    let words = ["call", "--tool", "t", "--input", "-"];
    let stdin = code(&home.run_with_input(ARGRAIL, &words, "{\"zone\":\"UTC\"}"));
    assert_eq!([&json, &tool, &stdin], [&text; 3]);
}

#[test]
fn a_message_with_several_calls_is_answered_in_its_order() {
    let home = trusted();
    let call = |id: &str| json!({"id": id, "type": "function", "function": {"name": "t", "arguments": "{\"zone\": \"UTC\"}"}});
    let message =
        json!({"role": "assistant", "tool_calls": [call("c1"), call("c2"), call("c3")]}).to_string();
    let words = ["call", "--provider", "openai", "--input", "-"];
    let run = home.run_with_input(ARGRAIL, &words, &message);
    let data = &envelope(&run)["data"];
    assert_eq!(data["executed"], true, "{run}");
    let ids: Vec<&Value> = data["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| &result["tool_call_id"])
        .collect();
    assert_eq!(ids, ["c1", "c2", "c3"], "{run}");
    assert_eq!(
        data["calls"][1]["argv"],
        json!(["t", "--json", "{\"zone\": \"UTC\"}"])
    );
    assert_eq!(data["calls"][2]["envelope"]["success"], false, "{run}");
    let content: Value = serde_json::from_str(data["results"][0]["content"].as_str().unwrap()).unwrap();
    assert_eq!(
        content["error"], data["calls"][0]["envelope"]["error"]["message"],
        "{run}"
    );
}

#[test]
fn a_tool_wants_its_input_and_no_command_beside() {
    let home = Home::new();
    for words in [
        &["call", "--tool", "t"][..],
        &["call", "--input", "{}"],
        &["call", "t", "--tool", "t", "--input", "{}"],
        &["call", "--tool", "t", "--provider", "mcp", "--input", "{}"],
    ] {
        let run = home.run(ARGRAIL, words);
        assert_eq!(run.exit, Some(2), "{run}");
    }
}

/// Says of the tool `t` that it only reads, so that calls of it run.
fn vouched(home: Home) -> Home {
    let home = home.file(
        "../config/agent-tools/overrides/t.json",
        r#"{"effects": {"network": false, "subprocess": false, "idempotent": true, "destructive": false,
            "filesystem": {"read": true, "write": false, "delete": false}}}"#,
    );
    assert_eq!(home.run(ARGRAIL, &["trust", "--yes"]).exit, Some(0));
    home
}

/// A tool that answers with what it reads.
fn echoing(schema: &Value) -> Home {
    let entry = json!({"schema": schema, "command": ["/bin/cat"]});
    vouched(one("#!/bin/sh\n", entry))
}

#[test]
fn an_override_of_the_command_takes_no_option_away() {
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
    let home = one("#!/bin/sh\n", json!({"schema": schema, "command": ["/bin/cat"]})).file(
        "../config/agent-tools/overrides/t.json",
        r#"{"commands": {"": {"effects": {"network": false, "subprocess": false, "idempotent": true,
            "destructive": false, "filesystem": {"read": true, "write": false, "delete": false}}}}}"#,
    );
    assert_eq!(home.run(ARGRAIL, &["trust", "--yes"]).exit, Some(0));
    let run = home.run(ARGRAIL, &["call", "t --n 3"]);
    let answer = envelope(&run);
    let asks = answer["error"]["reason"] == "approval_required";
    assert!(asks || answer["data"] == json!({"n": 3}), "{run}");
}

#[test]
fn one_bad_call_of_a_message_does_not_stop_the_others() {
    let home = echoing(&json!({"type": "object", "properties": {"n": {"type": "integer"}}}));
    let call = |id: &str, name: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}});
    let message = json!({"role": "assistant", "tool_calls": [
        call("c1", "t", "{\"n\": 1}"),
        call("c2", "tt", "{}"),
        call("c3", "t", "{\"n\": "),
        {"id": "c4", "type": "function", "function": {"arguments": "{}"}},
        call("c5", "t", "{\"n\": \"x\"}"),
        call("c6", "t", "{\"n\": 6}"),
    ]});
    let words = ["call", "--provider", "openai", "--input", "-"];
    let run = home.run_with_input(ARGRAIL, &words, message.to_string());
    let data = &envelope(&run)["data"];
    let results = data["results"].as_array().unwrap();
    let ids: Vec<&str> = results
        .iter()
        .map(|result| result["tool_call_id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["c1", "c2", "c3", "c4", "c5", "c6"], "{run}");
    let content =
        |at: usize| -> Value { serde_json::from_str(results[at]["content"].as_str().unwrap()).unwrap() };
    assert_eq!(
        (content(0), content(5)),
        (json!({"n": 1}), json!({"n": 6})),
        "{run}"
    );
    let codes: Vec<&Value> = (1..5)
        .map(|at| &data["calls"][at]["envelope"]["error"]["code"])
        .collect();
    assert_eq!(
        codes,
        [
            "COMMAND_NOT_FOUND",
            "PARSE_ERROR",
            "VALIDATION_ERROR",
            "VALIDATION_ERROR"
        ],
        "{run}"
    );
    for at in 1..5 {
        assert!(content(at)["error"].is_string(), "{run}");
    }
}

#[test]
fn options_are_spelt_and_typed_as_the_draft_of_command_lines_says() {
    let home = echoing(&json!({"type": "object", "properties": {
        "dry_run": {"type": "boolean"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "ids": {"type": "array", "items": {"type": "integer"}},
        "when": {"type": "string", "format": "date-time"},
        "day": {"type": "string", "format": "date"},
        "mail": {"type": "string", "format": "email"},
    }}));
    let check = |line: &str, want: Value| {
        let run = home.run(ARGRAIL, &["call", line]);
        assert_eq!(envelope(&run)["data"], want, "{run}");
    };
    check("t --dry-run", json!({"dry_run": true}));
    check("t --dry_run", json!({"dry_run": true}));
    check("t --dry-run true", json!({"dry_run": true}));
    check("t --dry_run false", json!({"dry_run": false}));
    check("t --no-dry-run", json!({"dry_run": false}));
    check("t --tags a,b --tags c", json!({"tags": ["a", "b", "c"]}));
    check("t --ids 1,2", json!({"ids": [1, 2]}));
    check("t --json '{\"tags\":[\"a,b\"]}'", json!({"tags": ["a,b"]}));
    let fits = "t --when 2026-02-02T10:00:00Z --day 2026-02-02 --mail a@example.com";
    check(
        fits,
        json!({"when": "2026-02-02T10:00:00Z", "day": "2026-02-02", "mail": "a@example.com"}),
    );
    for (line, told) in [
        ("t --when yesterday", "an ISO8601 date with a time and its zone"),
        ("t --day 2026-02-30", "an ISO8601 date (e.g., 2026-02-02)"),
        ("t --mail nobody", "text, in the form of email"),
        (
            "t --ids 1,x",
            "a whole number, or several with commas between them",
        ),
        (
            "t --json '{\"mail\":\"nobody\"}'",
            "'/mail': expected what 'format' asks for: 'email'",
        ),
    ] {
        let run = home.run(ARGRAIL, &["call", line]);
        let error = &envelope(&run)["error"];
        assert_eq!(error["code"], "VALIDATION_ERROR", "{run}");
        let said = format!("{} {}", error["message"], error["hint"]);
        assert!(said.contains(told), "{run}");
    }
}

#[test]
fn the_schema_of_a_tool_says_all_that_its_manifest_says() {
    let home = echoing(&json!({"type": "object", "required": ["n"], "properties": {
        "n": {"type": "integer", "minimum": 1, "maximum": 9, "description": "How many"},
        "mail": {"type": "string", "format": "email"},
        "tags": {"type": "array", "items": {"type": "string", "minLength": 2, "description": "prose"}, "maxItems": 3},
    }}));
    let run = home.run(ARGRAIL, &["call", "schema t"]);
    assert_eq!(
        envelope(&run)["data"]["inputSchema"],
        json!({"type": "object", "required": ["n"], "properties": {
            "n": {"type": "integer", "minimum": 1, "maximum": 9, "description": "How many"},
            "mail": {"type": "string", "format": "email", "description": ""},
            "tags": {"type": "array", "items": {"type": "string", "minLength": 2}, "maxItems": 3, "description": ""},
        }}),
        "{run}"
    );
    let run = home.run(ARGRAIL, &["call", "t --mail a@example.com"]);
    assert_eq!(envelope(&run)["error"]["code"], "VALIDATION_ERROR", "{run}");
    assert_eq!(
        envelope(&home.run(ARGRAIL, &["call", "t --json '{\"n\":1}'"]))["data"],
        json!({"n": 1})
    );
}

#[test]
fn a_long_answer_is_shown_in_part_and_kept() {
    let script = "#!/bin/sh\nprintf '\"'\n/usr/bin/head -c 1000000 /dev/zero | /usr/bin/tr '\\0' 'x'\nprintf 'end\"\\n'\n";
    let home = vouched(one(script, json!({})));
    let run = home.run(ARGRAIL, &["call", "t"]);
    assert!(run.stdout.len() < 70_000, "{}", run.stdout.len());
    let answer = envelope(&run);
    let data = &answer["data"];
    assert_eq!(
        (&data["truncated"], &data["bytes"]),
        (&json!(true), &json!(1_000_006)),
        "{answer}"
    );
    assert!(data["preview"].as_str().unwrap().starts_with("\"xxx"), "{answer}");
    assert_eq!(answer["_meta"]["untrusted"], true);
    let id = data["output"].as_str().unwrap();
    assert!(
        answer["message"]
            .as_str()
            .unwrap()
            .contains(&format!("x-output '{id}'")),
        "{answer}"
    );
    let rest = home.run(ARGRAIL, &["call", &format!("x-output {id} --offset 1000000")]);
    assert_eq!(envelope(&rest)["data"]["text"], "xend\"\n", "{rest}");
}

#[test]
fn dates_and_lists_are_told_as_such_and_a_wrong_date_is_answered_with_an_example() {
    let date = json!({"type": "string", "format": "date-time"});
    let list = json!({"type": "array", "items": {"type": "integer"}});
    let schema = json!({"type": "object", "properties": {"from": date, "tag": list}});
    let home = one("#!/bin/sh\ncat\n", json!({"schema": schema}));
    let trusted = home.run(ARGRAIL, &["trust", "--yes"]);
    assert_eq!(trusted.exit, Some(0), "{trusted}");
    let help = home.run(ARGRAIL, &["call", "help t"]).json();
    let options = help["data"]["arguments"]
        .as_array()
        .unwrap_or_else(|| panic!("{help:#}"));
    let named = |name: &str| options.iter().find(|option| option["name"] == name).unwrap();
    assert_eq!(named("--from")["type"], "datetime", "{help:#}");
    let tag = named("--tag");
    assert_eq!(
        (&tag["type"], &tag["separator"]),
        (&json!("array"), &json!(",")),
        "{help:#}"
    );
    for wrong in ["yesterday", "2026-02-02"] {
        let error = home.run(ARGRAIL, &["call", &format!("t --from {wrong}")]).json()["error"].take();
        assert_eq!(error["code"], "VALIDATION_ERROR", "{error:#}");
        let hint = error["hint"].as_str().unwrap();
        assert!(
            hint.contains("ISO8601") && hint.contains("2026-02-02T10:00:00Z"),
            "{error:#}"
        );
    }
}
