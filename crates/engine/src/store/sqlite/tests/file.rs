//! The file itself: whose it is, when it is made, and what is done with one that is no store of ours.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::Duration;

use argrail_testkit::Home;
use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::json;

use super::super::SqliteStore;
use crate::places::testing::places_of;
use crate::store::{Asked, Caps, DamagedKind, Head, Kind, NewRequest, Store, StoreError};

const CAPS: Caps = Caps {
    per_caller: 16,
    all: 128,
};

fn store(home: &Home) -> SqliteStore {
    SqliteStore::new(&places_of(home))
}

fn ask(store: &SqliteStore, binding: &str) -> Result<Asked, StoreError> {
    let new = NewRequest {
        binding: binding.to_owned(),
        caller: "local:test".to_owned(),
        shown: json!({"command": "git push"}),
        lives: Duration::from_secs(600),
    };
    store.ask(&new, CAPS, Timestamp::now())
}

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    PathBuf::from(format!("{}{suffix}", path.display()))
}

#[test]
fn nothing_is_made_until_it_is_used_and_then_it_is_for_its_owner_alone() {
    let home = Home::new();
    let store = store(&home);
    let directory = store.path().parent().unwrap().to_owned();
    assert!(!directory.exists());
    ask(&store, "a").unwrap();
    assert_eq!(mode(&directory), 0o700);
    for suffix in ["", "-wal", "-shm"] {
        assert_eq!(mode(&beside(&store.path(), suffix)), 0o600, "{suffix}");
    }
}

#[test]
fn what_others_could_have_written_is_refused_and_what_they_read_is_closed() {
    let home = Home::new();
    let first = store(&home);
    ask(&first, "a").unwrap();
    let path = first.path();
    let directory = path.parent().unwrap();
    drop(first);
    for (path, loose, tight) in [
        (path.clone(), 0o644, 0o600),
        (beside(&path, "-wal"), 0o640, 0o600),
        (directory.to_owned(), 0o755, 0o700),
    ] {
        set_mode(&path, loose | 0o020);
        let error = store(&home).pending(Timestamp::now()).unwrap_err();
        assert!(matches!(error, StoreError::Unsafe { .. }), "{error:?}");
        set_mode(&path, loose);
        assert_eq!(store(&home).pending(Timestamp::now()).unwrap().len(), 1);
        assert_eq!(mode(&path), tight);
    }
}

#[test]
fn a_link_or_a_pipe_or_a_directory_is_no_store() {
    let check = |make: &dyn Fn(&Path), name: &str| {
        let home = Home::new();
        let store = store(&home);
        fs::create_dir_all(store.path().parent().unwrap()).unwrap();
        make(&store.path().with_file_name(name));
        let error = ask(&store, "a").unwrap_err();
        assert!(matches!(error, StoreError::Unsafe { .. }), "{name}: {error:?}");
    };
    for name in ["store.db", "store.db-wal", "store.db-shm"] {
        check(
            &|path| symlink(path.with_file_name("elsewhere"), path).unwrap(),
            name,
        );
        check(&|path| fs::create_dir(path).unwrap(), name);
        check(&|path| fifo(path), name);
    }
}

fn fifo(path: &Path) {
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, mode, 0).unwrap();
}

#[test]
fn a_home_behind_a_link_has_a_store() {
    let home = Home::new();
    let state = places_of(&home).state().parent().unwrap().to_owned();
    let real = home.work().join("elsewhere");
    fs::create_dir(&real).unwrap();
    if state.exists() {
        fs::remove_dir(&state).unwrap();
    }
    symlink(&real, &state).unwrap();
    ask(&store(&home), "a").unwrap();
    assert!(real.join("argrail/store.db").is_file());
}

#[test]
fn a_file_that_is_no_store_is_reported_and_kept_byte_for_byte() {
    let check = |bytes: &[u8]| {
        let home = Home::new();
        let store = store(&home);
        fs::create_dir_all(store.path().parent().unwrap()).unwrap();
        fs::write(store.path(), bytes).unwrap();
        let Err(error) = ask(&store, "a") else {
            panic!("{} bytes were taken for a store", bytes.len());
        };
        assert!(
            matches!(&error, StoreError::Corrupt { path, .. } if *path == store.path().canonicalize().unwrap())
        );
        assert!(error.hint().to_string().contains("store.db"), "{}", error.hint());
        assert!(store.pending(Timestamp::now()).is_err(), "and again");
        assert_eq!(fs::read(store.path()).unwrap(), bytes);
    };
    check(b"x");
    check(b"xy");
    check(b"SQLite format 3\0 and then something else entirely, for longer than its header is");
    check(&[0; 4096]);
    check(&b"{\"not\": \"a database\"}".repeat(500));
    check(&of_another_program());
}

fn of_another_program() -> Vec<u8> {
    let home = Home::new();
    let path = home.work().join("other.db");
    let other = Connection::open(&path).unwrap();
    other.execute_batch("CREATE TABLE request (id)").unwrap();
    drop(other);
    fs::read(path).unwrap()
}

