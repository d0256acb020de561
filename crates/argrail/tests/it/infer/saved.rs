//! `argrail infer --save`: a shim that can be reviewed, and that no shim of a person gives way to.

use std::fs;

use serde_json::Value;

use super::ground::Ground;

#[test]
fn a_saved_shim_says_what_it_is_and_passes_lint() {
    let ground = Ground::with_notes();
    let data = ground.infer(&["argnotes", "--save"]);
    let file = ground.path("data/agent-tools/shims/argnotes.json");
    assert_eq!(data["saved"], file.to_str().unwrap());
    let shim: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    assert!(shim["_generated"].as_str().unwrap().ends_with('Z'));
    assert_eq!(
        shim["_source"],
        format!("argrail {}, argrail infer argnotes", env!("CARGO_PKG_VERSION"))
    );
    assert!(shim["_review"].as_str().unwrap().contains("Review it"));
    let lint = ground.run(&["lint", file.to_str().unwrap()]);
    assert_eq!(lint.exit, Some(0), "{lint}");
    let shown = ground.run(&["show", "argnotes", "--json"]);
    assert_eq!(shown.json()["data"]["source"], "shim", "{shown}");
    // It can be made again.
    assert_eq!(ground.infer(&["argnotes", "--save"])["saved"], data["saved"]);
}

#[test]
fn what_a_person_wrote_is_not_replaced() {
    let ground = Ground::with_notes();
    let own = r#"{"atip":"0.1","name":"argnotes","version":"1","description":"Mine"}"#;
    ground.put("data/agent-tools/shims/argnotes.json", own);
    let run = ground.run(&["infer", "argnotes", "--save", "--json", "--timeout", "50s"]);
    assert_eq!(run.exit, Some(1), "{run}");
    let error = &run.json()["error"];
    assert!(
        error["message"].as_str().unwrap().contains("written by hand"),
        "{run}"
    );
    assert!(error["hint"].as_str().unwrap().contains("Move "), "{run}");
    let file = ground.path("data/agent-tools/shims/argnotes.json");
    assert_eq!(fs::read_to_string(file).unwrap(), own);
}
