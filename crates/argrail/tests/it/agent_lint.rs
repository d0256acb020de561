//! `argrail lint` of the folders of agents: every file, held against the others, with line and column.

use argrail_testkit::Home;
use insta::assert_snapshot;
use serde_json::Value;

use crate::ARGRAIL;

const AGENT: &str = r#"---
name: echo
id: echo
description: Says it again.
version: 1.0.0
bin: echo-agent
bin_args: [acp]
install: [{ method: vendored, path: ./bin/echo-agent }]
version_check: { cmd: echo-agent --version, parse: '(\S+)', range: "*" }
sandbox:
  network: {}
  fs: { read: ["**"] }
  exec: { allow: false }
  env: {}
protocol: acp
acp: ./echo.ACP.md
capabilities: { streaming: true, resumable: true }
---
# Echo
"#;

const PROFILE: &str = r#"---
name: echo
id: echo-acp
description: ACP as echo speaks it.
version: 1.0.0
kind: client
transport: stdio
metadata: { aip44: { acp_rev: "7f3c2a1", tier: governance-aware } }
---
"#;

fn home() -> Home {
    Home::new()
        .file(".agents/echo/AGENT-CLI.md", AGENT)
        .file(".agents/echo/echo.ACP.md", PROFILE)
        .file(".agents/echo/bin/echo-agent", "#!/bin/sh\n")
}

#[test]
fn a_sound_agent_is_silent() {
    assert_snapshot!(home().run(ARGRAIL, &["lint", ".agents"]), @r"
    exit: 0
    --- stdout
    --- stderr
    argrail: 2 files, 0 errors, 0 warnings, 0 notes
    ");
}

#[test]
fn an_agent_that_claims_more_than_its_profile_is_shown_where_it_does() {
    let home = home().file(
        ".agents/echo/echo.ACP.md",
        &PROFILE.replace("tier: governance-aware", "tier: basic"),
    );
    assert_snapshot!(home.run(ARGRAIL, &["lint", ".agents/echo/AGENT-CLI.md"]), @r#"
    exit: 1
    --- stdout
    .agents/echo/AGENT-CLI.md:17:45: error[agent/capability]: capabilities.resumable: "echo.ACP.md" does not have loadSession
     17 | capabilities: { streaming: true, resumable: true }
        |                                             ^^^^
        = hint: take the claim back, or add it to the profile if the agent has it
    --- stderr
    argrail: 2 files, 1 error, 0 warnings, 0 notes
    "#);
}

#[test]
fn an_agent_in_a_folder_of_another_name_is_refused() {
    let home = home()
        .file(".agents/other/AGENT-CLI.md", AGENT)
        .file(".agents/other/echo.ACP.md", PROFILE)
        .file(".agents/other/bin/echo-agent", "#!/bin/sh\n");
    let told = home.run(ARGRAIL, &["lint", ".agents", "--format", "json"]);
    let told: Value = serde_json::from_str(&told.stdout).unwrap();
    let file = |end: &str| {
        let mut files = told["files"].as_array().unwrap().iter();
        let file = files.find(|file| file["file"].as_str().unwrap().ends_with(end));
        file.unwrap().clone()
    };
    assert_eq!(file("other/AGENT-CLI.md")["kind"], "agent-cli");
    assert_eq!(file("other/echo.ACP.md")["kind"], "acp");
    let codes: Vec<Value> = file("other/AGENT-CLI.md")["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["code"].clone())
        .collect();
    assert_eq!(codes, ["agent/folder", "bundle/identity"]);
}

#[test]
fn rules_of_agents_are_in_the_log_for_code_reviews() {
    let home = home().file(
        ".agents/echo/AGENT-CLI.md",
        &AGENT.replace("protocol: acp", "protocol: telepathy"),
    );
    let told = home.run(ARGRAIL, &["lint", ".agents", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&told.stdout).unwrap();
    assert_eq!(log["runs"][0]["results"][0]["ruleId"], "agent/protocol");
}
