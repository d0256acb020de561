//! What was done to the record is named: by the chain, by the store, or by a checkpoint.

use std::fs;

use argrail_testkit::Home;

use super::ground::{audit, directory, is_bad, is_whole, log, with};
use crate::ARGRAIL;

fn check(damage: impl Fn(&Home, Vec<String>), problem: &str, seq: u64, line: u64) {
    let home = with(4);
    is_whole(&home, 4);
    let text = fs::read_to_string(log(&home)).unwrap();
    damage(&home, text.lines().map(str::to_owned).collect());
    is_bad(&audit(&home, &["verify", "--json"]), problem, seq, line);
}

fn put(home: &Home, lines: &[String]) {
    fs::write(
        log(home),
        lines.iter().map(|line| format!("{line}\n")).collect::<String>(),
    )
    .unwrap();
}

#[test]
fn each_kind_of_damage_has_its_name() {
    check(|home, lines| put(home, &lines[..2]), "truncated", 2, 3);
    check(|home, _| fs::write(log(home), "").unwrap(), "emptied", 0, 1);
    check(|home, _| fs::remove_file(log(home)).unwrap(), "deleted", 0, 1);
    check(
        |home, _| fs::remove_dir_all(directory(home)).unwrap(),
        "deleted",
        0,
        1,
    );
    check(
        |home, mut lines| {
            lines[1] = lines[1].replacen("version", "versiom", 1);
            put(home, &lines);
        },
        "changed",
        1,
        2,
    );
    check(
        |home, mut lines| {
            lines.remove(1);
            put(home, &lines);
        },
        "missing",
        2,
        2,
    );
    check(
        |home, mut lines| {
            lines.swap(1, 2);
            put(home, &lines);
        },
        "reordered",
        2,
        2,
    );
}

#[test]
fn a_person_is_told_in_a_sentence() {
    let home = with(3);
    let text = fs::read_to_string(log(&home)).unwrap();
    assert_eq!(
        audit(&home, &["verify"]).stdout,
        "ok: 3 records, every one follows the one before; its end is what the store knows\n"
    );
    let kept: Vec<&str> = text.lines().take(1).collect();
    fs::write(log(&home), format!("{}\n", kept[0])).unwrap();
    let run = audit(&home, &["verify"]);
    assert_eq!(run.exit, Some(1));
    assert_eq!(
        run.stdout,
        "NOT OK: truncated: record 1 (audit-log.jsonl, line 2): the last 2 records are missing, 1 to 2\n1 record read\n"
    );
}

#[test]
fn a_record_that_was_cut_off_and_written_on_still_misses_what_is_gone() {
    let home = with(4);
    let text = fs::read_to_string(log(&home)).unwrap();
    let kept: String = text.lines().take(2).map(|line| format!("{line}\n")).collect();
    fs::write(log(&home), kept).unwrap();
    home.run(ARGRAIL, &["call", "version"]);
    is_bad(&audit(&home, &["verify", "--json"]), "missing", 4, 3);
}

#[test]
fn record_and_store_copied_back_are_told_by_a_checkpoint_alone() {
    let home = with(2);
    let state = home.state().join("argrail");
    let names = [
        "store.db",
        "store.db-wal",
        "store.db-shm",
        "audit/audit-log.jsonl",
    ];
    let old: Vec<_> = names.iter().map(|name| fs::read(state.join(name)).ok()).collect();
    home.run(ARGRAIL, &["call", "version"]);
    let file = home.work().join("checkpoint.json");
    let file = file.to_str().unwrap();
    let made = audit(&home, &["checkpoint", "--out", file]);
    assert_eq!(
        (made.exit, made.json()["count"].as_u64()),
        (Some(0), Some(3)),
        "{made}"
    );
    assert_eq!(audit(&home, &["verify", "--against", file]).exit, Some(0));
    for (name, old) in names.iter().zip(old) {
        match old {
            Some(bytes) => fs::write(state.join(name), bytes).unwrap(),
            None => drop(fs::remove_file(state.join(name))),
        }
    }
    is_whole(&home, 2);
    is_bad(
        &audit(&home, &["verify", "--json", "--against", file]),
        "rolled-back",
        2,
        3,
    );
    // Written on until it is as long again.
    home.run(ARGRAIL, &["call", "help"]);
    is_whole(&home, 3);
    is_bad(
        &audit(&home, &["verify", "--json", "--against", file]),
        "rolled-back",
        2,
        3,
    );
}

#[test]
fn an_end_that_could_not_be_checked_is_told() {
    let home = with(3);
    let store = home.state().join("argrail/store.db");
    let log = home.state().join("argrail/store.db-wal");
    let bytes = fs::read(&log).unwrap();
    assert!(!bytes.is_empty());
    // The file is empty, and what it knew stands in its log: it is damage, not a new store.
    fs::write(&store, "").unwrap();
    let run = audit(&home, &["verify", "--json"]);
    let data = &run.json()["data"];
    assert_eq!((run.exit, data["ok"].as_bool()), (Some(1), Some(false)), "{run}");
    assert_eq!(
        (data["entries"].as_u64(), data.get("firstBad")),
        (Some(3), None),
        "{run}"
    );
    let why = data["unchecked"].as_str().unwrap();
    assert!(why.contains("its log beside it has"), "{run}");
    let run = audit(&home, &["verify"]);
    assert!(
        run.stdout.starts_with("NOT OK: 3 records") && run.stdout.contains("\nNOT CHECKED: whether records"),
        "{run}"
    );
    assert_eq!(fs::read(&log).unwrap(), bytes, "nothing is lost");

    for file in [store, log] {
        fs::remove_file(file).unwrap();
    }
    let run = audit(&home, &["verify"]);
    assert_eq!(run.exit, Some(0), "{run}");
    assert_eq!(
        run.stdout,
        "ok: 3 records, every one follows the one before; nothing is known of its end\n\
         NOT CHECKED: whether records are missing at its end: the store knows nothing of it\n"
    );
}

#[test]
fn a_file_that_is_no_checkpoint_is_refused() {
    let home = with(1).file("none.json", "{}");
    for file in ["none.json", "nowhere.json"] {
        let run = audit(&home, &["verify", "--json", "--against", file]);
        assert_eq!(
            (run.exit, run.json()["error"]["code"].as_str()),
            (Some(2), Some("VALIDATION_ERROR")),
            "{run}"
        );
    }
}
