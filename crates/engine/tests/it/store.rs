//! The store and many real processes: one of them takes a yes, no update is lost, and none that is killed leaves
//! anything half done.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use argrail_engine::places::Places;
use argrail_engine::policy::{ApprovalMeans, Approver, RequestId};
use argrail_engine::store::{
    Answer, Asked, Caps, Claim, Kind, NewRequest, Ruling, SqliteStore, State, Store,
};
use argrail_testkit::{Child, Home};
use jiff::Timestamp;
use serde_json::json;

fn program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let built = test.parent().and_then(|deps| deps.parent()).unwrap();
    let program = built.join("examples/store_user");
    assert!(
        program.exists(),
        "{program:?} is missing: `cargo test -p argrail-engine` builds it, `--test it` alone does not"
    );
    program
}

fn store(home: &Home) -> SqliteStore {
    let root = home.root().to_owned();
    let env = move |name: &str| {
        let folder = match name {
            "HOME" => "home",
            "XDG_STATE_HOME" => "state",
            _ => return None,
        };
        Some(root.join(folder).into_os_string())
    };
    SqliteStore::new(&Places::new(env).unwrap())
}

/// Asks about `binding` and answers yes.
fn approve(store: &SqliteStore, binding: &str) {
    let new = NewRequest {
        binding: binding.to_owned(),
        caller: "local:test".to_owned(),
        shown: json!({}),
        lives: Duration::from_secs(3600),
    };
    let caps = Caps {
        per_caller: 100,
        all: 100,
    };
    let request = match store.ask(&new, caps, Timestamp::now()).unwrap() {
        Asked::Waits(request) => Some(request),
        Asked::Full(_) => None,
    };
    let request = request.unwrap();
    let approver = Approver {
        who: "test".to_owned(),
        means: ApprovalMeans::Terminal,
        at: Timestamp::now(),
        grant: None,
    };
    let answered = store.answer(&request.id, &Ruling::Approve(approver), Timestamp::now());
    assert!(matches!(answered, Ok(Answer::Taken(_))), "{answered:?}");
}

/// Lets so many processes begin at the same moment; returns what each of them printed last.
fn all_at_once(home: &Home, count: usize) -> Vec<String> {
    let mut children: Vec<Child> = (0..count)
        .map(|number| home.spawn(program(), &["once", &format!("process-{number}")]))
        .collect();
    for child in &mut children {
        assert_eq!(child.line().unwrap(), b"ready\n");
    }
    for child in &mut children {
        child.write(b"go\n").unwrap();
    }
    children
        .into_iter()
        .map(|child| {
            let run = child.finish();
            assert_eq!(run.exit, Some(0), "{run}");
            run.stdout.lines().last().unwrap().to_owned()
        })
        .collect()
}

#[test]
fn sixteen_processes_that_start_at_once_make_one_store() {
    let home = Home::new();
    assert_eq!(all_at_once(&home, 16), ["nothing"; 16]);
    let pending = store(&home).pending(Timestamp::now()).unwrap();
    let bindings: BTreeSet<_> = pending.into_iter().map(|request| request.binding).collect();
    let wanted: BTreeSet<_> = (0..16).map(|number| format!("process-{number}")).collect();
    assert_eq!(bindings, wanted);
}

#[test]
fn one_of_eight_processes_takes_a_yes() {
    let home = Home::new();
    approve(&store(&home), "shared");
    let mut got = all_at_once(&home, 8);
    got.sort();
    let mut wanted = ["nothing"; 8];
    wanted[0] = "approved";
    assert_eq!(got, wanted);
}

#[test]
fn no_process_loses_an_update_of_another() {
    let home = Home::new();
    let children: Vec<Child> = (0..8).map(|_| home.spawn(program(), &["count", "10"])).collect();
    for child in children {
        let run = child.finish();
        assert_eq!(run.exit, Some(0), "{run}");
    }
    let counted = store(&home).get(Kind::Ledger, "count").unwrap().unwrap();
    assert_eq!(counted.body, json!(80));
}

#[test]
fn a_process_that_is_killed_leaves_a_whole_store_and_no_yes_is_taken_twice() {
    let home = Home::new();
    let rival = home.spawn(program(), &["loop", "rival", "60"]);
    let mut said = Vec::new();
    for round in 0..8_usize {
        let mut child = home.spawn(program(), &["loop", "victim", "1000000"]);
        // Each time at another place of its work: after some lines, and wherever it is then.
        for _ in 0..=round {
            child.line().unwrap();
        }
        child.kill();
        let run = child.finish();
        assert_eq!(run.signal, Some(9), "{run}");
        said.push(run.stdout);
        approve(&store(&home), &format!("after {round}"));
        let taken = store(&home).claim(&format!("after {round}"), Timestamp::now());
        assert!(matches!(taken, Ok(Claim::Approved(_))), "{taken:?}");
    }
    let run = rival.finish();
    assert_eq!(run.exit, Some(0), "{run}");
    said.push(run.stdout);
    let store = store(&home);
    let mut taken = BTreeSet::new();
    for id in said.iter().flat_map(|said| said.lines()).filter_map(took) {
        assert!(taken.insert(id.clone()), "{id} was taken twice");
    }
    for id in &taken {
        let found = store.request(id, Timestamp::now()).unwrap().unwrap();
        assert!(matches!(found.state, State::Used(_)), "{found:?}");
        // A yes that is left was given to another question of a life that was cut off.
        if let Claim::Approved(left) = store.claim(&found.binding, Timestamp::now()).unwrap() {
            assert!(!taken.contains(&left.id), "{left:?} was taken before");
        }
    }
    assert!(taken.len() >= 36, "{}", taken.len());
}

/// The question whose answer a whole line says was taken. The last line of one that was killed may be half of one.
fn took(line: &str) -> Option<RequestId> {
    let id = line.strip_prefix("took ")?;
    (id.len() == RequestId::LENGTH).then(|| RequestId(id.to_owned()))
}
