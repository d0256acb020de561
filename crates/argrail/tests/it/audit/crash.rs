//! What is left when argrail is killed, or the disk is full.

use std::fs;

use argrail_testkit::mcp::Client;

use super::ground::{audit, entries, home, is_whole, log};
use crate::ARGRAIL;

#[test]
fn a_server_that_is_killed_while_it_writes_leaves_a_whole_record() {
    let home = home();
    for answered in [0, 1, 3, 10, 25] {
        let mut client = Client::new(home.spawn(ARGRAIL, &["serve"]));
        client.initialize();
        let asked: Vec<i64> = (0..40).map(|_| client.start_call("version")).collect();
        for id in asked.into_iter().take(answered) {
            client.result(id);
        }
        client.child().kill();
        drop(client);
    }
    home.run(ARGRAIL, &["call", "version"]);
    let run = audit(&home, &["verify", "--json"]);
    assert_eq!(run.json()["data"]["ok"], true, "{run}");
    // Whatever was answered is in it.
    assert!(entries(&home).len() > 39, "{run}");
}

#[test]
fn half_a_line_is_kept_apart_and_nothing_before_it_is_lost() {
    let home = super::ground::with(2);
    let whole = fs::read_to_string(log(&home)).unwrap();
    fs::write(log(&home), format!("{whole}{{\"$schema\":\"agentgov")).unwrap();
    super::ground::is_bad(&audit(&home, &["verify", "--json"]), "torn", 2, 3);
    home.run(ARGRAIL, &["call", "version"]);
    is_whole(&home, 4);
    assert!(fs::read_to_string(log(&home)).unwrap().starts_with(&whole));
    assert_eq!(entries(&home)[2]["metadata"]["problem"], "torn");
    let aside = super::ground::directory(&home).join("audit-log.torn-2");
    assert_eq!(fs::read_to_string(aside).unwrap(), "{\"$schema\":\"agentgov");
}

#[test]
fn what_cannot_be_recorded_does_not_run() {
    let home = super::ground::with(3);
    let made = home.work().join("made");
    let touch = |limit: &str| {
        // No file may grow beyond so many bytes: to a writer that is a full disk.
        let script = format!("trap '' XFSZ; {limit} exec \"$0\" call 'touch made'");
        home.run("sh", &["-c", &script, ARGRAIL])
    };
    let before = fs::read(log(&home)).unwrap();
    let run = touch("ulimit -f 1;");
    assert_eq!(
        (run.exit, run.json()["error"]["code"].as_str()),
        (Some(1), Some("EXECUTION_ERROR")),
        "{run}"
    );
    let message = run.json()["error"]["message"].to_string();
    assert!(message.contains("record could not be kept"), "{message}");
    assert!(!made.exists(), "it ran without a record");
    assert_eq!(fs::read(log(&home)).unwrap(), before);
    let run = touch("");
    assert_eq!(run.exit, Some(0), "{run}");
    assert!(made.exists());
    is_whole(&home, 5);
}
