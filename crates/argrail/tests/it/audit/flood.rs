//! What an agent can do alone does not make the record grow without end.

use std::time::{Duration, Instant};

use argrail_testkit::mcp::Client;
use serde_json::json;

use super::ground::{entries, home, is_whole, log};
use crate::ARGRAIL;

#[test]
fn a_flood_of_refused_calls_meets_a_limit_and_leaves_few_records() {
    const CALLS: usize = 4_000;
    // On a slow machine more is given back meanwhile: it goes on until so many were refused.
    const REFUSED: usize = 100;
    let home = home().limit(Duration::from_secs(900));
    let begun = Instant::now();
    let mut client = Client::new(home.spawn(ARGRAIL, &["serve"]));
    client.initialize();
    let (mut calls, mut limited) = (0, 0);
    while calls < CALLS || limited < REFUSED {
        calls += 1;
        let answer = client.call(&format!("no-such-tool-{calls}"));
        let error = &answer["structuredContent"]["error"];
        if error["code"] == "RATE_LIMITED" {
            assert!(error["retry_after_seconds"].as_u64().unwrap() >= 1, "{error}");
            limited += 1;
        } else {
            assert_eq!(error["code"], "COMMAND_NOT_FOUND", "{answer}");
        }
    }
    client.finish();
    let seconds = begun.elapsed().as_secs() + 1;
    let allowed = 1_200 + 20 * usize::try_from(seconds).unwrap();
    let answered = calls - limited;
    assert!((1_200..=allowed).contains(&answered), "{answered} in {seconds} s");
    let entries = entries(&home);
    let refusals: Vec<_> = entries
        .iter()
        .filter(|entry| entry["metadata"]["error_code"] == "RATE_LIMITED")
        .collect();
    let in_a_row: Vec<u64> = refusals
        .iter()
        .map(|entry| entry["metadata"]["refused_in_a_row"].as_u64().unwrap())
        .collect();
    // The slower the machine, the fewer are too many.
    assert!(
        [1, 10, 100, 1_000].starts_with(&in_a_row),
        "{in_a_row:?} of {limited}"
    );
    assert!(in_a_row.len() >= 2, "{in_a_row:?} of {limited}");
    is_whole(&home, answered + refusals.len());
}

#[test]
fn a_configured_rate_holds_for_a_caller_and_four_times_that_for_all() {
    let home = home().config(&json!({"rateLimit": {"requests": 2, "per": "1h"}}).to_string());
    let mut client = Client::new(home.spawn(ARGRAIL, &["serve"]));
    client.initialize();
    for _ in 0..2 {
        assert_eq!(client.call("version")["isError"], false);
    }
    for _ in 0..20 {
        let answer = client.call("version");
        let error = &answer["structuredContent"]["error"];
        assert_eq!(error["code"], "RATE_LIMITED", "{answer}");
    }
    client.finish();
    let told: Vec<u64> = entries(&home)
        .iter()
        .filter_map(|entry| entry["metadata"]["refused_in_a_row"].as_u64())
        .collect();
    assert_eq!(told, [1, 10]);
}

#[test]
fn long_refused_commands_are_cut_and_still_told_apart() {
    let home = home();
    let long = |end: &str| format!("no-such-tool {}{end}", "x".repeat(9_000));
    for command in [
        &long("a"),
        &long("b"),
        &long("a"),
        // More than any command may have, and one that nobody may read to its end.
        &"y".repeat(60_000),
        &format!("echo 'never closed {}", "z".repeat(5_000)),
        "no-such-tool short",
    ] {
        home.run(ARGRAIL, &["call", command]);
    }
    // What runs is kept as it was.
    let ran = format!("echo {}", "w".repeat(5_000));
    assert_eq!(home.run(ARGRAIL, &["call", &ran]).exit, Some(0));
    let entries = entries(&home);
    let facts = |at: usize| entries[at]["metadata"].clone();
    let (first, second, third) = (facts(0), facts(1), facts(2));
    let kept = first["command"].as_str().unwrap();
    assert_eq!((kept.chars().count(), kept.ends_with('…')), (1_001, true));
    assert_eq!(first["commandLength"], long("a").len());
    assert!(
        first["commandHash"].as_str().unwrap().starts_with("hmac-sha256:"),
        "{first}"
    );
    assert_ne!(first["commandHash"], second["commandHash"]);
    assert_eq!(first["commandHash"], third["commandHash"]);
    assert_eq!(facts(3)["commandLength"], 60_000);
    assert_eq!(facts(4)["error_code"], "PARSE_ERROR");
    assert!(facts(4)["command"].as_str().unwrap().len() < 1_100);
    assert_eq!(facts(5)["command"], "no-such-tool short");
    assert!(facts(5).get("commandHash").is_none());
    let intended = entries
        .iter()
        .find(|entry| entry["action"] == "cli.intended")
        .unwrap();
    assert_eq!(intended["metadata"]["command"], ran);
    let last = entries.last().unwrap();
    assert_eq!(last["metadata"]["command"], ran);
    let refused = std::fs::read_to_string(log(&home)).unwrap();
    let longest = refused.lines().take(6).map(str::len).max().unwrap();
    assert!(longest < 3_000, "{longest}");
    is_whole(&home, entries.len());
}
