//! A bundle in the words of ATIP, and the way back from a command line to the input of a tool.

use std::sync::Arc;

use argrail_spec::atip::{self, Invoked, Metadata, Reader, Voice};
use argrail_spec::bundle::{input, json_given, metadata, option_name};
use serde_json::{Value, json};

use super::{demo, tool};

fn made() -> Metadata {
    let loaded = metadata(&demo()).unwrap();
    assert_eq!(loaded.warnings, []);
    loaded.metadata
}

fn read(line: &str) -> Result<Invoked, String> {
    let reader = Reader::new(Arc::new(made()), Voice::Settled);
    let words = argrail_acli::tokenize(line, &argrail_acli::Limits::default()).unwrap();
    reader.read(&words).map_err(|error| error.to_string())
}

#[test]
fn a_bundle_is_a_tool_with_its_commands() {
    let made = made();
    assert_eq!(
        (made.name.as_str(), made.version.as_deref(), made.title.as_deref()),
        ("demo", Some("1.2.0"), Some("Demo"))
    );
    assert_eq!(made.description, "A program that shows everything.");
    let leaves: Vec<String> = atip::leaves(&made)
        .list
        .iter()
        .map(|leaf| leaf.path.join(" "))
        .collect();
    assert_eq!(leaves, ["item list", "item view", "item", "item-drop", ""]);
    let whole = json!(made);
    assert_eq!(whole["x-cli-bundle"], "demo@1");
    assert_eq!(whole["x-tags"], json!(["demo", "items"]));
    assert_eq!(whole["x-notes"], "It forgets.");
    assert_eq!(whole["x-examples"][1]["cmd"], "demo-bin unknown --flag");
    assert_eq!(whole["commands"]["item"]["commands"]["view"]["x-notes"], "Slow.");
    assert_eq!(
        whole["commands"]["item"]["commands"]["view"]["x-cli-tool"],
        "demo.view@1"
    );
    // What is printed again is what any other host reads.
    let text = whole.to_string();
    let again = atip::load(text.as_bytes()).unwrap();
    assert_eq!(again.metadata, made);
    assert_eq!(whole["commands"]["item"]["description"], "The program itself.");
    assert_eq!(atip::skipped(&made), []);
}

#[test]
fn examples_are_kept_where_they_work() {
    let whole = json!(made());
    let item = &whole["commands"]["item"]["commands"];
    assert_eq!(
        item["list"]["examples"],
        json!([
            "demo item list --state closed --max-results 2 --newest-first",
            "demo item list --state open"
        ])
    );
    assert_eq!(item["view"]["examples"], json!(["demo item view 7 a b"]));
}

#[test]
fn inputs_are_options_and_arguments() {
    let whole = json!(made());
    let list = &whole["commands"]["item"]["commands"]["list"];
    let flags: Vec<&Value> = list["options"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["flags"])
        .collect();
    assert_eq!(
        json!(flags),
        json!([
            ["--state"],
            ["--max-results", "--max_results"],
            ["--labels"],
            ["--newest-first", "--newestFirst"],
            ["--json"]
        ])
    );
    assert_eq!(list["options"][0]["enum"], json!(["open", "closed"]));
    assert_eq!(list["options"][1]["default"], 30);
    assert_eq!(list["options"][2]["variadic"], true);
    let view = &whole["commands"]["item"]["commands"]["view"];
    let names = |of: &Value| -> Vec<String> {
        let list = of.as_array().unwrap().iter();
        list.map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&view["arguments"]), ["number", "fields"]);
    assert_eq!(names(&view["options"]), ["where", "web", "title", "x-json-flag"]);
    assert_eq!(
        (
            &view["arguments"][0]["required"],
            &view["arguments"][1]["required"]
        ),
        (&json!(true), &json!(false))
    );
    assert_eq!(
        view["x-output"],
        json!({"format": "yaml", "json": ["--format=json"]})
    );
    assert_eq!(view["x-exit"]["3"], "usage_error");
    assert_eq!(list["x-exit"]["3"], "error");
}

