//! Whole bundles: the files held against each other.

use argrail_spec::bundle::{self, Files};
use argrail_spec::cli_md;
use argrail_spec::lint::{Strictness, lint_bundle};
use serde_json::Value;

use super::{at, cases, severity};

pub(super) const BUNDLES: &str = include_str!("../../../../../corpus/aip-29/bundle.json");

/// Puts the files together: the base, with parts of texts replaced, files added or taken out.
pub(crate) fn files(base: &Value, case: &Value) -> Files {
    let mut texts = base.as_object().unwrap().clone();
    for edit in case["edit"].as_array().unwrap() {
        let (path, old, new) = (
            edit[0].as_str().unwrap(),
            edit[1].as_str().unwrap(),
            edit[2].as_str().unwrap(),
        );
        let text = texts[path].as_str().unwrap();
        assert!(text.contains(old), "{}: nothing to replace", case["id"]);
        let text = text.replacen(old, new, 1);
        texts.insert(path.to_owned(), text.into());
    }
    for (path, text) in case["files"].as_object().unwrap() {
        match text {
            Value::Null => drop(texts.remove(path)),
            Value::String(word) if word == "remove" => drop(texts.remove(path)),
            text => drop(texts.insert(path.clone(), text.clone())),
        }
    }
    let mut files = Files::default();
    for (path, text) in texts {
        match text.as_str() {
            Some(text) => files.text(path, text),
            None => files.other(path),
        }
    }
    files
}

fn told(files: &Files, folder: Option<&str>) -> Vec<[String; 4]> {
    let (_, checked) = lint_bundle(folder, files, Strictness::Relaxed);
    let mut told = Vec::new();
    for file in checked {
        let text = std::str::from_utf8(files.get(&file.path).unwrap_or_default()).unwrap();
        for one in file.outcome.diagnostics {
            assert!(one.hint.is_some(), "{one:?} has no hint");
            let place = at(text, one.span).to_owned();
            told.push([
                file.path.clone(),
                severity(one.severity).into(),
                one.code.into(),
                place,
            ]);
        }
    }
    told
}

#[test]
fn every_vector_of_bundles_holds() {
    let (base, cases) = cases(BUNDLES);
    let mut failed = Vec::new();
    for case in cases {
        let files = files(&base, &case);
        let folder = case["folder"].as_str();
        let mut came = told(&files, folder);
        let mut want: Vec<[String; 4]> = serde_json::from_value(case["expect"].clone()).unwrap();
        came.sort();
        want.sort();
        if came != want {
            failed.push(format!("{}: {came:?} instead of {want:?}", case["id"]));
        }
        let errors = want.iter().any(|[_, severity, ..]| severity == "error");
        if bundle::load(folder, &files).is_ok() == errors {
            failed.push(format!("{}: loading says otherwise", case["id"]));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn a_bundle_has_everything_that_its_manifest_names() {
    let (base, cases) = cases(BUNDLES);
    let bundle = bundle::load(Some("gh"), &files(&base, &cases[0])).unwrap();
    assert_eq!(bundle.cli.identity(), "gh@1");
    assert!(bundle.body.contains("It asks for scopes."));
    let words: Vec<String> = bundle.tools.iter().map(|tool| tool.words.join(" ")).collect();
    assert_eq!(words, ["pr create", "pr list"]);
    let create = bundle.tool(&["pr", "create"]).unwrap();
    let argv: Vec<&str> = create
        .tool
        .argv()
        .unwrap()
        .iter()
        .map(|word| word.as_str())
        .collect();
    assert_eq!(argv[..2], ["pr", "create"]);
    assert_eq!(argv[5], "${input.base | default('main')}");
    assert_eq!(bundle.runner.limits.unwrap().timeout_ms, Some(60_000));
    assert!(bundle.secrets.unwrap().get("gh/token").is_some());
    let input = serde_json::json!({"headline": "x"});
    let route = bundle.intents[0]
        .intent
        .route(input.as_object().unwrap())
        .unwrap();
    assert_eq!(
        route.target.tool().unwrap().as_str(),
        "../../tools/pr-create/TOOL.md"
    );
}

#[test]
fn two_bundles_share_no_identity() {
    let (base, _) = cases(BUNDLES);
    let text = base["CLI.md"].as_str().unwrap();
    let read = |text: &str| cli_md::load(text.as_bytes()).unwrap().manifest;
    let (one, same) = (read(text), read(&text.replace("1.2.0", "1.9.0")));
    let other = read(&text.replace("1.2.0", "2.0.0"));
    let beside = |place: &str, cli: &cli_md::CliMd| bundle::Neighbour {
        place: place.to_owned(),
        identity: cli.identity(),
        span: cli.id.span,
    };
    let found = bundle::same_identity(&[beside("a", &one), beside("b", &same), beside("c", &other)]);
    let found: Vec<_> = found
        .iter()
        .map(|(index, one)| (*index, one.code, one.message.as_str()))
        .collect();
    assert_eq!(
        found,
        [(1, "bundle/identity", "id: \"gh@1\" is also the bundle of \"a\"")]
    );
}
