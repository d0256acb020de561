//! What is said about files: the vectors of `corpus/atip/lint.json`, and where it is said.

use std::collections::HashSet;

use argrail_spec::doc::{Document, Limits, Severity, place};
use argrail_spec::lint::{FileKind, Outcome, Strictness, fix, lint, rules};
use proptest::prelude::*;
use serde_json::{Value, json};

const VECTORS: &str = include_str!("../../../../corpus/atip/lint.json");

fn run(input: &Value) -> Outcome {
    let text = match &input["text"] {
        Value::String(text) => text.clone(),
        _ => input["value"].to_string(),
    };
    lint(
        input["file"].as_str().unwrap_or("demo.json"),
        text.as_bytes(),
        strictness(input["strict"] == true),
    )
}

fn strictness(strict: bool) -> Strictness {
    if strict {
        Strictness::Strict
    } else {
        Strictness::Relaxed
    }
}

fn said(outcome: &Outcome) -> Vec<String> {
    let word = |severity| match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    };
    let line = |found: &argrail_spec::doc::Diagnostic| format!("{} {}", word(found.severity), found.code);
    let mut said: Vec<_> = outcome.diagnostics.iter().map(line).collect();
    said.sort();
    said
}

/// Whether a rule of `lint` itself says so, not reading.
fn is_ours(code: &str) -> bool {
    let families = [
        "draft/",
        "quality/",
        "consistency/",
        "safety/",
        "extension/",
        "patterns/",
        "lint/",
    ];
    families.iter().any(|family| code.starts_with(family))
}

