//! Many processes change the registry, the cache and trust at once: nothing is lost, nothing is ever half written.
//!
//! `ARGRAIL_STORE_SOAK=30 cargo test -p argrail-engine writers` writes for 30 seconds.

use std::path::PathBuf;
use std::time::Duration;

use argrail_engine::catalog::{registry, trust};
use argrail_engine::places::Places;
use argrail_spec::registry::Registry;
use argrail_testkit::{Child, Home};
use jiff::Timestamp;

/// How many write at once, how many read, and how often each writes without a wish of the environment's.
const WRITERS: usize = 16;
const READERS: usize = 2;
const ROUNDS: &str = "25";

fn program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let built = test.parent().and_then(|deps| deps.parent()).unwrap();
    let program = built.join("examples/registry_writer");
    assert!(
        program.exists(),
        "{program:?} is missing: `cargo test -p argrail-engine` builds it, `--test it` alone does not"
    );
    program
}

fn places(home: &Home) -> Places {
    let root = home.root().to_owned();
    let env = move |name: &str| {
        let folder = match name {
            "HOME" => "home",
            "XDG_CONFIG_HOME" => "config",
            "XDG_DATA_HOME" => "data",
            "XDG_STATE_HOME" => "state",
            "XDG_CACHE_HOME" => "cache",
            _ => return None,
        };
        Some(root.join(folder).into_os_string())
    };
    Places::new(env).unwrap()
}

fn count(registry: &Registry, name: &str) -> u64 {
    registry.tools[name].extra["x-count"].as_u64().unwrap()
}

/// The last number that a writer said is written.
fn written(said: &str) -> u64 {
    said.lines().last().map_or(0, |line| line.parse().unwrap())
}

#[test]
fn sixteen_writers_lose_nothing_and_readers_always_see_a_whole_file() {
    let soak = std::env::var("ARGRAIL_STORE_SOAK").ok();
    let seconds: u64 = soak.as_deref().map_or(0, |seconds| seconds.parse().unwrap());
    let home = Home::new().limit(Duration::from_secs(300 + seconds));
    let amount = match &soak {
        Some(seconds) => ["seconds", seconds.as_str()],
        None => ["rounds", ROUNDS],
    };
    let readers: Vec<Child> = (0..READERS).map(|_| home.spawn(program(), &["read"])).collect();
    let writers: Vec<(String, Child)> = (0..WRITERS)
        .map(|number| {
            let name = format!("writer-{number}");
            let child = home.spawn(program(), &["write", &name, amount[0], amount[1]]);
            (name, child)
        })
        .collect();
    let mut counts = Vec::new();
    for (name, child) in writers {
        let run = child.finish();
        assert_eq!(run.exit, Some(0), "{run}");
        counts.push((name, written(&run.stdout)));
    }
    for reader in readers {
        let run = reader.finish();
        assert_eq!(run.exit, Some(0), "{run}");
        assert!(written(&run.stdout) > 0, "{run}");
    }
    let total: u64 = counts.iter().map(|(_, count)| count).sum();
    let places = places(&home);
    let loaded = registry::read(&places).unwrap();
    for (name, written) in counts {
        assert!(written > 0, "{name} never had its turn");
        assert_eq!(count(&loaded.registry, &name), written, "{name}");
    }
    assert_eq!(count(&loaded.registry, "shared"), total);
    assert_eq!(loaded.registry.revision, total);
    let trust = trust::read(&places).unwrap();
    assert_eq!(trust.revision, total);
    assert_eq!(trust.extra["x-count"].as_u64(), Some(total));
}

#[test]
fn a_writer_that_is_killed_leaves_whole_files_and_keeps_nobody_out() {
    let home = Home::new();
    let places = places(&home);
    for round in 0..8_usize {
        let mut child = home.spawn(program(), &["write", "victim", "rounds", "1000000"]);
        // Each time at another place of its work: after some lines, and wherever it is then.
        for _ in 0..=round {
            child.line().unwrap();
        }
        child.kill();
        let run = child.finish();
        assert_eq!(run.signal, Some(9), "{run}");
        let before = registry::read(&places).unwrap();
        assert_eq!(before.warnings, []);
        trust::read(&places).unwrap();
        let after = registry::update(&places, Timestamp::now(), |registry| {
            registry.extra.insert("x-round".to_owned(), round.into());
        })
        .unwrap();
        assert_eq!(after.revision, before.registry.revision + 1);
    }
    // All that was said to be written is there, and at most one change per life that was not said any more.
    let loaded = registry::read(&places).unwrap();
    let said: u64 = (1..=8).sum();
    assert!(count(&loaded.registry, "victim") >= said);
}
