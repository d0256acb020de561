//! Metadata that says itself that it left commands out.

use serde_json::json;

use super::ground::{call, home, reads};
use crate::ARGRAIL;

const SCRIPT: &str = "#!/bin/sh\necho ran\n";

#[test]
fn a_command_that_was_left_out_is_asked_about() {
    let list = json!({"description": "Lists", "effects": reads()});
    let metadata = json!({
        "atip": "0.6", "name": "pa", "version": "1", "description": "D",
        "partial": true, "omitted": {"reason": "filtered", "safetyAssumption": "unknown"},
        "commands": {"list": list, "grp": {"description": "Some", "commands": {"leaf": list}}},
    });
    let shim = |json: &serde_json::Value| {
        home()
            .tool("pa", SCRIPT)
            .file("../data/agent-tools/shims/pa.json", &json.to_string())
    };
    let partial = shim(&metadata);
    for command in ["pa other", "pa other --all x", "pa grp other"] {
        let error = call(&partial, command).json()["error"].clone();
        assert_eq!(error["code"], "PERMISSION_DENIED", "{command}: {error}");
        assert_eq!(error["reason"], "approval_required", "{command}: {error}");
    }
    assert_eq!(call(&partial, "pa").json()["error"]["code"], "VALIDATION_ERROR");
    assert_eq!(call(&partial, "pa list").json()["success"], true);
    // What a person denied is denied whether somebody describes it or not.
    let denied = shim(&metadata).config(r#"{"deny": ["pa other", "pa grp"]}"#);
    for command in ["pa other", "pa --x other", "pa grp other"] {
        let error = call(&denied, command).json()["error"].clone();
        assert_eq!(error["code"], "PERMISSION_DENIED", "{command}: {error}");
        assert_ne!(error["reason"], "approval_required", "{command}: {error}");
    }
    let mut whole = metadata;
    for key in ["partial", "omitted"] {
        whole.as_object_mut().unwrap().remove(key);
    }
    let run = shim(&whole).run(ARGRAIL, &["call", "pa other"]);
    assert_eq!(run.json()["error"]["code"], "COMMAND_NOT_FOUND", "{run}");
}