#[test]
fn every_vector_is_judged_as_it_says() {
    let file: Value = serde_json::from_str(VECTORS).unwrap();
    let mut wrong = Vec::new();
    let mut fired = HashSet::new();
    for case in file["cases"].as_array().unwrap() {
        let outcome = run(&case["input"]);
        fired.extend(outcome.diagnostics.iter().map(|found| found.code));
        let want: Vec<_> = case["expect"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one.as_str().unwrap())
            .collect();
        if said(&outcome) != want {
            wrong.push(format!("{}: {:#?}", case["id"], outcome.diagnostics));
        }
        for found in outcome.diagnostics.iter().filter(|found| is_ours(found.code)) {
            assert!(found.hint.is_some(), "{found:?}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // A rule that no vector can provoke is not known to work.
    let silent: Vec<_> = rules()
        .into_iter()
        .filter(|rule| is_ours(rule.id) && !fired.contains(rule.id))
        .map(|rule| rule.id)
        .collect();
    assert_eq!(silent, [""; 0]);
}

#[test]
fn every_complaint_belongs_to_a_rule_of_one_name() {
    let all = rules();
    let ids: HashSet<_> = all.iter().map(|rule| rule.id).collect();
    assert_eq!(ids.len(), all.len());
    let file: Value = serde_json::from_str(VECTORS).unwrap();
    for case in file["cases"].as_array().unwrap() {
        for found in run(&case["input"]).diagnostics {
            assert!(ids.contains(found.code), "{}", found.code);
        }
    }
}

/// Says where the complaint of this code stands, and what it points at.
fn pointed(text: &str, code: &str, strict: bool) -> (String, String) {
    let outcome = lint("demo.json", text.as_bytes(), strictness(strict));
    let found = outcome
        .diagnostics
        .iter()
        .find(|found| found.code == code)
        .unwrap();
    (
        place(text.as_bytes(), found.span.start).to_string(),
        text.get(found.span.start..found.span.end).unwrap().to_owned(),
    )
}

#[test]
fn complaints_point_at_what_they_are_about() {
    let text = r#"{
  "atip": "0.1", "name": "demo", "version": "1", "description": "Demonstrates", "colour": 1,
  "commands": {
    "run": {
      "description": "Runs it",
      "effects": {"network": false, "cost": {"estimate": "variable"}, "deletes": ["x"]},
      "options": [
        {"name": "a", "flags": ["-a", " -b"], "type": "enum", "enum": ["x"], "default": "y", "description": "A"},
        {"name": "a", "flags": ["-a"], "type": "string", "description": "A"}
      ],
      "examples": ["demo run --nope"]
    }
  }
}"#;
    let check = |code: &str, at: &str, what: &str| {
        assert_eq!(
            pointed(text, code, true),
            (at.to_owned(), what.to_owned()),
            "{code}"
        );
    };
    check("draft/unknown-field", "2:81", "\"colour\"");
    check("draft/tool-version", "2:45", "\"1\"");
    check("draft/cost-estimate", "6:58", "\"variable\"");
    check("safety/deletes-unsaid", "6:82", "[\"x\"]");
    check("consistency/flag-shape", "8:39", "\" -b\"");
    check("consistency/default-not-listed", "8:89", "\"y\"");
    check("consistency/duplicate-option", "9:18", "\"a\"");
    check("consistency/duplicate-flag", "9:33", "\"-a\"");
    check("consistency/example-flag", "11:20", "\"demo run --nope\"");
}

#[test]
fn a_secret_is_not_repeated() {
    let token = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let text = json!({"atip": "0.1", "name": "demo", "description": token}).to_string();
    let outcome = lint("demo.json", text.as_bytes(), Strictness::Relaxed);
    let found = outcome
        .diagnostics
        .iter()
        .find(|found| found.code == "safety/secret")
        .unwrap();
    assert!(!format!("{} {:?}", found.message, found.hint).contains("0123456789"));
    let shown = argrail_spec::doc::report::text(&argrail_spec::doc::report::File {
        name: "demo.json",
        kind: "atip",
        text: text.as_bytes(),
        diagnostics: &outcome.diagnostics,
    });
    assert!(
        shown.contains("safety/secret") && !shown.contains(token),
        "{shown}"
    );
}

#[test]
fn mechanical_mistakes_are_mended() {
    let check = |text: &str, strict: bool, want: &str| {
        let (mended, _) = fix("demo.json", text, strictness(strict));
        assert_eq!(mended, want);
    };
    let option = |field: &str| {
        format!(
            r#"{{"atip":"0.1","name":"demo","globalOptions":[{{"name":"a","flags":["-a"],"type":"boolean",{field}}}]}}"#
        )
    };
    check(
        "\u{feff}{\"atip\": 0.1,\n \"name\": \"demo\"}",
        false,
        "{\"atip\": \"0.1\",\n \"name\": \"demo\"}",
    );
    check(
        &option(r#""required":"true""#),
        false,
        &option(r#""required":true"#),
    );
    check(
        &option(r#""default":"false""#),
        false,
        &option(r#""default":false"#),
    );
    check(
        r#"{"atip":"0.1","name":"demo","globalOptions":[{"name":"a","type":"Int","flags":[" -a","-a" , "-a"]}]}"#,
        false,
        r#"{"atip":"0.1","name":"demo","globalOptions":[{"name":"a","type":"integer","flags":["-a"]}]}"#,
    );
    check(
        r#"{"atip":"0.1","name":"demo","globalOptions":[{"name":"a","type":"bool","flags":"-a, --all"}]}"#,
        false,
        r#"{"atip":"0.1","name":"demo","globalOptions":[{"name":"a","type":"boolean","flags":["-a","--all"]}]}"#,
    );
    let cost = |word: &str| {
        format!(r#"{{"atip":"0.1","name":"demo","effects":{{"cost":{{"estimate":"{word}"}}}}}}"#)
    };
    check(&cost("free"), false, &cost("free"));
    check(&cost("free"), true, &cost("none"));
    check(&cost("Expensive"), false, &cost("high"));
    check(&cost("variable"), true, &cost("variable"));
    // What is no JSON is left alone.
    check("{\"atip\": }", false, "{\"atip\": }");
}

/// Metadata with every kind of mistake that can be mended, and some that cannot.
fn flawed() -> impl Strategy<Value = Value> {
    let flag = prop::sample::select(vec![
        "-a", " -a", "-a ", "--all", "all", "--all", "-b", "+x", "", "a b",
    ]);
    let kind = prop::sample::select(vec![
        "bool", "Boolean", "int", "string", "dir", "colour", "enum", "list",
    ]);
    let truth = prop::sample::select(vec![
        json!(true),
        json!("true"),
        json!("false"),
        json!("yes"),
        json!(null),
    ]);
    let default = prop::sample::select(vec![json!("true"), json!("7"), json!(7), json!("-0"), json!([])]);
    let estimate = prop::sample::select(vec!["free", "low", "Cheap", "variable", "HIGH"]);
    let method = prop::sample::select(vec!["apikey", "Token", "oauth2", "magic"]);
    let option = (prop::collection::vec(flag.clone(), 0..5), kind, truth.clone(), default).prop_map(
        |(flags, kind, truth, default)| {
            json!({"name": "a", "flags": flags, "type": kind, "required": truth, "default": default})
        },
    );
    let text_flags =
        (flag.clone(), flag).prop_map(|(one, two)| json!({"name": "b", "flags": format!("{one}, {two}")}));
    let options = prop::collection::vec(prop_oneof![option, text_flags], 0..4);
    (options, estimate, truth, method).prop_map(|(options, estimate, truth, method)| {
        json!({
            "atip": 0.1, "name": "demo", "globalOptions": options,
            "effects": {"network": truth, "cost": {"estimate": estimate}},
            "authentication": {"required": truth, "methods": [{"type": method}]},
        })
    })
}

proptest! {
    #[test]
    fn what_was_mended_needs_no_mending(value in flawed(), strict in any::<bool>(), bom in any::<bool>()) {
        let text = format!("{}{value:#}", if bom { "\u{feff}" } else { "" });
        let (mended, done) = fix("demo.json", &text, strictness(strict));
        prop_assert!(!done.is_empty());
        prop_assert!(Document::json(mended.as_bytes(), &Limits::metadata()).is_ok(), "{}", mended);
        let again = lint("demo.json", mended.as_bytes(), strictness(strict));
        let left: Vec<_> = again.diagnostics.iter().filter(|found| found.fix.is_some()).collect();
        prop_assert!(left.is_empty(), "{:?}\n{}", left, mended);
        prop_assert!(again.diagnostics.len() <= lint("demo.json", text.as_bytes(), strictness(strict)).diagnostics.len().max(60));
    }

    #[test]
    fn any_document_is_judged(value in crate::document::value(), name in "(overrides/|patterns/|tools/)?(config|trust|registry|x)\\.json") {
        let text = value.to_string();
        let outcome = lint(&name, text.as_bytes(), Strictness::Strict);
        for found in &outcome.diagnostics {
            prop_assert!(found.span.end <= text.len() && found.span.start <= found.span.end);
        }
        prop_assert_eq!(outcome.kind.is_none(), outcome.diagnostics.iter().any(|found| found.code == "lint/unknown-kind"));
    }

    #[test]
    fn any_fields_of_metadata_are_judged(key in prop::sample::select(vec![
        "commands", "globalOptions", "effects", "authentication", "patterns", "title", "homepage", "license",
    ]), value in crate::document::value()) {
        let text = json!({"atip": "0.1", "name": "demo", key: value, "commands ": {"x": value}}).to_string();
        let outcome = lint("demo.json", text.as_bytes(), Strictness::Strict);
        prop_assert_eq!(outcome.kind, Some(FileKind::Atip));
    }
}

#[test]
fn the_examples_of_the_draft_can_be_used() {
    for (name, text) in crate::example::EXAMPLES {
        let outcome = lint(&format!("{name}.json"), text.as_bytes(), Strictness::Relaxed);
        let errors: Vec<_> = outcome
            .diagnostics
            .iter()
            .filter(|found| found.severity == Severity::Error)
            .collect();
        assert_eq!(outcome.kind, Some(FileKind::Atip), "{name}");
        // One of them has flags that nobody can type, on purpose.
        assert_eq!(errors.is_empty(), *name != "odd_names", "{name}: {errors:#?}");
    }
}
