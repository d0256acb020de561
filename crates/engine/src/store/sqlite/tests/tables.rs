//! What is in the file: how it is made by many at once, what is forgotten, and what waits for the disk.

use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use argrail_testkit::Home;
use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::json;

use super::super::grants::OF_TOOL;
use super::super::prune::prune_beyond;
use super::super::session::Durability;
use super::super::{SqliteStore, migrate, moment};
use crate::places::testing::places_of;
use crate::policy::{Grant, GrantId};
use crate::store::contract::sample_grant;
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

/// Puts grants for `git` into the table that ended so many seconds before `now`; the last of them cannot be read.
fn fill_grants(store: &SqliteStore, count: i64, ended: i64, now: Timestamp) {
    let body = serde_json::to_string(&grant("g-{n}", now)).unwrap();
    let plain = Connection::open(store.path()).unwrap();
    plain
        .execute(
            "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?1)
                INSERT INTO standing (id, body, created, expires, uses)
                SELECT 'g-' || ?2 || '-' || n, replace(?3, '{n}', ?2 || '-' || n), 0, ?2, 0 FROM n",
            (count, now.as_microsecond() - ended * 1_000_000, body),
        )
        .unwrap();
}

fn grant(id: &str, now: Timestamp) -> Grant {
    Grant {
        id: GrantId(id.to_owned()),
        created_at: now,
        expires_at: Some(now + Duration::from_secs(600)),
        ..sample_grant()
    }
}

fn count_grants(store: &SqliteStore) -> i64 {
    let plain = Connection::open(store.path()).unwrap();
    plain
        .query_row("SELECT count(*) FROM standing", [], |row| row.get(0))
        .unwrap()
}

#[test]
fn a_store_of_the_first_version_is_brought_up_to_date_with_all_that_is_in_it() {
    let home = Home::new();
    let now = Timestamp::now();
    let store = SqliteStore::new(&places_of(&home));
    std::fs::create_dir_all(store.path().parent().unwrap()).unwrap();
    let mut old = Connection::open(store.path()).unwrap();
    migrate::make_version(&mut old, 1).unwrap();
    let body = serde_json::to_string(&grant("g-aaaaa", now)).unwrap();
    old.execute(
        "INSERT INTO standing (id, body, created, expires, uses) VALUES ('g-aaaaa', ?1, ?2, ?3, 4)",
        (&body, now.as_microsecond(), now.as_microsecond() + 600_000_000),
    )
    .unwrap();
    old.execute_batch(
        "INSERT INTO standing (id, body, created, uses) VALUES ('g-bbbbb', '{', 0, 0), ('g-ccccc', '[]', 0, 0);
        INSERT INTO head VALUES ('audit', 7, 'ab');
        INSERT INTO document (kind, key, written, body) VALUES ('token', 'k', 0, '1')",
    )
    .unwrap();
    fill(&store, 1, -60, now);
    drop(old);
    assert_eq!(store.pending(now).unwrap().len(), 1);
    let held = store.grants_of(&["git"], now).unwrap();
    assert_eq!(held.len(), 1);
    assert_eq!((held[0].id.0.as_str(), held[0].uses), ("g-aaaaa", 4));
    assert_eq!(store.grants().unwrap(), held);
    assert_eq!(store.head("audit").unwrap().unwrap().seq, 7);
    assert!(store.get(crate::store::Kind::Token, "k").unwrap().is_some());
    // What cannot be read allows nothing, is told, and can be taken away.
    let damaged = store.damaged(now).unwrap();
    let names: Vec<&str> = damaged.iter().map(|damaged| damaged.id.as_str()).collect();
    assert_eq!(names, ["g-bbbbb", "g-ccccc"]);
    assert!(store.discard("g-bbbbb", now).unwrap() && !store.discard("g-aaaaa", now).unwrap());
    let plain = Connection::open(store.path()).unwrap();
    let version: i64 = plain
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .unwrap();
    assert_eq!((version, migrate::known()), (2, 2));
}

#[test]
fn an_ask_reads_the_grants_that_hold_however_many_are_over() {
    let home = Home::new();
    let now = Timestamp::now();
    let store = SqliteStore::new(&places_of(&home));
    let mut held = grant("g-aaaaa", now);
    held.created_at = moment::read(moment::number(now)).unwrap();
    held.expires_at = None;
    store.add_grant(&held).unwrap();
    fill_grants(&store, 3000, 60, now);
    assert_eq!(store.grants_of(&["*", "git"], now).unwrap(), [held]);
    assert_eq!(store.grants_of(&["cp"], now).unwrap(), []);
    let plan = store
        .write(Durability::Cached, |change| {
            let query = format!("EXPLAIN QUERY PLAN SELECT id FROM standing {OF_TOOL}");
            Ok(change.query_row(&query, ("git", 0), |row| row.get::<_, String>(3))?)
        })
        .unwrap();
    assert!(
        plan.contains("SEARCH standing USING INDEX standing_by_tool (tool=? AND ends>?)"),
        "{plan}"
    );
}

#[test]
fn grants_that_are_long_over_are_forgotten_a_few_at_a_time() {
    const DAY: i64 = 24 * 60 * 60;
    let home = Home::new();
    let now = Timestamp::now();
    let store = SqliteStore::new(&places_of(&home));
    store.add_grant(&grant("g-aaaaa", now)).unwrap();
    fill_grants(&store, 100, 31 * DAY, now);
    fill_grants(&store, 1050, 29 * DAY, now);
    for binding in ["a", "b", "c"] {
        ask(&store, binding, now);
    }
    assert_eq!(
        count_grants(&store),
        1 + 1000,
        "a thousand that are over are kept"
    );
    assert_eq!(store.grants_of(&["git"], now).unwrap().len(), 1);
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
