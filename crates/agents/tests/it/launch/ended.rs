//! An agent ends with its host, however that ends.

use std::fs;
use std::io::{BufRead, BufReader};
use std::time::{Duration, Instant};

use super::desk::{Desk, SANDBOX, each_user};

/// How long the kernel may take to end what lost its host.
const SOON: Duration = Duration::from_secs(120);

/// Processes whose words hold a mark.
fn alive(mark: &str) -> Vec<String> {
    let all = fs::read_dir("/proc").unwrap().flatten();
    all.filter_map(|entry| {
        let words = fs::read(entry.path().join("cmdline")).ok()?;
        let words = String::from_utf8_lossy(&words).into_owned();
        words.contains(mark).then_some(words)
    })
    .collect()
}

#[test]
fn a_host_that_is_killed_leaves_no_agent() {
    each_user(|user| {
        let mark = format!("mark-{user:?}-{}", std::process::id());
        let desk = Desk::new(user, &[&mark, "stay"], SANDBOX);
        let mut host = desk.start(&[]);
        let mut lines = BufReader::new(host.stdout.take().unwrap()).lines();
        let stays = lines.find(|line| line.as_ref().unwrap().starts_with("stays"));
        assert!(stays.is_some(), "{user:?}");
        assert!(!alive(&mark).is_empty(), "{user:?}");
        // SIGKILL: nothing of the host's own runs any more.
        host.kill().unwrap();
        host.wait().unwrap();
        let began = Instant::now();
        while !alive(&mark).is_empty() {
            assert!(began.elapsed() < SOON, "{user:?}: {:?}", alive(&mark));
            std::thread::yield_now();
        }
    });
}
