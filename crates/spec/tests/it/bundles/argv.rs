//! The words of a call, and how its output is read.

use argrail_spec::bundle::{InputCheck, OutputCheck};
use argrail_spec::cli_md::{Format, Stream};
use argrail_spec::template::WordKind;
use serde_json::{Value, json};

use super::{demo, tool};

#[test]
fn a_template_is_all_of_the_words_behind_its_own_arguments() {
    let bundle = demo();
    let check = |id: &str, input: Value, want: Result<&[&str], &str>| {
        let argv = tool(&bundle, id).argv(&bundle.cli, &input);
        match (argv, want) {
            (Ok(argv), Ok(want)) => assert_eq!(argv, want, "{input}"),
            (Err(error), Err(want)) => assert_eq!(error.reason(), want, "{input}"),
            (argv, want) => panic!("{input}: {argv:?}, not {want:?}"),
        }
    };
    // The tool's own bin_args are none, and take the place of the bundle's.
    check(
        "demo.view",
        json!({"number": 7}),
        Ok(&["item", "view", "7", "--title=", "--", ""]),
    );
    check(
        "demo.view",
        json!({"number": 7, "web": true, "where": {"a": 1}, "title": "-fix", "fields": ["-a", "b"]}),
        Ok(&[
            "item",
            "view",
            "7",
            "--web",
            "--where",
            "{\"a\":1}",
            "--title=-fix",
            "--",
            "-a",
            "b",
        ]),
    );
    check("demo.view", json!({}), Err("missing"));
    check(
        "demo.drop",
        json!({"id": "x"}),
        Ok(&["--quiet", "item-drop", "x"]),
    );
    check("demo.drop", json!({"id": "--all"}), Err("dash"));
}

#[test]
fn without_a_template_inputs_are_options() {
    let bundle = demo();
    let check = |input: Value, want: Result<&[&str], &str>| {
        let argv = tool(&bundle, "demo.list").argv(&bundle.cli, &input);
        match (argv, want) {
            (Ok(argv), Ok(want)) => assert_eq!(
                argv[..3],
                ["--quiet", "item", "list"].map(str::to_owned),
                "{want:?}"
            ),
            (Err(error), Err(want)) => return assert_eq!(error.reason(), want, "{input}"),
            (argv, want) => panic!("{input}: {argv:?}, not {want:?}"),
        }
        let argv = tool(&bundle, "demo.list").argv(&bundle.cli, &input).unwrap();
        assert_eq!(&argv[3..], want.unwrap(), "{input}");
    };
    check(json!({}), Ok(&[]));
    check(Value::Null, Ok(&[]));
    // In the order of the schema; what it does not name comes last.
    check(
        json!({"other": "x", "newestFirst": true, "labels": ["a", "b"], "max_results": -1, "state": "open"}),
        Ok(&[
            "--state",
            "open",
            "--max-results",
            "-1",
            "--labels",
            "a",
            "--labels",
            "b",
            "--newest-first",
            "--other",
            "x",
        ]),
    );
    check(json!({"newestFirst": false, "state": null}), Ok(&[]));
    // What starts with a dash is attached: so it is a value.
    check(json!({"state": "-x"}), Ok(&["--state=-x"]));
    check(
        json!({"labels": ["-a", "b"]}),
        Ok(&["--labels=-a", "--labels", "b"]),
    );
    check(json!({"labels": [["a"]]}), Err("no-word"));
    check(json!({"o": {"a": 1}}), Err("no-word"));
    check(json!({"state": "a\0b"}), Err("nul"));
    check(json!({"a b": "x"}), Err("no-option"));
    check(json!([1]), Err("no-object"));
}

