//! How agents are started: the vectors, and that no value can add a word.

use argrail_acli::Code;
use argrail_spec::agent_cli_md::{AgentCliMd, Launch, Wishes, load};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::fuzzed::launch;
use crate::manifests::cases;
use crate::manifests::fields::assembled;

const LAUNCH: &str = include_str!("../../../../../corpus/aip-45/launch.json");

fn manifest(base: &Value, with: &Value) -> AgentCliMd {
    let text = assembled(base, &json!({ "with": with }));
    load(text.as_bytes()).unwrap().manifest
}

fn wishes(value: &Value) -> Wishes {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let pair = |pair: &Value| (text(&pair[0]).unwrap(), text(&pair[1]).unwrap());
    Wishes {
        mode: text(&value["mode"]),
        options: value["options"]
            .as_array()
            .into_iter()
            .flatten()
            .map(pair)
            .collect(),
        model: text(&value["model"]),
    }
}

/// Writes down what came, without what is empty.
fn written(launch: &Launch) -> Value {
    let fields = [
        ("env", json!(launch.env)),
        ("pass", json!(launch.pass)),
        ("unset", json!(launch.unset)),
        ("mode", json!(launch.mode)),
        ("config", json!(launch.config)),
        ("model", json!(launch.model)),
    ];
    let mut all = Map::from_iter([("args".to_owned(), json!(launch.args))]);
    let said = |value: &Value| ![json!(null), json!([]), json!({})].contains(value);
    let fields = fields.into_iter().filter(|(_, value)| said(value));
    all.extend(fields.map(|(key, value)| (key.to_owned(), value)));
    Value::Object(all)
}

#[test]
fn every_vector_of_launches_holds() {
    let (base, cases) = cases(LAUNCH);
    let mut failed = Vec::new();
    for case in &cases {
        let came = match manifest(&base, &case["manifest"]).launch(&wishes(&case["wishes"])) {
            Ok(launch) => written(&launch),
            Err(error) => {
                assert_eq!(error.code(), Code::ValidationError);
                json!({"refused": error.to_string(), "hint": error.hint().to_string()})
            }
        };
        if came != case["expect"] {
            failed.push(format!("{}: {came} instead of {}", case["id"], case["expect"]));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn a_value_that_would_fill_the_memory_is_refused() {
    let (base, _) = cases(LAUNCH);
    let holes = "{value}".repeat(2_000);
    let options = format!("options: [{{ id: a, type: string, env: {{ A: \"{holes}\" }} }}]");
    let agent = manifest(&base, &json!({ "options": options }));
    let ask = |value: String| {
        agent.launch(&Wishes {
            options: vec![("a".to_owned(), value)],
            ..Wishes::default()
        })
    };
    assert!(ask("x".repeat(10)).is_ok());
    assert!(ask("x".repeat(1_000)).is_err());
    assert!(ask("x".repeat(20_000)).is_err());
}

#[test]
fn a_start_that_asks_nobody_is_known() {
    let (base, _) = cases(LAUNCH);
    let modes = "modes:\n  - { id: plan, bin_args_append: [--permission-mode, plan] }\n  - { id: bypass-permissions }\n  - { id: free, env: { GOOSE_MODE: auto } }";
    let options =
        "options: [{ id: yes, type: boolean, bin_args_append_when_true: [--dangerously-skip-permissions] }]";
    let agent = manifest(&base, &json!({ "modes": modes, "options": options }));
    let check = |mode: Option<&str>, yes: &str, want: Option<&str>| {
        let launch = agent.launch(&Wishes {
            mode: mode.map(str::to_owned),
            options: vec![("yes".to_owned(), yes.to_owned())],
            model: None,
        });
        assert_eq!(launch.unwrap().lifts_permissions(), want, "{mode:?}");
    };
    check(None, "false", None);
    check(Some("plan"), "false", None);
    check(Some("bypass-permissions"), "false", Some("bypass-permissions"));
    check(Some("free"), "false", Some("auto"));
    check(None, "true", Some("--dangerously-skip-permissions"));
}

/// Puts a manifest and wishes together as the fuzzed function takes them.
fn fuzzed(base: &Value, template: &str, value: &str) -> String {
    let options = format!(
        "options:\n  - {{ id: a, type: string, bin_args_template: [{template}], env: {{ A: {template} }} }}\n  - {{ id: b, type: string, bin_args_template: [--b, \"{{value}}\"] }}"
    );
    let text = assembled(base, &json!({ "with": { "options": options } }));
    format!("{text}\u{1e}a={value}\nb={value}")
}

proptest! {
    #[test]
    fn no_value_adds_a_word(template in "\"[a-z =-]{0,4}(\\{value\\}){0,3}[a-z ]{0,3}\"", value in "[^\n\u{1e}]{0,12}|-[a-z]{1,3}") {
        let (base, _) = cases(LAUNCH);
        launch(&fuzzed(&base, &template, &value));
    }

    #[test]
    fn any_wish_is_kept_or_refused(mode in ".{0,8}", id in "[a-z_]{0,9}", value in ".{0,8}", model in ".{0,8}") {
        let (base, cases) = cases(LAUNCH);
        let agent = manifest(&base, &cases.last().unwrap()["manifest"]);
        let wishes = Wishes { mode: Some(mode), options: vec![(id, value)], model: Some(model) };
        if let Err(error) = agent.launch(&wishes) {
            prop_assert!(!error.to_string().contains(char::is_control));
            prop_assert!(!error.hint().to_string().is_empty());
        }
    }
}
