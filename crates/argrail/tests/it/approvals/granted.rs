//! Grants: for their pattern, their time and their caller, and not beside them.

use std::time::Duration;

use argrail_engine::policy::GrantId;
use argrail_engine::store::Store;
use argrail_testkit::Home;
use jiff::Timestamp;
use serde_json::json;

use super::ground::{
    CALL, approve, asks, asks_in, call, connect, envelope, grant, home, runs, said, start, store, waits, work,
};
use crate::ARGRAIL;

const HOUR: Duration = Duration::from_secs(3600);

fn uses(home: &Home, id: &GrantId) -> u64 {
    let grants = store(home).grants().unwrap();
    grants.into_iter().find(|grant| grant.id == *id).unwrap().uses
}

#[test]
fn a_grant_works_for_its_pattern_and_not_beside_it() {
    let home = home();
    let id = grant(&home, "touch 'note-*'", Some(CALL), HOUR);
    runs(&call(&home, "touch note-1"));
    runs(&call(&home, "touch note-2"));
    assert_eq!(said(&home, "note-2").as_deref(), Some(""));
    assert_eq!(uses(&home, &id), 2);
    asks(&call(&home, "touch other"));
    asks(&call(&home, "touch note-1 note-2"));
    asks(&call(&home, "touch --no-create note-1"));
    asks(&call(&home, "mkdir note-3"));
    asks(&home.run(ARGRAIL, &["call", "--caller", "other", "touch note-1"]));
    assert_eq!(uses(&home, &id), 2);
    let why = home.run(
        ARGRAIL,
        &[
            "why",
            "--json",
            "--caller",
            "argrail call",
            "--",
            "touch",
            "note-1",
        ],
    );
    let data = why.json()["data"].clone();
    assert_eq!(data["decision"], "allow", "{why}");
    let reasons = data["reasons"].as_array().unwrap();
    let origin = format!("grant {id}");
    assert!(
        reasons
            .iter()
            .any(|reason| reason["rule"] == "grant" && reason["origin"] == origin.as_str()),
        "{why}"
    );
    assert_eq!(uses(&home, &id), 2, "why uses nothing up");
}

#[test]
fn what_destroys_asks_under_a_broad_grant_unless_it_says_so() {
    let home = home().file("a", "").file("b", "");
    grant(&home, "rm '**'", None, HOUR);
    asks(&call(&home, "rm a"));
    assert!(said(&home, "a").is_some());
    grant(&home, "rm '**' +destructive", None, HOUR);
    runs(&call(&home, "rm a"));
    assert_eq!(said(&home, "a"), None);
    asks(&call(&home, "rm -r a"));
}

#[test]
fn a_grant_that_is_over_or_taken_back_answers_nothing() {
    let home = home();
    grant(&home, "touch '*'", None, Duration::from_nanos(1));
    asks(&call(&home, "touch note"));
    let id = grant(&home, "touch '*'", None, HOUR);
    runs(&call(&home, "touch note"));
    store(&home).revoke(&id, Timestamp::now()).unwrap();
    asks(&call(&home, "touch note"));
}

#[test]
fn a_grant_of_another_directory_answers_nothing() {
    let home = home();
    let elsewhere = format!("touch '*' path={}/sub", work(&home).display());
    // The directory that a pattern is read in is always one of its own.
    let pattern = argrail_engine::policy::Pattern::parse(&elsewhere, std::path::Path::new("/srv")).unwrap();
    assert!(pattern.to_string().contains("path=/srv"));
    let script = "mkdir sub && cd sub && exec \"$0\" call 'touch note'";
    grant(
        &home,
        &format!("touch note path={}", work(&home).display()),
        None,
        HOUR,
    );
    asks(&home.run("/bin/sh", &["-c", script, ARGRAIL]));
    runs(&call(&home, "touch note"));
}

#[test]
fn a_revoked_grant_is_over_for_a_server_that_runs_at_once() {
    let home = home();
    let id = grant(&home, "touch '*'", None, HOUR);
    let mut client = connect(&home, &json!({}));
    assert_eq!(client.call("touch one")["isError"], false);
    store(&home).revoke(&id, Timestamp::now()).unwrap();
    let waiting = start(&mut client, "touch two");
    let question = waits(&mut client);
    assert_eq!(said(&home, "two"), None);
    approve(&home, &question);
    assert_eq!(envelope(&mut client, waiting)["success"], true);
    let run = call(&home, "touch three");
    asks_in(&run.json());
}