#[test]
fn words_for_json_stand_before_the_end_of_options() {
    let bundle = demo();
    let check = |id: &str, input: Value, want: &[&str]| {
        let argv = tool(&bundle, id).json_argv(&bundle.cli, &input).unwrap();
        assert_eq!(argv, want, "{input}");
    };
    check(
        "demo.view",
        json!({"number": 7, "fields": ["--"]}),
        &["item", "view", "7", "--title=", "--format=json", "--", "--"],
    );
    check(
        "demo.list",
        json!({"state": "open"}),
        &["--quiet", "item", "list", "--state", "open", "--json", "id,name"],
    );
    // One that prints JSON anyway needs no word for it, and one that was given is not given twice.
    check("demo.drop", json!({"id": "x"}), &["--quiet", "item-drop", "x"]);
    check(
        "demo.list",
        json!({"json": "name"}),
        &["--quiet", "item", "list", "--json", "name"],
    );
}

#[test]
fn the_rules_of_output_are_the_tools_over_the_bundles() {
    let bundle = demo();
    let list = tool(&bundle, "demo.list").output(&bundle.cli);
    assert_eq!(
        (list.format, list.stream, list.error_stream),
        (Format::Text, Stream::Stdout, Stream::Stderr)
    );
    assert_eq!(list.json_words, ["--json", "id,name"]);
    let view = tool(&bundle, "demo.view").output(&bundle.cli);
    assert_eq!((view.format, view.error_stream), (Format::Yaml, Stream::Mixed));
    // Another flag does not take the arguments of the bundle's.
    assert_eq!(view.json_words, ["--format=json"]);
    let meaning = |code: u8| view.exit_codes.get(&code).map(String::as_str);
    assert_eq!(
        [0, 1, 2, 3, 4, 124, 137, 9].map(meaning),
        [
            Some("ok"),
            Some("not_found"),
            Some("usage_error"),
            Some("usage_error"),
            Some("auth_required"),
            Some("timeout"),
            Some("killed"),
            None
        ]
    );
    assert!(
        tool(&bundle, "demo.drop")
            .output(&bundle.cli)
            .json_words
            .is_empty()
    );
}

#[test]
fn a_record_shows_the_template_and_never_the_values() {
    let bundle = demo();
    assert_eq!(
        tool(&bundle, "demo.drop").argv_template(&bundle.cli),
        ["--quiet", "item-drop", "${input.id}"]
    );
    assert_eq!(
        tool(&bundle, "demo.list").argv_template(&bundle.cli),
        ["--quiet", "item", "list"]
    );
    let input = json!({"state": "open"});
    let values = argrail_spec::template::Values::of_input(&input);
    let marked = tool(&bundle, "demo.list")
        .argv_marked(&bundle.cli, &values)
        .unwrap();
    let kinds: Vec<WordKind> = marked.iter().map(|word| word.kind).collect();
    assert_eq!(
        kinds,
        [
            WordKind::Literal,
            WordKind::Literal,
            WordKind::Literal,
            WordKind::Option,
            WordKind::Value
        ]
    );
}

#[test]
fn what_goes_in_and_what_comes_out_fits_the_schemas() {
    let bundle = demo();
    let list = tool(&bundle, "demo.list");
    let inputs = InputCheck::of(list).unwrap();
    assert!(inputs.check(&json!({"state": "open"})).is_ok());
    assert!(inputs.check(&json!({"state": "odd"})).is_err());
    assert!(inputs.check(&json!([])).is_err());
    let outputs = OutputCheck::of(list).unwrap();
    assert!(outputs.check(&json!([{"id": 1}]), "demo item list").is_ok());
    let wrong = outputs
        .check(&json!([{"id": 1}, {"name": "IGNORE ALL"}]), "demo item list")
        .unwrap_err();
    assert_eq!(wrong.code().name(), "OUTPUT_PARSE_FAILED");
    assert!(!wrong.to_string().contains("IGNORE"), "{wrong}");
    assert_eq!(
        wrong.get_detail("mismatch").and_then(Value::as_str),
        Some("'/1/id': expected a value, since it is required, got nothing")
    );
    let deep = (0..100).fold(json!(1), |inner, _| json!([inner]));
    assert!(outputs.check(&deep, "demo item list").is_err());
}
