//! What is in the file: how it is made by many at once, what is forgotten, and what waits for the disk.

use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use argrail_testkit::Home;
use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::json;

use super::super::SqliteStore;
use super::super::migrate;
use super::super::prune::prune_beyond;
use super::super::session::Durability;
use crate::places::testing::places_of;
use crate::store::{Asked, Caps, NewRequest, Request, Store};

fn ask(store: &SqliteStore, binding: &str, now: Timestamp) -> Request {
    let new = NewRequest {
        binding: binding.to_owned(),
        caller: "local:test".to_owned(),
        shown: json!({}),
        lives: Duration::from_secs(600),
    };
    let caps = Caps {
        per_caller: 1000,
        all: 1000,
    };
    match store.ask(&new, caps, now).unwrap() {
        Asked::Waits(request) => request,
        Asked::Full(caps) => panic!("{caps:?}"),
    }
}

#[test]
fn many_that_start_at_once_make_one_store() {
    let home = Home::new();
    let places = places_of(&home);
    let start = Barrier::new(16);
    let now = Timestamp::now();
    thread::scope(|scope| {
        for number in 0..16 {
            let (start, places) = (&start, &places);
            scope.spawn(move || {
                let store = SqliteStore::new(places);
                start.wait();
                ask(&store, &number.to_string(), now);
            });
        }
    });
    assert_eq!(SqliteStore::new(&places).pending(now).unwrap().len(), 16);
}

#[test]
fn a_store_whose_making_was_cut_off_is_made() {
    for mode in ["DELETE", "WAL"] {
        let home = Home::new();
        let store = SqliteStore::new(&places_of(&home));
        std::fs::create_dir_all(store.path().parent().unwrap()).unwrap();
        std::fs::write(store.path(), "").unwrap();
        let half: String = Connection::open(store.path())
            .unwrap()
            .pragma_update_and_check(None, "journal_mode", mode, |row| row.get(0))
            .unwrap();
        assert!(half.eq_ignore_ascii_case(mode));
        ask(&store, "a", Timestamp::now());
        let plain = Connection::open(store.path()).unwrap();
        let mode: String = plain
            .pragma_query_value(None, "journal_mode", |row| row.get(0))
            .unwrap();
        let version: i64 = plain
            .pragma_query_value(None, "user_version", |row| row.get(0))
            .unwrap();
        assert_eq!((mode.as_str(), version), ("wal", migrate::known()));
    }
}

#[test]
fn answers_wait_for_the_disk_and_ends_do_not() {
    let home = Home::new();
    let store = SqliteStore::new(&places_of(&home));
    let synchronous = |durability: Durability| {
        store.write(durability, |change| {
            Ok(change.pragma_query_value(None, "synchronous", |row| row.get::<_, i64>(0))?)
        })
    };
    // FULL waits at the end of every transaction, NORMAL only when the log is copied.
    for (durability, want) in [
        (Durability::Synced, 2),
        (Durability::Cached, 1),
        (Durability::Cached, 1),
        (Durability::Synced, 2),
    ] {
        assert_eq!(synchronous(durability).unwrap(), want, "{durability:?}");
    }
}

#[test]
fn the_log_stays_short_and_stays_when_the_last_one_leaves() {
    let home = Home::new();
    let places = places_of(&home);
    let log = places.state().join("store.db-wal");
    for number in 0..300 {
        let store = SqliteStore::new(&places);
        let head = crate::store::Head {
            seq: number,
            hash: "00".repeat(32),
        };
        store.advance("calls", &head).unwrap();
    }
    let length = log.metadata().unwrap().len();
    assert!((1..600 * 1024).contains(&length), "{length}");
    let head = SqliteStore::new(&places).head("calls").unwrap().unwrap();
    assert_eq!(head.seq, 299);
}

/// Puts questions into the table that ended so many seconds before `now`.
fn fill(store: &SqliteStore, count: i64, ended: i64, now: Timestamp) {
    let plain = Connection::open(store.path()).unwrap();
    plain
        .execute(
            "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?1)
                INSERT INTO request (id, binding, caller, shown, created, expires, times, state)
                SELECT ?2 || '-' || n, 'old', 'old', '{}', 0, ?2, 1, 'pending' FROM n",
            (count, now.as_microsecond() - ended * 1_000_000),
        )
        .unwrap();
}

fn rows(store: &SqliteStore) -> i64 {
    let plain = Connection::open(store.path()).unwrap();
    plain
        .query_row("SELECT count(*) FROM request", [], |row| row.get(0))
        .unwrap()
}

#[test]
fn questions_that_are_long_over_are_forgotten_a_few_at_a_time() {
    const DAY: i64 = 24 * 60 * 60;
    let home = Home::new();
    let store = SqliteStore::new(&places_of(&home));
    let now = Timestamp::now();
    ask(&store, "first", now);
    fill(&store, 100, 31 * DAY, now);
    fill(&store, 50, 29 * DAY, now);
    ask(&store, "second", now);
    assert_eq!(rows(&store), 2 + 50 + 36);
    ask(&store, "third", now);
    assert_eq!(rows(&store), 3 + 50);
    ask(&store, "fourth", now);
    assert_eq!(rows(&store), 4 + 50);
}

#[test]
fn however_many_are_asked_a_thousand_that_are_over_are_kept() {
    let home = Home::new();
    let store = SqliteStore::new(&places_of(&home));
    let now = Timestamp::now();
    ask(&store, "first", now);
    fill(&store, 1100, 60, now);
    for binding in ["a", "b", "c"] {
        ask(&store, binding, now);
    }
    assert_eq!(rows(&store), 4 + 1000);
    assert_eq!(store.pending(now).unwrap().len(), 4);
}

#[test]
fn questions_that_are_over_do_not_fill_the_disk() {
    let home = Home::new();
    let store = SqliteStore::new(&places_of(&home));
    let begun = Timestamp::now();
    let long = json!({"argv": ["x".repeat(100_000)]});
    let caps = Caps {
        per_caller: 1000,
        all: 1000,
    };
    for number in 0..80 {
        let new = NewRequest {
            binding: number.to_string(),
            caller: "local:test".to_owned(),
            shown: long.clone(),
            lives: Duration::from_secs(600),
        };
        store.ask(&new, caps, begun).unwrap();
    }
    let later = begun + Duration::from_secs(3600);
    let open = ask(&store, "open", later);
    let count = || {
        let plain = Connection::open(store.path()).unwrap();
        let count = plain.query_row("SELECT count(*) FROM request", [], |row| row.get::<_, i64>(0));
        count.unwrap()
    };
    assert_eq!(count(), 81);
    for most in [100 << 20, 1 << 20, 1 << 20] {
        store
            .write(Durability::Cached, |change| prune_beyond(change, later, most))
            .unwrap();
    }
    assert_eq!(count(), 1, "what waits stays");
    assert_eq!(store.pending(later).unwrap()[0].id, open.id);
}
