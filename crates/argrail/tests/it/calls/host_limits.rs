//! A host that has little: low limits, a long search path, outputs of yesterday, a machine on which everything is slow.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use argrail_testkit::Run;
use serde_json::{Value, json};

use super::ground::{call, home, search_path, vouched};
use super::silent::{Word, machine};
use crate::ARGRAIL;
use crate::attacks::harness::{Target, each_host};

/// Calls a command after the shell has set limits.
fn limited(target: &Target, limits: &str, command: &str) -> Run {
    target.own();
    let mut all = target.start_words();
    let line = format!("{limits}; exec \"$0\" call \"$1\"");
    let argrail = target.path("programs/argrail");
    all.extend(["/bin/sh", "-c", &line, &argrail, command].map(str::to_owned));
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    target.home().run(target.hostile(), &all)
}

#[test]
fn limits_below_ours_are_the_childs_and_refuse_nothing() {
    each_host(|host| {
        let target = machine(host, Word::Shim);
        for limits in [
            "ulimit -v 3000000",
            "ulimit -d 2000000",
            "ulimit -u 2000",
            "ulimit -f 100000",
            // As many as the user may have are taken.
            "ulimit -Sn 16",
        ] {
            let run = limited(&target, limits, "cat note");
            assert_eq!(run.json()["data"]["stdout"], "hello\n", "{limits}: {run}");
        }
    });
}

#[test]
fn what_has_run_out_is_named_and_not_the_file_that_was_to_be_opened() {
    each_host(|host| {
        let target = machine(host, Word::Shim);
        for (limits, hint) in [("ulimit -n 12", "ulimit -n"), ("ulimit -v 100000", "ulimit -v")] {
            let run = limited(&target, limits, "cat note");
            assert!(!run.stdout.contains("readable"), "{limits}: {run}");
            let Ok(answer) = serde_json::from_str::<Value>(&run.stdout) else {
                // So few that the record cannot be opened is said, too.
                assert!(
                    run.exit.is_some_and(|exit| exit > 0 && exit < 128),
                    "{limits}: {run}"
                );
                continue;
            };
            let text = answer["error"]["hint"].as_str().unwrap_or_default();
            let said = text.contains(hint) || answer["error"]["message"].to_string().contains("open files");
            assert!(said, "{limits}: {run}");
        }
        // A file that may not grow: an error, and no end by a signal.
        let run = limited(&target, "ulimit -f 0", "cat note");
        assert!(run.exit.is_some_and(|exit| exit < 128), "{run}");
    });
}

#[test]
fn a_search_path_that_is_not_looked_at_to_its_end_is_told() {
    let home = home();
    let many: Vec<String> = (0..600).map(|number| format!("/nowhere/{number}")).collect();
    let path = format!("{}:{}", many.join(":"), search_path(&home.bin()));
    let home = home.env("PATH", path);
    for command in ["cat note", "ls"] {
        let run = call(&home, command);
        let hint = run.json()["error"]["hint"].as_str().unwrap().to_owned();
        assert!(hint.contains("only the first 512"), "{command}: {run}");
    }
}

#[test]
fn outputs_whose_time_is_over_are_removed_by_the_next_call() {
    let home = home();
    let run = call(&home, "seq 100000");
    assert_eq!(run.json()["data"]["truncated"], true, "{run}");
    let outputs = home.state().join("argrail/output");
    let kept = || fs::read_dir(&outputs).unwrap().count();
    assert_eq!(kept(), 1);
    let old = SystemTime::now() - Duration::from_secs(2 * 24 * 60 * 60);
    let snapshots = home.state().join("argrail/snapshots");
    fs::create_dir_all(&snapshots).unwrap();
    fs::write(snapshots.join("0".repeat(64)), "asked about once").unwrap();
    let draft = outputs.join(".draft-left-behind");
    fs::create_dir(&draft).unwrap();
    for entry in fs::read_dir(&outputs)
        .unwrap()
        .chain(fs::read_dir(&snapshots).unwrap())
    {
        File::open(entry.unwrap().path())
            .unwrap()
            .set_modified(old)
            .unwrap();
    }
    // Nothing that this call prints is kept.
    let run = home.run(ARGRAIL, &["call", "seq 3"]);
    assert_eq!(run.json()["success"], true, "{run}");
    assert_eq!(kept(), 0);
    assert_eq!(fs::read_dir(&snapshots).unwrap().count(), 0);
}

/// It prints what looks like a question, and then works for longer than a question may stand.
#[test]
fn a_program_that_works_on_after_a_question_is_left_alone() {
    let script = "printf 'Password: '\n\
        read now rest < /proc/uptime; end=$((${now%.*} + 3))\n\
        while [ ${now%.*} -lt $end ]; do read now rest < /proc/uptime; done\n\
        echo; echo done";
    let home = vouched(home(), "worker", script, &json!({}));
    let run = call(&home, "worker");
    assert_eq!(run.json()["data"]["stdout"], "Password: \ndone\n", "{run}");
}