#[test]
fn effects_are_what_the_sandbox_lets_happen_and_what_the_author_says() {
    let whole = json!(made());
    let item = &whole["commands"]["item"]["commands"];
    // Where the login is kept does not count as written.
    assert_eq!(
        item["list"]["effects"],
        json!({
            "filesystem": {"read": true, "write": false, "delete": false},
            "network": true, "subprocess": false, "idempotent": true,
            "duration": {"timeout": "5000ms"},
            "x-egress": ["api.example.org"], "x-secrets": ["~/.config/demo/"]
        })
    );
    // Who may write and does not say that it only reads, writes.
    assert_eq!(
        item["view"]["effects"],
        json!({
            "filesystem": {"read": true, "write": true, "paths": ["out/"]},
            "network": true, "subprocess": true, "idempotent": false,
            "x-egress": ["api.example.org"], "x-secrets": ["~/.config/demo/"], "x-exec": ["git"]
        })
    );
    // Who changes nothing and wants nobody to be asked says that it only reads.
    assert_eq!(
        item[""]["effects"]["filesystem"],
        json!({"read": true, "write": false, "delete": false})
    );
    assert_eq!(item[""]["effects"]["idempotent"], true);
    let drop = &whole["commands"]["item-drop"]["effects"];
    assert_eq!(drop["modifies"], json!(["external", "database"]));
    assert_eq!(
        (&drop["destructive"], &drop["reversible"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(drop["cost"], json!({"estimate": "high", "billable": true}));
    assert_eq!(
        drop["x-mutates"],
        json!(["external:api.example.org", "workspace:out", "database:items"])
    );
}

#[test]
fn signing_in_is_said_as_atip_says_it() {
    assert_eq!(
        json!(made().authentication),
        json!({
            "required": true,
            "methods": [
                {"type": "token", "envVar": "DEMO_TOKEN", "setupCommand": "demo-bin login --web"},
                {"type": "oauth", "configPath": "~/.config/demo", "setupCommand": "demo-bin login --web"}
            ],
            "checkCommand": "demo-bin login status"
        })
    );
}

#[test]
fn a_command_line_means_an_input() {
    let bundle = demo();
    let check = |line: &str, id: &str, want: Result<Value, &str>| {
        let came = read(line).and_then(|invoked| {
            assert_eq!(invoked.unverified, [], "{line}");
            input(tool(&bundle, id), &invoked).map_err(|error| error.to_string())
        });
        match (came, want) {
            (Ok(came), Ok(want)) => assert_eq!(came, want, "{line}"),
            (Err(error), Err(part)) => assert!(error.contains(part), "{line}: {error}"),
            (came, want) => panic!("{line}: {came:?}, not {want:?}"),
        }
    };
    check(
        "item list --max_results 5 --labels a --labels b --newestFirst",
        "demo.list",
        Ok(json!({"max_results": 5, "labels": ["a", "b"], "newestFirst": true})),
    );
    check(
        "item list --max-results=5 --newest-first=false --json id",
        "demo.list",
        Ok(json!({"max_results": 5, "newestFirst": false})),
    );
    check(
        "item view 7 x -- -y --web",
        "demo.view",
        Ok(json!({"number": 7, "fields": ["x", "-y", "--web"]})),
    );
    check(
        r#"item view 7 --where '{"a":[1]}' --web --json"#,
        "demo.view",
        Ok(json!({"number": 7, "where": {"a": [1]}, "web": true})),
    );
    check("item view x", "demo.view", Err("whole number"));
    check("item view 7 --where '{'", "demo.view", Err("JSON"));
    check("item list stray", "demo.list", Err("stray"));
}

#[test]
fn a_caller_may_ask_for_json_in_the_programs_own_words() {
    let asked = |line: &str| json_given(&read(line).unwrap());
    assert_eq!(
        asked("item list --json id"),
        Some(vec!["--json".to_owned(), "id".to_owned()])
    );
    assert_eq!(
        asked("item view 1 --format yaml"),
        Some(vec!["--format".to_owned(), "yaml".to_owned()])
    );
    assert_eq!(asked("item view 1 --json"), None);
    assert_eq!(
        read("item view 1 --json").unwrap().output.json_words,
        Some(vec!["--format=json".to_owned()])
    );
}

#[test]
fn names_are_never_lost() {
    let bundle = demo();
    for one in &bundle.tools {
        for name in one.tool.input_names().unwrap_or_default() {
            assert!(option_name(name).is_some(), "{name}");
        }
    }
}

/// The tool's input as a bundle's own words, and read back.
fn round(id: &str, sent: &Value) -> (Vec<String>, Value) {
    let bundle = demo();
    let tool = tool(&bundle, id);
    let words = bundle.command_words(tool, sent.as_object().unwrap());
    let reader = Reader::new(Arc::new(made()), Voice::Claimed);
    let invoked = reader
        .read(&words)
        .unwrap_or_else(|error| panic!("{words:?}: {error}"));
    assert_eq!(invoked.path, tool.words, "{words:?}");
    let back = input(tool, &invoked).unwrap_or_else(|error| panic!("{words:?}: {error}"));
    (words, back)
}

#[test]
fn json_becomes_words_that_are_read_back_as_it_was() {
    let check = |id: &str, sent: Value| {
        let (words, back) = round(id, &sent);
        assert_eq!(back, sent, "{words:?}");
    };
    for labels in [
        json!(["fix: a, b and c"]),
        json!(["a,b", "c"]),
        json!([]),
        json!([""]),
        json!(["", "x"]),
        json!([","]),
        json!(["[\"a\"]"]),
        json!(["-x", "--state=closed", "--"]),
        json!(["a\nb", "\"", "\\,"]),
    ] {
        check("demo.list", json!({"labels": labels}));
    }
    check("demo.list", json!({"newestFirst": false, "max_results": -5}));
    check(
        "demo.view",
        json!({"number": 7, "fields": ["a,b", "-y", ""], "title": "true"}),
    );
    check(
        "demo.view",
        json!({"number": 7, "where": {"a": ["b,c"]}, "web": false}),
    );
    check("demo.view", json!({"number": 7, "title": "-x, y"}));
    assert_eq!(
        round("demo.list", &json!({"max_results": 5.0, "labels": ["a", "b"]})),
        (
            ["item", "list", "--max-results=5", "--labels=a", "--labels=b"]
                .map(str::to_owned)
                .to_vec(),
            json!({"max_results": 5, "labels": ["a", "b"]})
        )
    );
}
