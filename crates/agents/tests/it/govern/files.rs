//! Files that the host reads and writes for an agent.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::sync::Arc;
use std::time::Duration;

use argrail_agents::{Governor, ReadFile, WriteFile};
use argrail_testkit::Home;
use serde_json::json;

use super::desk::{Desk, Making, block_on};

#[test]
fn a_file_is_read_where_the_sandbox_may_and_nowhere_else() {
    let home = Home::new().file("a", "one\ntwo\n").file("bin", "");
    fs::write(home.root().join("share/s"), "shared").unwrap();
    fs::write(home.root().join("home/secret"), "no").unwrap();
    fs::write(home.work().join("bin"), b"\xff\xfe").unwrap();
    symlink(home.root().join("home"), home.work().join("out")).unwrap();
    let shared = home.root().join("share/s");
    let desk = Making {
        home,
        ..Making::default()
    }
    .desk();
    assert_eq!(desk.read("a").as_deref(), Ok("one\ntwo\n"));
    assert_eq!(desk.read(shared.to_str().unwrap()).as_deref(), Ok("shared"));
    let check = |path: &str, code: &str| assert_eq!(desk.read(path), Err(code.to_owned()), "{path}");
    check("../home/secret", "PATH_TRAVERSAL_BLOCKED");
    check("out/secret", "PATH_TRAVERSAL_BLOCKED");
    check("/proc/self/environ", "PATH_TRAVERSAL_BLOCKED");
    check("../state/argrail/audit/audit-log.jsonl", "PATH_TRAVERSAL_BLOCKED");
    check("none", "EXECUTION_ERROR");
    check("bin", "EXECUTION_ERROR");
    check("", "PATH_TRAVERSAL_BLOCKED");
    let part = block_on(desk.governor.read(ReadFile {
        path: "a".into(),
        line: Some(2),
        limit: Some(1),
    }));
    assert_eq!(part.unwrap(), "two\n");
    assert!(desk.questions().is_empty(), "nobody is asked about a read");
    assert!(desk.actions().iter().all(|action| action == "agent.acted"));
    assert_eq!(desk.record()[0]["metadata"]["bytes"], 8);
}

#[test]
fn a_write_asks_and_happens_once_after_a_yes() {
    let desk = Making {
        home: Home::new().file("a", "old\n"),
        ..Making::default()
    }
    .desk();
    let path = desk.home.work().join("a");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    assert!(
        desk.write("a", "new\n")
            .unwrap_err()
            .contains("approval_required")
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "old\n");
    let question = desk.approve();
    let content = &question.shown["act"]["content"];
    assert_eq!(content["diff"], json!(["-old\n", "+new\n"]));
    assert_eq!((&content["bytes"], &content["before"]), (&json!(4), &json!(4)));
    // Whoever wants to read it all finds it under its digest.
    let digest = content["sha256"].as_str().unwrap();
    let kept = desk.home.state().join("argrail/snapshots").join(digest);
    assert_eq!(fs::read_to_string(kept).unwrap(), "new\n");
    // Other content is another question, and the yes is not for it.
    assert!(
        desk.write("a", "evil\n")
            .unwrap_err()
            .contains("approval_required")
    );
    desk.write("a", "new\n").unwrap();
    let meta = fs::metadata(&path).unwrap();
    assert_eq!(
        (fs::read_to_string(&path).unwrap().as_str(), meta.mode() & 0o777),
        ("new\n", 0o640)
    );
    assert!(
        desk.write("a", "new\n")
            .unwrap_err()
            .contains("approval_required")
    );
    let actions = desk.actions();
    let done: Vec<&str> = actions.iter().map(String::as_str).collect();
    assert_eq!(
        done,
        [
            "approval.asked",
            "agent.acted",
            "approval.asked",
            "agent.acted",
            "agent.intended",
            "agent.acted",
            "approval.asked",
            "agent.acted"
        ]
    );
    let record = desk.record();
    assert_eq!(record[4]["metadata"]["approval"], question.id.0.as_str());
    assert_eq!(
        (&record[5]["metadata"]["success"], &record[5]["actor"]["id"]),
        (&json!(true), &json!("agent:echo@1/s1"))
    );
    assert!(
        !json!(record).to_string().contains("evil"),
        "no content is in the record"
    );
}

