//! An agent of a program's own: from its folder to a turn, through the Rust API alone.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use argrail_agents::launch::{Host, Wishes};
use argrail_agents::{AgentCli, Lifting, StartOptions, define_agent_cli};
use argrail_engine::catalog::Shelf;
use argrail_engine::config::Config;
use argrail_engine::places::Places;
use argrail_sandbox::Launcher;
use argrail_spec::bundle::Files;
use argrail_testkit::{Home, command};

use crate::scene::{Scene, agent, hear, run, short};

const MANIFEST: &str = r#"---
name: echo
id: echo
description: Does what it is told.
version: 1.0.0
bin: bin/echo
install: [{ method: vendored, path: bin/echo }]
version_check: { cmd: "echo --version", parse: 'echo (\S+)', range: ">=1" }
sandbox:
  provider: local
  config: {}
  mounts: [{ source: workspace, at: /workspace }]
protocol: acp
acp: ./ACP.md
modes: [{ id: yolo }]
---
"#;

const PROFILE: &str = r#"---
name: echo
id: echo-acp
description: How it speaks.
version: 1.0.0
kind: client
transport: stdio
metadata:
  aip44:
    acp_rev: e56562e7fed20a020b4dbbb074786a57b87326a3
    tier: basic
    capabilities: { client: { fs: { readTextFile: true } } }
---
"#;

const PROGRAM: &str = r#"#!/bin/sh
if [ "$1" = --version ]; then echo "echo 1.0.0"; exit; fi
exec "${0%/*}/agent" "$@"
"#;

/// Puts the agent into a folder beside the workspace.
fn folder(home: &Home) -> std::path::PathBuf {
    let folder = home.root().join("agents/echo");
    fs::create_dir_all(folder.join("bin")).unwrap();
    fs::write(folder.join("AGENT-CLI.md"), MANIFEST).unwrap();
    fs::write(folder.join("ACP.md"), PROFILE).unwrap();
    fs::write(folder.join("bin/echo"), PROGRAM).unwrap();
    fs::set_permissions(folder.join("bin/echo"), fs::Permissions::from_mode(0o755)).unwrap();
    let copied = command("cp")
        .arg(agent())
        .arg(folder.join("bin/agent"))
        .status()
        .unwrap();
    assert!(copied.success());
    folder
}

fn shelf(home: &Home) -> Shelf {
    let root = home.root().to_owned();
    let places = Places::new(|name| match name {
        "HOME" => Some(root.join("home").into()),
        "XDG_DATA_HOME" => Some(root.join("data").into()),
        _ => None,
    })
    .unwrap();
    Shelf::open(places, Config::default(), &home.work(), None).unwrap()
}

#[test]
fn a_folder_becomes_a_session() {
    run(async {
        let scene = Scene::new();
        let (home, launcher) = (&scene.home, Launcher::Path(agent()));
        let shelf = shelf(home);
        let host = Host::new(&shelf, &launcher, None, Default::default(), &home.work()).unwrap();
        let echo = AgentCli::from_folder(&folder(home)).unwrap();
        assert_eq!(echo.agent().identity(), "echo@1");
        let options = StartOptions {
            session: "s-7".to_owned(),
            ..StartOptions::default()
        };
        let mut session = echo.start(options, &host, scene.governor()).await.unwrap();
        assert_eq!(session.id(), "s-7");
        let heard = hear(session.send("say hello\ndirectory")).await;
        let work = home.work().canonicalize().unwrap();
        let want = [
            "text hello".to_owned(),
            format!("text {}", work.display()),
            "end end_turn".to_owned(),
        ];
        assert_eq!(short(&heard), want);
        assert!(session.close().await.failure.is_none());
        assert_eq!(scene.host.records()[0], "starting");
    });
}

#[test]
fn a_start_that_asks_nobody_needs_a_yes() {
    let home = Home::new();
    let (launcher, shelf) = (Launcher::Path(agent()), shelf(&home));
    let host = Host::new(&shelf, &launcher, None, Default::default(), &home.work()).unwrap();
    let echo = AgentCli::from_folder(&folder(&home)).unwrap();
    let mut options = StartOptions {
        wishes: Wishes {
            mode: Some("yolo".to_owned()),
            ..Wishes::default()
        },
        ..StartOptions::default()
    };
    let refused = echo.prepare(&options, &host).unwrap_err();
    assert_eq!(
        refused.to_json()["reason"],
        "approval_required",
        "{}",
        refused.to_json()
    );
    options.lifting = Lifting::Agreed;
    assert_eq!(
        echo.prepare(&options, &host).unwrap().lifts_permissions(),
        Some("yolo")
    );
}

#[test]
fn a_manifest_with_a_mistake_is_none() {
    let mut files = Files::default();
    files.text(
        "AGENT-CLI.md",
        MANIFEST.replace("protocol: acp", "protocol: smoke"),
    );
    files.text("ACP.md", PROFILE);
    let refused = define_agent_cli(&files).unwrap_err();
    assert_eq!(refused.to_json()["code"], "VALIDATION_ERROR");
    assert!(refused.to_string().contains("smoke"), "{refused}");
}
