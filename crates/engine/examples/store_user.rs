//! A process that uses the store, for tests that start many of them at once and kill some.
//!
//! `store_user once NAME` waits for a line, then asks a question of its own, takes the answer to `shared`, and prints
//! what it got. `store_user loop NAME N` asks, answers and takes N times, prints each answer that it took, and takes
//! those of the others as well. `store_user count N` adds N to a number that all share.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a program of tests: its panics and its output are the report"
)]

use std::io::{self, BufRead};
use std::time::Duration;

use argrail_engine::places::Places;
use argrail_engine::policy::{ApprovalMeans, Approver};
use argrail_engine::store::{
    Asked, Caps, Claim, Head, Kind, NewRequest, Request, Ruling, SqliteStore, Store, StoreError,
};
use jiff::Timestamp;
use serde_json::json;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let places = Places::new(|name| std::env::var_os(name)).expect("a home");
    let store = SqliteStore::new(&places);
    match words.as_slice() {
        ["once", name] => once(&store, name),
        ["loop", name, rounds] => {
            for round in 0..rounds.parse().expect("a number of rounds") {
                one_round(&store, name, round);
            }
        }
        ["count", rounds] => {
            for _ in 0..rounds.parse::<u64>().expect("a number of rounds") {
                count(&store);
            }
        }
        other => panic!("expected once NAME, loop NAME N or count N, got {other:?}"),
    }
}

fn once(store: &SqliteStore, name: &str) {
    println!("ready");
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line).expect("a line");
    ask(store, name);
    let got = match store.claim("shared", Timestamp::now()).expect("a store") {
        Claim::Approved(_) => "approved",
        Claim::Denied(_) => "denied",
        Claim::Expired(_) => "expired",
        Claim::Pending(_) => "pending",
        Claim::Nothing => "nothing",
    };
    println!("{got}");
}

fn one_round(store: &SqliteStore, name: &str, round: u64) {
    let request = ask(store, &format!("{name}-{round}"));
    let approver = Approver {
        who: name.to_owned(),
        means: ApprovalMeans::Token,
        at: Timestamp::now(),
        grant: None,
    };
    // Too late where a life before this one answered and was killed.
    let ruling = Ruling::Approve(approver);
    store
        .answer(&request.id, &ruling, Timestamp::now())
        .expect("a store");
    let head = Head {
        seq: round,
        hash: name.to_owned(),
    };
    store.advance(name, &head).expect("a store");
    // Others try for it too: whoever gets it says so.
    for binding in [
        format!("{name}-{round}"),
        format!("rival-{round}"),
        format!("victim-{round}"),
    ] {
        if let Claim::Approved(request) = store.claim(&binding, Timestamp::now()).expect("a store") {
            println!("took {}", request.id);
        }
    }
}

fn ask(store: &SqliteStore, binding: &str) -> Request {
    let new = NewRequest {
        binding: binding.to_owned(),
        caller: "local:test".to_owned(),
        shown: json!({"command": binding}),
        lives: Duration::from_secs(3600),
    };
    let caps = Caps {
        per_caller: 100,
        all: 100,
    };
    match store.ask(&new, caps, Timestamp::now()).expect("a store") {
        Asked::Waits(request) => request,
        Asked::Full(caps) => panic!("{caps:?}"),
    }
}

fn count(store: &SqliteStore) {
    loop {
        let found = store.get(Kind::Ledger, "count").expect("a store");
        let number = found.as_ref().and_then(|found| found.body.as_u64()).unwrap_or(0);
        let seen = found.map(|found| found.revision);
        match store.put(Kind::Ledger, "count", seen, &json!(number + 1), Timestamp::now()) {
            Ok(_) => return,
            Err(StoreError::Conflict { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
}