#[test]
fn a_no_is_told_with_its_reason_and_an_expiry_is_no_no() {
    let home = Home::new().config(r#"{"timeouts": {"approval": "1ms"}}"#);
    let desk = Making {
        home,
        ..Making::default()
    }
    .desk();
    assert!(desk.write("a", "x").unwrap_err().contains("approval_"));
    let desk = Desk::new();
    assert!(desk.write("a", "x").unwrap_err().contains("approval_required"));
    desk.deny("no");
    assert!(desk.write("a", "x").unwrap_err().contains("denied_by_human"));
    assert!(!desk.home.work().join("a").exists());
}

#[test]
fn what_changed_while_a_person_looked_is_asked_again() {
    let desk = Making {
        home: Home::new().file("a", "old\n"),
        ..Making::default()
    }
    .desk();
    assert!(desk.write("a", "new\n").is_err());
    desk.approve();
    fs::write(desk.home.work().join("a"), "meanwhile\n").unwrap();
    assert!(
        desk.write("a", "new\n")
            .unwrap_err()
            .contains("approval_required")
    );
    assert_eq!(
        fs::read_to_string(desk.home.work().join("a")).unwrap(),
        "meanwhile\n"
    );
    let question = desk.approve();
    assert_eq!(
        question.shown["act"]["content"]["diff"],
        json!(["-meanwhile\n", "+new\n"])
    );
    desk.write("a", "new\n").unwrap();
}

#[test]
fn protected_places_and_ways_out_are_refused_whoever_would_say_yes() {
    let home = Home::new().file("a", "");
    symlink(home.root().join("home"), home.work().join("out")).unwrap();
    symlink(home.work().join("none"), home.work().join("dangling")).unwrap();
    fs::create_dir(home.work().join("settings")).unwrap();
    symlink("settings", home.work().join(".vscode")).unwrap();
    let desk = Making {
        home,
        ..Making::default()
    }
    .desk();
    for path in [
        "../x",
        "/etc/x",
        "out/x",
        "out/.bashrc",
        "dangling",
        ".git/hooks/pre-commit",
        ".git/config",
        ".git",
        "HEAD",
        ".mcp.json",
        ".vscode/tasks.json",
        "settings/tasks.json",
        "../state/argrail/store.db",
        "a/b",
    ] {
        assert!(desk.write(path, "x").is_err(), "{path}");
    }
    assert!(desk.questions().is_empty());
    assert!(!desk.home.work().join(".git").exists());
}

#[test]
fn a_link_inside_is_followed_and_stays() {
    let desk = Making {
        home: Home::new().file("real", "old"),
        ..Making::default()
    }
    .desk();
    let work = desk.home.work();
    symlink("real", work.join("link")).unwrap();
    assert!(desk.write("link", "new").is_err());
    let question = desk.approve();
    assert_eq!(
        question.shown["argv"],
        json!(["write", work.join("real").to_str().unwrap()])
    );
    desk.write("link", "new").unwrap();
    assert!(work.join("link").is_symlink());
    assert_eq!(fs::read_to_string(work.join("real")).unwrap(), "new");
    // One that was made to lead out meanwhile is another place.
    assert!(desk.write("link", "newer").is_err());
    desk.approve();
    fs::remove_file(work.join("link")).unwrap();
    symlink(desk.home.root().join("home/x"), work.join("link")).unwrap();
    assert!(desk.write("link", "newer").is_err());
    assert!(!desk.home.root().join("home/x").exists());
}

#[test]
fn what_git_would_run_is_refused_and_what_agents_obey_is_told() {
    let desk = Making {
        home: Home::new().file(".git/config", "[core]\n\thooksPath = team-hooks\n"),
        ..Making::default()
    }
    .desk();
    for path in [
        "team-hooks/pre-commit",
        ".git/modules/x/hooks/pre-commit",
        ".GIT/hooks/pre-commit",
        ".Mcp.json",
        ".cursor/mcp.json",
        ".clinerules/hooks/PreToolUse",
    ] {
        let error = desk.write(path, "evil").unwrap_err();
        assert!(error.contains("it is protected"), "{path}: {error}");
    }
    assert!(desk.questions().is_empty());
    for path in ["AGENTS.md", ".cursor/rules/x.mdc", ".clinerules"] {
        assert!(
            desk.write(path, "text")
                .unwrap_err()
                .contains("approval_required"),
            "{path}"
        );
        let question = desk.approve();
        let real = desk.home.work().canonicalize().unwrap().join(path);
        assert_eq!(
            question.shown["instructions"],
            json!([real.to_str().unwrap()]),
            "{path}"
        );
        desk.write(path, "text").unwrap();
    }
    assert!(desk.write("note", "text").is_err());
    assert_eq!(desk.approve().shown["instructions"], json!(null));
}

#[test]
fn who_waits_goes_on_when_somebody_answers() {
    let desk = Arc::new(
        Making {
            wait: Duration::from_secs(60),
            ..Making::default()
        }
        .desk(),
    );
    let asking = Arc::clone(&desk);
    block_on(async move {
        let writing = asking.governor.write(WriteFile {
            path: "deep/a".into(),
            content: "x".to_owned(),
        });
        let answering = async {
            while asking.questions().is_empty() {
                tokio::task::yield_now().await;
            }
            asking.approve();
        };
        let (written, ()) = tokio::join!(writing, answering);
        written.unwrap();
    });
    assert_eq!(fs::read_to_string(desk.home.work().join("deep/a")).unwrap(), "x");
}

#[test]
fn without_a_record_nothing_is_read_or_written() {
    let desk = Making {
        home: Home::new()
            .file("a", "x")
            .config(r#"{"permissionPolicy": {"autoApprove": {"effects.filesystem.write": true}}}"#),
        ..Making::default()
    }
    .desk();
    desk.write("b", "x").unwrap();
    let audit = desk.home.state().join("argrail/audit");
    fs::rename(&audit, audit.with_extension("gone")).unwrap();
    fs::write(&audit, "").unwrap();
    assert!(desk.read("a").is_err());
    assert!(desk.write("c", "x").is_err());
    assert!(!desk.home.work().join("c").exists());
}
