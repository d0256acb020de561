//! A home in which changes ask, and a person's hand in its store.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use argrail_engine::places::Places;
use argrail_engine::policy::{ApprovalMeans, Approver, RequestId};
use argrail_engine::policy::{Grant, GrantId, Pattern};
use argrail_engine::store::{Answer, Request, Ruling, SqliteStore, Store, random_grant_id};
use argrail_testkit::mcp::Client;
use argrail_testkit::{Home, Run};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::ARGRAIL;

/// The key of whoever uses `argrail call` without a name.
pub(super) const CALL: &str = "local:argrail call";

/// A home in which the programs of the system can be called, behind those of the test.
pub(super) fn home() -> Home {
    let home = Home::new();
    let path = format!("{}:/usr/bin:/bin", home.bin().display());
    home.env("PATH", path)
}

/// The store of that home.
pub(super) fn store(home: &Home) -> SqliteStore {
    let root = home.root().to_owned();
    let places = Places::new(|name| match name {
        "HOME" => Some(root.join("home").into()),
        "XDG_STATE_HOME" => Some(root.join("state").into()),
        _ => None,
    });
    SqliteStore::new(&places.unwrap())
}

pub(super) fn call(home: &Home, command: &str) -> Run {
    home.run(ARGRAIL, &["call", command])
}

/// Sees that a call asks, and returns the question's name.
#[track_caller]
pub(super) fn asks(run: &Run) -> String {
    assert_eq!(run.exit, Some(5), "{run}");
    asks_in(&run.json())
}

/// The same in an envelope.
#[track_caller]
pub(crate) fn asks_in(envelope: &Value) -> String {
    let error = &envelope["error"];
    assert_eq!(error["code"], "PERMISSION_DENIED", "{envelope:#}");
    assert_eq!(error["reason"], "approval_required", "{envelope:#}");
    error["approval"].as_str().unwrap().to_owned()
}

/// Sees that a call ran.
#[track_caller]
pub(super) fn runs(run: &Run) {
    assert_eq!(run.exit, Some(0), "{run}");
}

fn person() -> Approver {
    Approver {
        who: "ann".to_owned(),
        means: ApprovalMeans::Terminal,
        at: Timestamp::now(),
        grant: None,
    }
}

#[track_caller]
pub(crate) fn approve(home: &Home, id: &str) {
    let answer = store(home).answer(
        &RequestId(id.to_owned()),
        &Ruling::Approve(person()),
        Timestamp::now(),
    );
    assert!(matches!(answer, Ok(Answer::Taken(_))), "{answer:?}");
}

#[track_caller]
pub(super) fn deny(home: &Home, id: &str, reason: &str) {
    let ruling = Ruling::Deny(person(), Some(reason.to_owned()));
    let answer = store(home).answer(&RequestId(id.to_owned()), &ruling, Timestamp::now());
    assert!(matches!(answer, Ok(Answer::Taken(_))), "{answer:?}");
}

/// A question as the store has it.
pub(super) fn question(home: &Home, id: &str) -> Request {
    let found = store(home).request(&RequestId(id.to_owned()), Timestamp::now());
    found.unwrap().unwrap()
}

/// Gives a grant for calls in the directory of the home's work.
pub(super) fn grant(home: &Home, pattern: &str, caller: Option<&str>, lasts: Duration) -> GrantId {
    let now = Timestamp::now();
    let grant = Grant {
        id: random_grant_id().unwrap(),
        pattern: Pattern::parse(pattern, &work(home)).unwrap(),
        caller: caller.map(str::to_owned),
        session: None,
        request: None,
        given_by: "ann".to_owned(),
        created_at: now,
        expires_at: Some(now + lasts),
        revoked_at: None,
        last_used_at: None,
        uses: 0,
    };
    store(home).add_grant(&grant).unwrap();
    grant.id
}

/// Where calls start.
pub(super) fn work(home: &Home) -> PathBuf {
    home.work().canonicalize().unwrap()
}

/// A client of a server whose calls wait for a person, as long as nobody answers.
pub(super) fn connect(home: &Home, capabilities: &Value) -> Client {
    connect_to(home, &[], capabilities)
}

/// The same, of a server that was started with more words.
pub(super) fn connect_to(home: &Home, more: &[&str], capabilities: &Value) -> Client {
    let words: Vec<&str> = ["serve", "--wait", "5m"].iter().chain(more).copied().collect();
    let mut client = Client::new(home.spawn(ARGRAIL, &words));
    client.initialize_with(capabilities);
    client
}

/// Starts a call that wants to hear how far it is.
pub(super) fn start(client: &mut Client, command: &str) -> i64 {
    let params = json!({
        "name": "cli",
        "arguments": {"command": command},
        "_meta": {"progressToken": command},
    });
    client.request("tools/call", params)
}

/// Waits until a call says that it waits for a person, and returns the question's name.
#[track_caller]
pub(super) fn waits(client: &mut Client) -> String {
    let told = client.notification("notifications/progress");
    let message = told["params"]["message"].as_str().unwrap();
    let id = message
        .strip_prefix("waiting for a person: argrail approve '")
        .unwrap();
    id.trim_end_matches('\'').to_owned()
}

/// The envelope that a call is answered with.
pub(super) fn envelope(client: &mut Client, id: i64) -> Value {
    client.result(id)["structuredContent"].clone()
}

/// What a file says, if it is there.
pub(super) fn said(home: &Home, file: &str) -> Option<String> {
    fs::read_to_string(home.work().join(file)).ok()
}
