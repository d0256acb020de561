//! `approvals`: the table, the JSON and the stream.

use serde_json::{Value, json};

use super::ground::{Ground, TALL, push};

#[test]
fn what_waits_is_listed_for_people_and_programs() {
    let ground = Ground::new();
    let run = ground.run(&["approvals"]);
    assert_eq!(
        (run.exit, run.stdout.as_str()),
        (Some(0), "nothing waits for a person\n")
    );
    let id = ground.ask(&push());
    ground.ask(&push());
    let run = ground.run(&["approvals"]);
    assert_eq!(run.exit, Some(0), "{run}");
    let row = run.stdout.lines().find(|line| line.starts_with(&id)).unwrap();
    assert!(row.contains("git push") && row.contains("local:helper"), "{row}");
    assert!(row.contains("network, changes a remote"), "{row}");

    let (exit, answer) = ground.json(&["approvals", "--json"]);
    assert_eq!(exit, Some(0));
    let pending = answer["data"]["pending"].as_array().unwrap();
    assert_eq!(pending.len(), 1, "the same question waits once");
    let one = &pending[0];
    assert_eq!(one["id"], json!(id));
    assert_eq!(one["times"], 2);
    assert_eq!(one["argv"], push()["argv"]);
    for field in [
        "caller",
        "command",
        "effects",
        "reasons",
        "createdAt",
        "expiresAt",
        "sandbox",
    ] {
        assert!(one.get(field).is_some(), "{field}: {one}");
    }
}

#[test]
fn what_is_shown_cannot_speak_for_the_store() {
    let ground = Ground::new();
    let mut shown = push();
    shown["id"] = json!("zzzzzz");
    shown["caller"] = json!("root");
    shown["expiresAt"] = json!("never");
    let id = ground.ask(&shown);
    let (_, answer) = ground.json(&["approvals", "--json"]);
    let one = &answer["data"]["pending"][0];
    assert_eq!(one["id"], json!(id));
    assert_eq!(one["caller"], "local:helper");
    assert_ne!(one["expiresAt"], "never");
}

#[test]
fn a_question_that_cannot_be_read_is_told_and_taken_away() {
    let ground = Ground::new();
    let bad = ground.ask(&push());
    let mut other = push();
    other["argv"] = json!(["git", "push"]);
    let good = ground.ask(&other);
    let plain = rusqlite::Connection::open(ground.store.path()).unwrap();
    let damage = "UPDATE request SET shown = '{' WHERE id = ?1";
    assert_eq!(plain.execute(damage, [&bad]).unwrap(), 1);

    let (exit, answer) = ground.json(&["approvals", "--json"]);
    assert_eq!(exit, Some(0), "{answer}");
    let data = &answer["data"];
    assert_eq!(
        (
            data["pending"].as_array().unwrap().len(),
            &data["pending"][0]["id"]
        ),
        (1, &json!(good))
    );
    assert_eq!(
        (&data["damaged"][0]["id"], &data["damaged"][0]["kind"]),
        (&json!(bad), &json!("question"))
    );
    let run = ground.run(&["approvals"]);
    assert!(run.stderr.contains(&format!("argrail deny {bad}")), "{run}");
    let (exit, lines) = ground.at_terminal(&["approve", &bad], TALL).wait();
    assert_eq!(exit, Some(1), "{lines:#?}");
    let (exit, lines) = ground.at_terminal(&["deny", &bad], TALL).wait();
    assert_eq!(exit, Some(0), "{lines:#?}");
    let (_, answer) = ground.json(&["approvals", "--json"]);
    assert_eq!(answer["data"].get("damaged"), None, "{answer}");
    assert_eq!(answer["data"]["pending"][0]["id"], json!(good));
}

#[test]
fn a_stream_tells_each_question_once() {
    let ground = Ground::new();
    let first = ground.ask(&push());
    let mut child = ground
        .home
        .spawn(crate::ARGRAIL, &["approvals", "--watch", "--json"]);
    let next = |child: &mut argrail_testkit::Child| -> Value {
        serde_json::from_slice(&child.line().unwrap()).unwrap()
    };
    assert_eq!(next(&mut child)["id"], json!(first));
    let mut other = push();
    other["argv"] = json!(["git", "push"]);
    let second = ground.ask(&other);
    assert_eq!(
        next(&mut child)["id"],
        json!(second),
        "the first is not told again"
    );
    child.terminate();
    assert_eq!(child.wait().exit, Some(143));
}

#[test]
fn a_stream_ends_when_nobody_reads_it() {
    let ground = Ground::new();
    ground.ask(&push());
    let reader = "{ read -r line; exec <&-; echo closed; }";
    let line = format!(
        "{} approvals --watch --json | {reader}; echo over",
        crate::ARGRAIL
    );
    let mut child = ground.home.spawn("/bin/sh", &["-c", &line]);
    assert_eq!(child.line().unwrap(), b"closed\n");
    // No further question has to come for that.
    assert_eq!(child.line().unwrap(), b"over\n");
}

#[test]
fn a_screen_needs_a_terminal() {
    let ground = Ground::new();
    let run = ground.run(&["approvals", "--watch"]);
    assert_eq!(run.exit, Some(2), "{run}");
    assert!(run.stderr.contains("--json"), "{run}");
}

#[test]
fn a_store_that_is_broken_is_told() {
    let ground = Ground::new();
    ground.ask(&push());
    let path = ground.store.path();
    for more in ["-wal", "-shm"] {
        let mut name = path.clone().into_os_string();
        name.push(more);
        std::fs::remove_file(name).unwrap();
    }
    std::fs::write(&path, "no database".repeat(1000)).unwrap();
    let (exit, answer) = ground.json(&["approvals", "--json"]);
    assert_eq!(exit, Some(1), "{answer}");
    assert_eq!(answer["error"]["code"], "EXECUTION_ERROR");
    let (exit, lines) = ground.at_terminal(&["approvals", "--watch"], TALL).wait();
    assert_eq!(exit, Some(1), "{lines:#?}");
}
