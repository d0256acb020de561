//! A process that changes the catalogue's files over and over, for tests that start many of them at once.
//!
//! `registry_writer write NAME (rounds N|seconds N)` counts in the registry, in a cache entry and in the file of trust,
//! and prints each number once it is written. `registry_writer read` reads all of them until its input ends, and fails
//! on anything that is not whole.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a program of tests: its panics and its output are the report"
)]

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use argrail_engine::catalog::cache::{self, Cached};
use argrail_engine::catalog::{MAX_AGE, registry, trust};
use argrail_engine::places::Places;
use argrail_spec::registry::{CacheEntry, Entry, Registry, Source};
use jiff::Timestamp;
use serde_json::{Value, json};

/// The entry that every writer counts in.
const SHARED: &str = "shared";

/// The field that is counted in.
const COUNT: &str = "x-count";

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let places = Places::new(|name| std::env::var_os(name)).expect("a home");
    match words.as_slice() {
        ["write", name, "rounds", rounds] => {
            let rounds: u64 = rounds.parse().expect("a number of rounds");
            write(&places, name, |round, _| round < rounds);
        }
        ["write", name, "seconds", seconds] => {
            let limit = Duration::from_secs(seconds.parse().expect("a number of seconds"));
            write(&places, name, |_, since| since.elapsed() < limit);
        }
        ["read"] => read(&places),
        other => panic!("expected write NAME rounds N, write NAME seconds N or read, got {other:?}"),
    }
}

fn write(places: &Places, name: &str, goes_on: impl Fn(u64, Instant) -> bool) {
    let since = Instant::now();
    let mut round = 0;
    while goes_on(round, since) {
        round += 1;
        let now = Timestamp::now();
        registry::update(places, now, |registry| {
            count(registry, SHARED);
            count(registry, name);
        })
        .expect("the registry can be changed");
        let metadata =
            json!({"atip": "0.1", "name": SHARED, "version": round.to_string(), "description": name});
        cache::store(places, &CacheEntry::new(SHARED, metadata, now, MAX_AGE))
            .expect("an entry can be written");
        trust::update(places, |trust| {
            let before = trust.extra.get(COUNT).and_then(Value::as_u64).unwrap_or_default();
            trust.extra.insert(COUNT.to_owned(), json!(before + 1));
        })
        .expect("trust can be changed");
        println!("{round}");
    }
}

fn count(registry: &mut Registry, name: &str) {
    let entry = registry
        .tools
        .entry(name.to_owned())
        .or_insert_with(|| Entry::new(Source::Native));
    let before = entry.extra.get(COUNT).and_then(Value::as_u64).unwrap_or_default();
    entry.extra.insert(COUNT.to_owned(), json!(before + 1));
}

fn read(places: &Places) {
    let ended = Arc::new(AtomicBool::new(false));
    std::thread::spawn({
        let ended = Arc::clone(&ended);
        move || {
            let _ = std::io::stdin().read_to_end(&mut Vec::new());
            ended.store(true, Ordering::Relaxed);
        }
    });
    let (mut reads, mut revision, mut trusted) = (0_u64, 0, 0);
    while !ended.load(Ordering::Relaxed) {
        let loaded = registry::read(places).expect("the registry is always whole");
        assert_eq!(loaded.warnings, []);
        assert!(loaded.registry.revision >= revision, "the registry went back");
        revision = loaded.registry.revision;
        let trust = trust::read(places).expect("the file of trust is always whole");
        assert!(trust.revision >= trusted, "trust went back");
        trusted = trust.revision;
        match cache::load(places, SHARED, Timestamp::now()).expect("the name is one") {
            Cached::Fresh(_) | Cached::Missing => {}
            other @ (Cached::Expired(..) | Cached::Corrupt(_)) => panic!("the entry is {other:?}"),
        }
        reads += 1;
    }
    println!("{reads}");
}
