//! A home is closed, a run is complete, and a child never outlives its test.

use argrail_testkit::{Home, with_time_to_begin};
use std::fs::File;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

const SH: &str = "/bin/sh";

#[test]
fn nothing_of_the_machine_gets_in() {
    let home = Home::new()
        .env("EXTRA", "1")
        .tool("show", "#!/bin/sh\n/usr/bin/env; pwd\n");
    let run = home.run("show", &[]);
    let root = home.root().to_str().unwrap();
    for line in run.stdout.lines() {
        let own = line.contains(root);
        let known = [
            "LANG=C.UTF-8",
            "TZ=UTC",
            "EXTRA=1",
            "SHLVL=1",
            "SHLVL=0",
            "_=/usr/bin/env",
        ]
        .contains(&line);
        assert!(own || known, "{line} is not of this home");
    }
    for name in [
        "HOME",
        "PATH",
        "TMPDIR",
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "XDG_STATE_HOME",
        "XDG_RUNTIME_DIR",
    ] {
        assert!(run.stdout.contains(&format!("{name}={root}/")), "{name} is set");
    }
    assert!(
        run.stdout.ends_with(&format!("{root}/work\n")),
        "children start in the work directory"
    );
}

#[test]
fn files_and_settings_are_where_programs_look_for_them() {
    let home = Home::new()
        .file("deep/er/a.txt", "text")
        .config(r#"{"deny":["x"]}"#);
    let script = "while read -r line || [ -n \"$line\" ]; do echo \"$line\"; done < \"$1\"";
    assert_eq!(
        home.run(SH, &["-c", script, SH, "deep/er/a.txt"]).stdout,
        "text\n"
    );
    let settings = home.root().join("config/agent-tools/config.json");
    assert_eq!(
        home.run(SH, &["-c", script, SH, settings.to_str().unwrap()])
            .json()["deny"][0],
        "x"
    );
}

#[test]
fn two_homes_are_apart_and_both_go_away() {
    let (one, two) = (Home::new(), Home::default());
    assert_ne!(one.root(), two.root());
    let root = one.root().to_owned();
    drop(one);
    assert!(!root.exists());
    assert!(two.root().exists());
}

#[test]
fn a_run_shows_streams_exit_and_signal() {
    let home = Home::new();
    let run = home.run(SH, &["-c", "echo out; echo err >&2; exit 3"]);
    assert_eq!(run.to_string(), "exit: 3\n--- stdout\nout\n--- stderr\nerr\n");
    let run = home.run(SH, &["-c", "kill -TERM $$"]);
    assert_eq!((run.exit, run.signal), (None, Some(15)));
    assert_eq!(home.run_with_input("/bin/cat", &[], "in\n").stdout, "in\n");
}

#[test]
fn input_larger_than_a_pipe_neither_blocks_nor_fails() {
    let home = Home::new();
    let input = "x".repeat(1 << 20);
    assert_eq!(
        home.run_with_input("/bin/cat", &[], &input).stdout.len(),
        input.len()
    );
    assert_eq!(home.run_with_input("/bin/true", &[], &input).exit, Some(0)); // reads none of it
}

#[test]
fn a_child_that_hangs_is_killed_and_shown() {
    with_time_to_begin(|limit| {
        let home = Home::new().limit(limit);
        let hung = catch_unwind(AssertUnwindSafe(|| {
            home.run(SH, &["-c", "echo started; while :; do :; done"])
        }));
        let message = *hung.unwrap_err().downcast::<String>().unwrap();
        let killed = format!("did not end in {limit:?} and was killed");
        assert!(message.contains(&killed), "{message}");
        message.contains("--- stdout\nstarted\n").then_some(())
    });

    let home = Home::new().limit(Duration::from_millis(200));
    let silent = catch_unwind(AssertUnwindSafe(|| home.spawn("/bin/cat", &[]).line()));
    assert!(silent.is_err(), "waiting for a line ends too");
}

#[test]
fn what_a_child_leaves_behind_dies_with_it() {
    let home = Home::new();
    let started = Instant::now();
    // The grandchild inherits stdout: if it lived, the run would not end.
    assert_eq!(home.run(SH, &["-c", "/bin/sleep 1000 & exit 0"]).exit, Some(0));

    let mut child = home.spawn(
        SH,
        &[
            "-c",
            "/usr/bin/mkfifo alive; echo made; /bin/sleep 1000 >alive & wait",
        ],
    );
    assert_eq!(child.line().as_deref(), Some(b"made\n".as_slice()));
    let mut alive = File::open(home.work().join("alive")).unwrap();
    drop(child);
    // The pipe ends when its last writer does.
    assert_eq!(alive.read(&mut [0]).unwrap(), 0);
    assert!(
        started.elapsed() < Duration::from_secs(500),
        "ended by us and not by themselves"
    );
}

#[test]
fn a_child_can_be_asked_to_end() {
    let home = Home::new();
    let mut child = home.spawn(
        SH,
        &[
            "-c",
            "trap 'echo bye; exit 9' TERM; echo ready; while :; do :; done",
        ],
    );
    assert_eq!(child.line().as_deref(), Some(b"ready\n".as_slice()));
    child.terminate();
    assert_eq!(
        child.wait().to_string(),
        "exit: 9\n--- stdout\nready\nbye\n--- stderr\n"
    );
}
