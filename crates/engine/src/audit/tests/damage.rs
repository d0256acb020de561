//! Everything that somebody could do to the record, and the word for it.

use std::fs;

use super::ground::{Ground, event};
use crate::audit::verify::{Known, Problem, verify};
use crate::audit::{Checkpoint, Durability};
use crate::store::{Head, Store};

#[test]
fn an_untouched_record_is_whole() {
    Ground::new().is_whole(0);
    Ground::with(1).is_whole(1);
    Ground::with(300).is_whole(300);
}

#[test]
fn what_was_done_to_lines_is_named_with_its_place() {
    type Change = fn(&mut Vec<String>);
    let check = |change: Change, problem: Problem, seq: u64, line: u64| {
        let ground = Ground::with(10);
        let mut lines = ground.lines();
        change(&mut lines);
        ground.write(&lines);
        ground.is_bad(problem, seq, line);
    };
    check(|lines| lines.truncate(8), Problem::Truncated, 8, 9);
    check(
        |lines| lines[4] = lines[4].replace("git log", "git lag"),
        Problem::Changed,
        4,
        5,
    );
    check(
        |lines| lines[0] = lines[0].replace("GENESIS", "GENESIs"),
        Problem::Changed,
        0,
        1,
    );
    check(|lines| lines[9].insert(0, ' '), Problem::Changed, 9, 10);
    check(|lines| lines[3].clear(), Problem::Changed, 3, 4);
    check(|lines| lines[3] = "x".repeat(6 << 20), Problem::Changed, 3, 4);
    check(|lines| drop(lines.remove(5)), Problem::Missing, 6, 6);
    check(|lines| drop(lines.remove(0)), Problem::Missing, 1, 1);
    check(|lines| lines.swap(4, 5), Problem::Reordered, 5, 5);
    check(
        |lines| lines.insert(5, lines[2].clone()),
        Problem::Reordered,
        2,
        6,
    );
    check(Vec::clear, Problem::Emptied, 0, 1);
}

#[test]
fn a_line_that_is_not_finished_is_torn() {
    let ground = Ground::with(3);
    let mut text = fs::read(ground.log()).unwrap();
    text.extend_from_slice(b"{\"$schema\":\"agentgov");
    fs::write(ground.log(), text).unwrap();
    ground.is_bad(Problem::Torn, 3, 4);
}

#[test]
fn a_record_that_is_gone_is_deleted() {
    let ground = Ground::with(3);
    fs::remove_file(ground.log()).unwrap();
    ground.is_bad(Problem::Deleted, 0, 1);
    fs::remove_dir_all(ground.directory()).unwrap();
    ground.is_bad(Problem::Deleted, 0, 1);
}

#[test]
fn another_chain_of_the_same_length_is_rolled_back() {
    let ground = Ground::with(5);
    let other = Ground::with(8);
    fs::copy(other.log(), ground.log()).unwrap();
    ground.is_bad(Problem::RolledBack, 4, 5);
}

#[test]
fn a_record_that_was_made_anew_does_not_fit_its_neighbour() {
    // Somebody who can hash puts a record of their own in the place of one.
    let (ground, other) = (Ground::with(5), Ground::with(5));
    let mut lines = ground.lines();
    lines[..3].clone_from_slice(&other.lines()[..3]);
    ground.write(&lines);
    ground.is_bad(Problem::Replaced, 3, 4);
}

#[test]
fn an_old_copy_of_record_and_store_is_told_by_a_checkpoint_alone() {
    let ground = Ground::with(5);
    let copy = fs::read(ground.log()).unwrap();
    let store = ground.heads.head("audit").unwrap();
    ground.chain().append(&event(5), Durability::Durable).unwrap();
    let checkpoint = Checkpoint::now(&ground.directory(), jiff::Timestamp::now()).unwrap();
    assert_eq!((checkpoint.seq, checkpoint.count), (5, 6));
    fs::write(ground.log(), copy).unwrap();
    let against = |checkpoint: &Head| {
        let known = Known {
            head: store.as_ref(),
            checkpoint: Some(checkpoint),
        };
        verify(&ground.directory(), known).unwrap().first_bad
    };
    let known = Known {
        head: store.as_ref(),
        checkpoint: None,
    };
    assert_eq!(verify(&ground.directory(), known).unwrap().first_bad, None);
    let bad = against(&checkpoint.head()).unwrap();
    assert_eq!((bad.problem, bad.seq), (Problem::RolledBack, 5));
    let path = ground.home.work().join("checkpoint.json");
    fs::write(&path, serde_json::to_string(&checkpoint).unwrap()).unwrap();
    assert_eq!(Checkpoint::read(&path).unwrap(), checkpoint);
    // Written on from the old copy: as long as before, and another chain.
    ground.heads.advance("audit", &checkpoint.head()).unwrap();
    let chain = crate::audit::Chain::open(&ground.directory(), None).unwrap();
    chain.append(&event(6), Durability::Soon).unwrap();
    let bad = against(&checkpoint.head()).unwrap();
    assert_eq!((bad.problem, bad.seq, bad.line), (Problem::RolledBack, 5, 6));
}

#[test]
fn a_file_that_is_no_checkpoint_is_told_so() {
    let ground = Ground::new();
    let path = ground.home.work().join("checkpoint.json");
    let check = |text: &str, why: &str| {
        fs::write(&path, text).unwrap();
        let error = Checkpoint::read(&path).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    };
    check("", "no JSON");
    check("{}", "seq");
    check("{\"seq\":1,\"hash\":\"x\"}", "hash");
    assert!(Checkpoint::now(&ground.directory(), jiff::Timestamp::now()).is_err());
}

#[test]
fn a_checkpoint_with_the_largest_number_is_read() {
    let home = argrail_testkit::Home::new();
    let path = home.root().join("checkpoint.json");
    let text = format!("{{\"seq\":{},\"hash\":\"{}\"}}", u64::MAX, "a".repeat(64));
    std::fs::write(&path, text).unwrap();
    assert_eq!(Checkpoint::read(&path).unwrap().count, u64::MAX);
}
