//! What the chain does after something happened to it: it goes on, says so, and loses nothing that was there.

use std::fs;

use super::ground::{Ground, event};
use crate::audit::record::{Made, Place};
use crate::audit::verify::Problem;
use crate::audit::{Chain, Durability, Line};

fn problems(ground: &Ground) -> Vec<(u64, String)> {
    let entries = ground
        .entries()
        .into_iter()
        .filter(|entry| entry["action"] == "audit.note");
    entries
        .map(|entry| {
            (
                entry["seq"].as_u64().unwrap(),
                entry["metadata"]["problem"].as_str().unwrap().to_owned(),
            )
        })
        .collect()
}

#[test]
fn a_torn_end_is_put_aside_and_the_chain_goes_on() {
    let ground = Ground::with(3);
    let before = fs::read(ground.log()).unwrap();
    let torn = b"{\"$schema\":\"agentgovernance/v1\",\"act\0\0\0";
    fs::write(ground.log(), [before.as_slice(), torn].concat()).unwrap();
    ground.chain().append(&event(3), Durability::Soon).unwrap();
    ground.is_whole(5);
    assert_eq!(problems(&ground), [(3, "torn".to_owned())]);
    assert!(fs::read(ground.log()).unwrap().starts_with(&before));
    assert_eq!(
        fs::read(ground.directory().join("audit-log.torn-3")).unwrap(),
        torn
    );
}

#[test]
fn a_second_torn_end_does_not_take_the_place_of_the_first() {
    let ground = Ground::new();
    let chain = Chain::open(&ground.directory(), None).unwrap();
    for text in ["half", "another half"] {
        fs::write(ground.log(), text).unwrap();
        let chain = Chain::open(&ground.directory(), None).unwrap();
        chain.append(&event(0), Durability::Soon).unwrap();
    }
    drop(chain);
    let kept = |name: &str| fs::read_to_string(ground.directory().join(name)).unwrap();
    assert_eq!(
        (kept("audit-log.torn-0"), kept("audit-log.torn-0.1")),
        ("half".into(), "another half".into())
    );
}

#[test]
fn records_that_were_cut_off_leave_a_gap_that_stays() {
    let ground = Ground::with(10);
    let lines = ground.lines();
    ground.write(&lines[..8]);
    let chain = ground.chain();
    for number in 0..5 {
        chain.append(&event(number), Durability::Soon).unwrap();
    }
    drop(chain);
    ground.is_bad(Problem::Missing, 10, 9);
    assert_eq!(problems(&ground), [(10, "truncated".to_owned())]);
}

#[test]
fn a_running_process_notices_what_is_cut_off_under_it() {
    let ground = Ground::new();
    let chain = ground.chain();
    for number in 0..6 {
        chain.append(&event(number), Durability::Soon).unwrap();
    }
    let lines = ground.lines();
    ground.write(&lines[..2]);
    chain.append(&event(6), Durability::Soon).unwrap();
    fs::remove_file(ground.log()).unwrap();
    chain.append(&event(7), Durability::Soon).unwrap();
    assert_eq!(problems(&ground), [(8, "emptied".to_owned())]);
    ground.is_bad(Problem::Missing, 8, 1);
    fs::remove_dir_all(ground.directory()).unwrap();
    chain.append(&event(8), Durability::Durable).unwrap();
    drop(chain);
    assert_eq!(problems(&ground), [(10, "emptied".to_owned())]);
    ground.is_bad(Problem::Missing, 10, 1);
}

#[test]
fn a_changed_last_line_is_left_as_it_is_and_told() {
    let ground = Ground::with(4);
    let mut lines = ground.lines();
    lines[3] = lines[3].replace("git log", "git lag");
    ground.write(&lines);
    ground.chain().append(&event(4), Durability::Soon).unwrap();
    assert!(ground.lines().starts_with(&lines));
    ground.is_bad(Problem::Changed, 3, 4);
    assert!(problems(&ground).iter().any(|(_, problem)| problem == "damaged"));
}

#[test]
fn a_clock_that_goes_back_does_not_take_the_record_with_it() {
    let ground = Ground::with(2);
    // A record from the future, as a wrong clock leaves it.
    let lines = ground.lines();
    let last = Line::read(lines[1].as_bytes()).unwrap();
    let ts = "2999-01-01T00:00:00.000Z".to_owned();
    let made = Made::new(
        &event(2),
        &Place {
            seq: 2,
            ts,
            before: Some(last.hash),
        },
    )
    .unwrap();
    fs::write(
        ground.log(),
        [fs::read(ground.log()).unwrap(), made.line].concat(),
    )
    .unwrap();
    ground.chain().append(&event(3), Durability::Soon).unwrap();
    ground.is_whole(4);
    assert_eq!(ground.entries()[3]["ts"], "2999-01-01T00:00:00.000Z");
}
