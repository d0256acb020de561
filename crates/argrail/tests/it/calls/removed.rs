//! A program that was pinned and is gone: it has to be installed, and there is nothing to accept.

use std::fs;

use serde_json::json;

use super::ground::{call, home};
use crate::ARGRAIL;

const SCRIPT: &str = r#"#!/bin/sh
if [ "$1" = --agent ]; then
  echo '{"atip":"0.1","name":"nt","version":"1.0.0","description":"Goes","commands":{"go":{"description":"Goes","effects":{"network":false,"subprocess":false,"idempotent":true,"destructive":false,"filesystem":{"read":false,"write":false,"delete":false}}}}}'
  exit
fi
echo went
"#;

#[test]
fn a_removed_program_has_to_be_installed_and_runs_again_once_it_is() {
    let home = home().tool("nt", SCRIPT);
    let bin = home.bin();
    let scan = [
        "scan",
        "--probe",
        "--timeout",
        "30s",
        "--path",
        bin.to_str().unwrap(),
    ];
    let scanned = home.run(ARGRAIL, &scan);
    assert_eq!(scanned.exit, Some(0), "{scanned}");
    let before = call(&home, "nt go");
    assert_eq!(before.json()["data"]["stdout"], "went\n", "{before}");

    let kept = home.root().join("kept");
    fs::rename(bin.join("nt"), &kept).unwrap();
    let gone = call(&home, "nt go");
    let error = &gone.json()["error"];
    assert_eq!(error["code"], "SETUP_REQUIRED", "{gone}");
    assert_eq!(error["pending"], json!(["install"]), "{gone}");
    assert!(!gone.stdout.contains("argrail trust"), "{gone}");

    fs::rename(&kept, bin.join("nt")).unwrap();
    let again = call(&home, "nt go");
    assert_eq!(again.json()["data"]["stdout"], "went\n", "{again}");
}
