//! A call over MCP that waits for a person in another process.

use std::fs;

use argrail_engine::store::{State, Store};
use argrail_testkit::{Home, with_time_to_begin};
use jiff::Timestamp;
use serde_json::json;

use super::ground::{approve, asks_in, connect, deny, envelope, home, question, said, start, store, waits};

#[test]
fn a_waiting_call_goes_on_as_soon_as_a_person_answers() {
    let home = home();
    let mut client = connect(&home, &json!({}));
    let yes = start(&mut client, "touch note");
    let id = waits(&mut client);
    assert_eq!(question(&home, &id).state, State::Pending);
    // Others are answered meanwhile.
    assert_eq!(client.call("ls")["isError"], false);
    approve(&home, &id);
    assert_eq!(envelope(&mut client, yes)["success"], true);
    assert_eq!(said(&home, "note").as_deref(), Some(""));

    let no = start(&mut client, "touch other");
    let id = loop {
        let next = waits(&mut client);
        if next != id {
            break next;
        }
    };
    deny(&home, &id, "later");
    let error = envelope(&mut client, no)["error"].clone();
    assert_eq!(
        (&error["reason"], &error["humanReason"]),
        (&json!("denied_by_human"), &json!("later"))
    );
    assert_eq!(said(&home, "other"), None);
}

#[test]
fn the_time_that_a_person_takes_is_not_the_tools() {
    with_time_to_begin(|time| {
        // Enough to ask; asking and running may take that long together.
        let time = 10 * time;
        let call = format!("{}ms", time.as_millis());
        let home = home().config(&json!({"timeouts": {"call": call}}).to_string());
        let mut client = connect(&home, &json!({}));
        let call = start(&mut client, "touch note");
        let id = waits(&mut client);
        loop {
            let told = client.notification("notifications/progress");
            if told["params"]["progress"].as_f64().unwrap() > time.as_secs_f64() + 0.5 {
                break;
            }
        }
        approve(&home, &id);
        let answer = envelope(&mut client, call);
        let too_slow = answer["error"]["code"] == "TIMEOUT";
        (!too_slow).then(|| assert_eq!(answer["success"], true, "{answer}"))
    });
}

#[test]
fn who_stops_waiting_leaves_the_question_open() {
    let home = home();
    let mut client = connect(&home, &json!({}));
    let call = start(&mut client, "touch note");
    let id = waits(&mut client);
    client.notify("notifications/cancelled", json!({"requestId": call}));
    assert_eq!(client.call("ls")["isError"], false);
    assert_eq!(question(&home, &id).state, State::Pending);
    approve(&home, &id);
    let again = start(&mut client, "touch note");
    assert_eq!(envelope(&mut client, again)["success"], true);
    assert_eq!(said(&home, "note").as_deref(), Some(""));
}

#[test]
fn a_signal_does_not_wait_for_a_person() {
    let home = home();
    let mut client = connect(&home, &json!({}));
    let call = start(&mut client, "touch note");
    let id = waits(&mut client);
    client.child().terminate();
    // Answered as one that nobody has answered yet, not as one that was cut when the grace was over.
    let answer = envelope(&mut client, call);
    assert_eq!(asks_in(&answer), id);
    assert_eq!(client.finish().exit, Some(0));
    assert_eq!(question(&home, &id).state, State::Pending);
    assert_eq!(said(&home, "note"), None);
}

/// Starts `command`, changes something while it waits, approves it, and returns what came of it.
fn changed_meanwhile(home: &Home, command: &str, change: impl FnOnce()) -> serde_json::Value {
    let mut client = connect(home, &json!({}));
    let call = start(&mut client, command);
    let id = waits(&mut client);
    change();
    approve(home, &id);
    envelope(&mut client, call)
}

#[test]
fn a_script_that_changes_while_a_person_looks_at_it_runs_as_it_was() {
    let home = home().file("s.sh", "echo old > out\n");
    let script = home.work().join("s.sh");
    let envelope = changed_meanwhile(&home, "sh s.sh", || {
        fs::write(&script, "echo new > out\n").unwrap()
    });
    assert_eq!(envelope["success"], true, "{envelope:#}");
    assert_eq!(said(&home, "out").as_deref(), Some("old\n"));
    // The next call is about the new one.
    let run = super::ground::call(&home, "sh s.sh");
    super::ground::asks(&run);
    assert_eq!(said(&home, "out").as_deref(), Some("old\n"));
}

#[test]
fn a_script_whose_place_was_taken_does_not_run() {
    let home = home()
        .file("s.sh", "echo old > out\n")
        .file("evil.sh", "echo new > out\n");
    let script = home.work().join("s.sh");
    let envelope = changed_meanwhile(&home, "sh s.sh", || {
        fs::remove_file(&script).unwrap();
        std::os::unix::fs::symlink("evil.sh", &script).unwrap();
    });
    assert_eq!(envelope["error"]["reason"], "approval_required", "{envelope:#}");
    assert_eq!(said(&home, "out"), None);
}

#[test]
fn a_file_that_is_written_and_changed_meanwhile_asks_again() {
    let home = home().file("f", "x\n");
    let file = home.work().join("f");
    let envelope = changed_meanwhile(&home, "sed -i s/x/y/ f", || {
        fs::write(&file, "x and more\n").unwrap()
    });
    let next = asks_in(&envelope);
    assert_eq!(said(&home, "f").as_deref(), Some("x and more\n"));
    assert_eq!(question(&home, &next).state, State::Pending);
    assert_eq!(store(&home).pending(Timestamp::now()).unwrap().len(), 1);
}

#[test]
fn a_program_that_changes_while_a_person_looks_at_it_does_not_run() {
    let home = home().tool("writer", "#!/bin/sh\necho good > out\n");
    let program = home.bin().join("writer");
    let envelope = changed_meanwhile(&home, "writer", || {
        fs::write(&program, "#!/bin/sh\necho evil > out\n").unwrap();
    });
    asks_in(&envelope);
    assert_eq!(said(&home, "out"), None);
}