/// A store with everything in its main file and nothing in its log.
fn filled(home: &Home) -> PathBuf {
    let store = store(home);
    for number in 0..40 {
        store
            .put(
                Kind::Trust,
                &format!("key {number}"),
                None,
                &json!("x".repeat(3000)),
                Timestamp::now(),
            )
            .unwrap();
    }
    for number in 0..8 {
        ask(&store, &format!("binding {number}")).unwrap();
    }
    let path = store.path();
    drop(store);
    // Closing as the last one copies the log into the file and removes it.
    let plain = Connection::open(&path).unwrap();
    plain
        .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        .unwrap();
    drop(plain);
    path
}

#[test]
fn damage_in_the_middle_is_found_when_it_is_met_and_not_mended() {
    let check = |damage: &dyn Fn(&mut Vec<u8>)| {
        let home = Home::new();
        let path = filled(&home);
        let mut bytes = fs::read(&path).unwrap();
        damage(&mut bytes);
        fs::write(&path, &bytes).unwrap();
        let store = store(&home);
        let all = store.all(Kind::Trust).map(drop);
        let asked = ask(&store, "one more").map(drop);
        let found = [all, asked];
        assert!(
            found
                .iter()
                .any(|found| matches!(found, Err(StoreError::Corrupt { .. }))),
            "{found:?}"
        );
        drop(store);
        assert_eq!(fs::read(&path).unwrap(), bytes);
    };
    let page = 4096;
    check(&|bytes| bytes.truncate(bytes.len() / 2));
    check(&|bytes| bytes.truncate(page + 100));
    check(&|bytes| bytes[16..].fill(0xff));
    check(&|bytes| bytes[100..page].fill(0));
    check(&|bytes| bytes[page..].fill(0));
    check(&|bytes| bytes[page..].fill(0xa5));
}

#[test]
fn a_row_that_we_would_not_write_is_reported_by_name() {
    let check = |change: &str, want: &str| {
        let home = Home::new();
        let first = store(&home);
        ask(&first, "a").unwrap();
        first
            .put(Kind::Auth, "k", None, &json!(1), Timestamp::now())
            .unwrap();
        let head = Head {
            seq: 1,
            hash: "00".to_owned(),
        };
        first.advance("c", &head).unwrap();
        let plain = Connection::open(first.path()).unwrap();
        plain
            .execute_batch(&format!("PRAGMA ignore_check_constraints = 1; {change}"))
            .unwrap();
        let found = [
            first.pending(Timestamp::now()).map(drop),
            first.claim("a", Timestamp::now()).map(drop),
            first.get(Kind::Auth, "k").map(drop),
            first.head("c").map(drop),
            first.grants().map(drop),
        ];
        let errors = found
            .into_iter()
            .filter_map(Result::err)
            .inspect(|error| assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}"))
            .map(|error| error.to_string());
        let damaged = first.damaged(Timestamp::now()).unwrap();
        let told: Vec<String> = errors
            .chain(damaged.into_iter().map(|damaged| damaged.problem))
            .collect();
        assert!(told.iter().any(|told| told.contains(want)), "{change}: {told:?}");
    };
    check("UPDATE request SET shown = '{'", "request \"");
    check("UPDATE request SET state = 'perhaps'", "its state is unknown");
    check("UPDATE request SET state = 'approved'", "nobody answered it");
    check("UPDATE request SET approver = '{}'", "missing field");
    check("UPDATE request SET expires = 9223372036854775807", "is no moment");
    check("UPDATE request SET times = -1", "less than never");
    check("UPDATE request SET caller = CAST(x'ff' AS TEXT)", "");
    check("UPDATE document SET body = ''", "document \"k\"");
    check("UPDATE document SET seq = -5", "revision -5");
    check("UPDATE head SET seq = -1", "it ends at -1");
    check("DROP TABLE head", "no such table");
    check(
        "INSERT INTO standing (id, body, created, uses) VALUES ('g-22222', '[]', 0, 0)",
        "grant \"g-22222\"",
    );
}

#[test]
fn one_row_that_cannot_be_read_keeps_nobody_from_the_others() {
    for damage in [
        "shown = '{'",
        "approver = '{}'",
        "times = -1",
        "expires = 9223372036854775807",
        "caller = CAST(x'ff' AS TEXT)",
        "state = 'perhaps'",
        "state = 'approved'",
    ] {
        let home = Home::new();
        let store = store(&home);
        let now = Timestamp::now();
        let ids = ["a", "b"].map(|binding| match ask(&store, binding).unwrap() {
            Asked::Waits(request) => request.id,
            Asked::Full(caps) => panic!("{caps:?}"),
        });
        let plain = Connection::open(store.path()).unwrap();
        plain
            .execute_batch(&format!(
                "PRAGMA ignore_check_constraints = 1; UPDATE request SET {damage} WHERE binding = 'a'"
            ))
            .unwrap();
        let waiting: Vec<_> = store
            .pending(now)
            .unwrap()
            .into_iter()
            .map(|one| one.id)
            .collect();
        assert_eq!(waiting, ids[1..], "{damage}");
        let damaged = store.damaged(now).unwrap();
        assert_eq!(damaged.len(), 1, "{damage}: {damaged:?}");
        assert_eq!(
            (damaged[0].id.as_str(), damaged[0].kind),
            (ids[0].0.as_str(), DamagedKind::Question)
        );
        assert!(store.claim("a", now).is_err(), "{damage}: nothing runs by it");
        assert!(!store.discard(&ids[1].0, now).unwrap(), "it is whole");
        assert!(store.discard(&ids[0].0, now).unwrap());
        assert_eq!(store.damaged(now).unwrap(), []);
        ask(&store, "a").unwrap();
        assert_eq!(store.pending(now).unwrap().len(), 2, "{damage}");
    }
}

