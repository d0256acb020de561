//! `argrail lint` of CLI bundles: every file, held against the others, with line and column.

use argrail_testkit::Home;
use insta::assert_snapshot;
use serde_json::Value;

use crate::ARGRAIL;

const CLI: &str = r#"---
name: Demo
id: demo
description: Demonstrates.
version: 1.0.0
bin: demo
install:
  - { method: vendored, path: ./bin/demo }
version_check: { cmd: demo --version, parse: 'demo (\S+)', range: ">=1 <2" }
sandbox:
  network: { egress: [api.example.org] }
  fs: { read: ["src/**"], deny: ["~/.ssh/**"] }
  exec: { allow: false }
  env: {}
commands:
  list: ./tools/list/TOOL.md
---
# Demo
"#;

const TOOL: &str = r#"---
name: List
id: demo.list
description: Lists.
version: 1.0.0
inputs: { type: object, properties: { all: { type: boolean } } }
outputs: { type: array }
runner: { cli: ../../CLI.md, argv: [list, "${input.all | flag('--all')}"] }
---
"#;

fn home() -> Home {
    Home::new()
        .file(".cli/demo/CLI.md", CLI)
        .file(".cli/demo/bin/demo", "#!/bin/sh\n")
        .file(".cli/demo/tools/list/TOOL.md", TOOL)
}

#[test]
fn a_sound_bundle_is_silent() {
    assert_snapshot!(home().run(ARGRAIL, &["lint", ".cli"]), @r"
    exit: 0
    --- stdout
    --- stderr
    argrail: 2 files, 0 errors, 0 warnings, 0 notes
    ");
}

#[test]
fn a_tool_that_widens_its_bundle_is_shown_where_it_does() {
    let wider = TOOL.replace(
        "runner:",
        "sandbox:\n  network: { egress: [evil.example] }\nrunner:",
    );
    let home = home().file(".cli/demo/tools/list/TOOL.md", &wider);
    assert_snapshot!(home.run(ARGRAIL, &["lint", ".cli/demo/CLI.md"]), @r#"
    exit: 1
    --- stdout
    .cli/demo/tools/list/TOOL.md:9:23: error[sandbox/widens]: network.egress[0]: "evil.example" is not granted by the parent
     9 |   network: { egress: [evil.example] }
       |                       ^^^^^^^^^^^^
       = hint: narrow it, or widen the bundle's
    --- stderr
    argrail: 2 files, 1 error, 0 warnings, 0 notes
    "#);
}

#[test]
fn errors_point_into_the_text_and_a_misspelt_field_is_mended() {
    let flawed = CLI
        .replace("egress:", "egres:")
        .replace("exec: { allow: false }", "exec: { allow: no }");
    let home = home().file(".cli/demo/CLI.md", &flawed);
    assert_snapshot!(home.run(ARGRAIL, &["lint", ".cli"]), @r#"
    exit: 1
    --- stdout
    .cli/demo/CLI.md:11:14: error[manifest/unknown-field]: sandbox.network: "egres" is no field of it
     11 |   network: { egres: [api.example.org] }
        |              ^^^^^
        = hint: did you mean "egress"?
    .cli/demo/CLI.md:13:18: error[manifest/type]: sandbox.exec.allow: expected true or false, got "no"
     13 |   exec: { allow: no }
        |                  ^^
        = hint: write true or false
    --- stderr
    argrail: 2 files, 2 errors, 0 warnings, 0 notes
    "#);
    let mended = home.run(ARGRAIL, &["lint", "--fix", ".cli"]);
    assert!(
        mended.stderr.contains("mended [manifest/unknown-field]"),
        "{mended}"
    );
    let text = std::fs::read_to_string(home.work().join(".cli/demo/CLI.md")).unwrap();
    assert!(text.contains("network: { egress: [api.example.org] }"), "{text}");
}

#[test]
fn a_value_in_an_inventory_is_not_repeated() {
    let text = "---\nsecrets:\n  - slug: demo/token\n    name: Token\n    description: It.\n    value: hunter2hunter2\n---\n";
    let home = Home::new().file("SECRETS.md", text);
    let told = home.run(ARGRAIL, &["lint", "SECRETS.md"]);
    assert!(
        told.stdout.contains("SECRETS.md:6:12: error[secrets/value]"),
        "{told}"
    );
    assert!(!format!("{told}").contains("hunter2"), "{told}");
}

#[test]
fn two_bundles_with_one_identity_are_told_apart() {
    let home = home()
        .file(".cli/other/demo/CLI.md", &CLI.replace("1.0.0", "1.5.0"))
        .file(".cli/other/demo/bin/demo", "#!/bin/sh\n")
        .file(".cli/other/demo/tools/list/TOOL.md", TOOL);
    let told = home.run(ARGRAIL, &["lint", ".cli"]);
    assert!(
        told.stdout
            .contains("error[bundle/identity]: id: \"demo@1\" is also the bundle of"),
        "{told}"
    );
}

#[test]
fn every_manifest_has_a_schema() {
    for kind in [
        "cli",
        "tool",
        "secrets",
        "intent",
        "runner",
        "driver",
        "sandbox",
        "agent-cli",
        "acp",
    ] {
        let told = Home::new().run(ARGRAIL, &["lint", "--schema", kind]);
        let schema: Value = serde_json::from_str(&told.stdout).unwrap();
        assert_eq!(schema["$id"], format!("urn:argrail:schema:{kind}"));
    }
}
