//! Whole folders of agents: the files held against each other.

use argrail_spec::agent_bundle;
use argrail_spec::agent_cli_md::Protocol;
use argrail_spec::bundle::Files;
use argrail_spec::lint::{Strictness, lint_agent};
use serde_json::json;

use crate::manifests::bundles::files;
use crate::manifests::{at, cases, severity};

pub(crate) const FOLDERS: &str = include_str!("../../../../../corpus/aip-45/folder.json");

fn told(files: &Files, folder: Option<&str>) -> Vec<[String; 4]> {
    let (_, checked) = lint_agent(folder, files, Strictness::Relaxed);
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
fn every_vector_of_folders_holds() {
    let (base, cases) = cases(FOLDERS);
    let mut failed = Vec::new();
    for case in &cases {
        let files = files(&base, case);
        let folder = case["folder"].as_str();
        let mut came = told(&files, folder);
        let mut want: Vec<[String; 4]> = serde_json::from_value(case["expect"].clone()).unwrap();
        came.sort();
        want.sort();
        if came != want {
            failed.push(format!("{}: {came:?} instead of {want:?}", case["id"]));
        }
        let refused = want.iter().any(|one| one[1] == "error");
        let loaded = agent_bundle::load(folder, &files);
        assert_eq!(loaded.is_err(), refused, "{}", case["id"]);
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn a_folder_that_loads_has_all_its_parts() {
    let (base, _) = cases(FOLDERS);
    let files = files(&base, &json!({"id": "whole", "edit": [], "files": {}}));
    let bundle = agent_bundle::load(Some("goose"), &files).unwrap();
    assert_eq!(bundle.agent.identity(), "goose@1");
    assert_eq!(bundle.agent.protocol.value, Protocol::Acp);
    assert_eq!(bundle.body, "# Goose\n");
    assert!(bundle.profile.is_some_and(|profile| profile.loads_sessions()));
    assert!(
        bundle
            .secrets
            .is_some_and(|secrets| secrets.get("goose/token").is_some())
    );
    assert!(bundle.runner.limits.is_some());
    // One that is compiled in has no folder to be called like.
    assert!(agent_bundle::load(None, &files).is_ok());
}
