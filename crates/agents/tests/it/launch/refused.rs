//! What is refused before anything starts.

use std::fs;

use super::desk::{Desk, SANDBOX, User};

fn refused(desk: &Desk, mode: &[&str], code: &str, words: &str) {
    let (told, err) = desk.run(mode);
    assert!(told.is_empty(), "{told}{err}");
    assert!(err.contains(code) && err.contains(words), "{code} {words}: {err}");
    assert!(!desk.home.root().join("work/started").exists());
}

#[test]
fn a_wish_that_the_manifest_does_not_allow() {
    let desk = Desk::new(User::Ourselves, &["write", "started"], SANDBOX);
    refused(&desk, &["secnd"], "VALIDATION_ERROR", "Did you mean 'second'?");
}

#[test]
fn a_mode_that_asks_nobody_without_a_yes() {
    let desk = Desk::new(User::Ourselves, &["write", "started"], SANDBOX);
    refused(&desk, &["yolo"], "PERMISSION_DENIED", "approval_required");
}

#[test]
fn a_program_that_is_not_there() {
    let desk = Desk::new(User::Ourselves, &["write", "started"], SANDBOX);
    fs::remove_file(desk.home.root().join("agents/probe/bin/probe")).unwrap();
    fs::create_dir(desk.home.root().join("agents/probe/bin/probe")).unwrap();
    fs::write(desk.home.root().join("agents/probe/bin/probe/x"), "").unwrap();
    let (_, err) = desk.run(&[]);
    assert!(
        err.contains("VALIDATION_ERROR") || err.contains("SETUP_REQUIRED"),
        "{err}"
    );
}

#[test]
fn a_protocol_that_is_not_spoken_yet() {
    let desk = Desk::new(User::Ourselves, &["write", "started"], SANDBOX);
    let manifest = desk.home.root().join("agents/probe/AGENT-CLI.md");
    let text = fs::read_to_string(&manifest).unwrap();
    let text = text.replace(
        "protocol: acp\nacp: ./ACP.md",
        "protocol: mcp\nmcp: { command: probe, transport: stdio }",
    );
    fs::write(&manifest, text).unwrap();
    fs::remove_file(desk.home.root().join("agents/probe/ACP.md")).unwrap();
    refused(
        &desk,
        &[],
        "VALIDATION_ERROR",
        "argrail speaks acp with agents today",
    );
}

#[test]
fn a_sandbox_that_cannot_be_held() {
    let elsewhere = SANDBOX.replace("provider: local", "provider: local\n  read_only: true");
    let desk = Desk::new(User::Ourselves, &["write", "started"], &elsewhere);
    refused(&desk, &[], "SANDBOX_UNAVAILABLE", "read_only");
}

#[test]
fn a_version_that_will_not_do() {
    let desk = Desk::new(User::Ourselves, &["write", "started"], SANDBOX);
    let manifest = desk.home.root().join("agents/probe/AGENT-CLI.md");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("range: \">=1\"", "range: \">=7\"")).unwrap();
    refused(&desk, &[], "VERSION_MISMATCH", "1.2.3");
}

#[test]
fn an_agent_that_nobody_has_set_up() {
    let desk = Desk::new(User::Ourselves, &["write", "started"], SANDBOX);
    let manifest = desk.home.root().join("agents/probe/AGENT-CLI.md");
    let text = fs::read_to_string(&manifest).unwrap();
    let step = "setup:\n  - { id: onboard, kind: cmd, cmd: \"probe onboard\" }\nprotocol: acp";
    fs::write(&manifest, text.replace("protocol: acp", step)).unwrap();
    refused(&desk, &[], "SETUP_REQUIRED", "onboard");
}