#[test]
fn a_file_that_was_emptied_beside_its_log_is_damage() {
    let empty = |path: &Path| fs::write(path, "").unwrap();
    let remove = |path: &Path| fs::remove_file(path).unwrap();
    for harm in [&empty as &dyn Fn(&Path), &remove] {
        let home = Home::new();
        let first = store(&home);
        ask(&first, "a").unwrap();
        let path = first.path();
        drop(first);
        let log = beside(&path, "-wal");
        let (bytes, was_there) = (fs::read(&log).unwrap(), fs::read(&path).unwrap());
        assert!(!bytes.is_empty());
        harm(&path);
        let found = [
            store(&home).pending(Timestamp::now()).map(drop),
            ask(&store(&home), "b").map(drop),
        ];
        for found in found {
            assert!(matches!(found, Err(StoreError::Corrupt { .. })), "{found:?}");
        }
        assert_eq!(fs::read(&log).unwrap(), bytes, "the log stays, byte for byte");
        // So whoever has the file can put it back.
        fs::write(&path, was_there).unwrap();
        assert_eq!(store(&home).pending(Timestamp::now()).unwrap().len(), 1);
    }
}

#[test]
fn a_store_of_a_later_program_is_refused_and_not_changed() {
    let home = Home::new();
    let path = filled(&home);
    let plain = Connection::open(&path).unwrap();
    plain.pragma_update(None, "user_version", 99).unwrap();
    plain
        .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        .unwrap();
    drop(plain);
    let bytes = fs::read(&path).unwrap();
    let error = ask(&store(&home), "a").unwrap_err();
    assert!(
        matches!(
            error,
            StoreError::Later {
                found: 99,
                known: 2,
                ..
            }
        ),
        "{error:?}"
    );
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn a_store_that_was_moved_away_is_made_anew_by_those_who_had_it_open() {
    let home = Home::new();
    let long_running = store(&home);
    ask(&long_running, "a").unwrap();
    let path = long_running.path();
    for suffix in ["", "-wal", "-shm"] {
        fs::rename(beside(&path, suffix), home.work().join(format!("old{suffix}"))).unwrap();
    }
    assert!(long_running.pending(Timestamp::now()).unwrap().is_empty());
    ask(&long_running, "b").unwrap();
    assert_eq!(store(&home).pending(Timestamp::now()).unwrap().len(), 1);
}

#[test]
fn another_process_that_does_not_let_go_is_told_as_busy() {
    let home = Home::new();
    let store = store(&home);
    ask(&store, "a").unwrap();
    store.patience(Duration::from_millis(20)).unwrap();
    let other = Connection::open(store.path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = ask(&store, "b").unwrap_err();
    assert!(matches!(error, StoreError::Busy { .. }), "{error:?}");
    // Readers do not wait for a writer.
    assert_eq!(store.pending(Timestamp::now()).unwrap().len(), 1);
    other.execute_batch("ROLLBACK").unwrap();
    ask(&store, "b").unwrap();
}

#[test]
fn what_is_too_long_for_one_entry_is_refused() {
    let home = Home::new();
    let store = store(&home);
    let body = json!("x".repeat(2 * 1024 * 1024));
    let error = store
        .put(Kind::Session, "k", None, &body, Timestamp::now())
        .unwrap_err();
    assert!(matches!(error, StoreError::TooLong { .. }), "{error:?}");
    assert_eq!(store.get(Kind::Session, "k").unwrap(), None);
}

#[test]
fn what_could_not_be_read_again_is_not_written() {
    let home = Home::new();
    let store = store(&home);
    let deep = (0..200).fold(json!(0), |inside, _| json!([inside]));
    let error = store
        .put(Kind::Session, "k", None, &deep, Timestamp::now())
        .unwrap_err();
    assert!(matches!(error, StoreError::TooDeep), "{error:?}");
    assert!(store.all(Kind::Session).unwrap().is_empty());
}

#[test]
fn a_full_disk_is_told_and_loses_nothing() {
    let home = Home::new();
    let store = store(&home);
    ask(&store, "a").unwrap();
    store.fill_the_disk().unwrap();
    let body = json!("x".repeat(100_000));
    let error = store
        .put(Kind::Session, "k", None, &body, Timestamp::now())
        .unwrap_err();
    assert!(
        matches!(&error, StoreError::Io { problem, .. } if problem.contains("full")),
        "{error:?}"
    );
    assert_eq!(store.pending(Timestamp::now()).unwrap().len(), 1);
    store
        .put(Kind::Session, "k", None, &body, Timestamp::now())
        .unwrap();
}
