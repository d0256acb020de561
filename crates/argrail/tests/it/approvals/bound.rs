//! A yes holds for what was asked, and for nothing beside it: another place, program, environment, caller, file.

use std::fs;

use argrail_testkit::{Home, Run};

use super::ground::{approve, asks, call, home, runs, said};
use crate::ARGRAIL;

const TOUCH: &str = "touch note";

/// Asks for `command`, approves it, and sees that `other` asks all the same, and that the yes is still there.
#[track_caller]
fn replayed(home: Home, command: &str, other: impl FnOnce(Home) -> (Home, Run)) -> Home {
    let id = asks(&call(&home, command));
    approve(&home, &id);
    let (home, run) = other(home);
    assert_ne!(asks(&run), id);
    home
}

#[test]
fn another_directory_another_caller_and_other_words_ask_again() {
    let home = home();
    fs::create_dir(home.work().join("sub")).unwrap();
    let home = replayed(home, TOUCH, |home| {
        let script = "cd sub && exec \"$0\" call 'touch note'";
        let run = home.run("/bin/sh", &["-c", script, ARGRAIL]);
        (home, run)
    });
    let run = home.run(ARGRAIL, &["call", "--caller", "somebody", TOUCH]);
    asks(&run);
    asks(&call(&home, "touch note more"));
    assert_eq!(said(&home, "note"), None);
    // Nobody used it up meanwhile.
    runs(&call(&home, TOUCH));
    assert_eq!(said(&home, "note").as_deref(), Some(""));
}

#[test]
fn another_program_asks_again() {
    let home = home().tool("writer", "#!/bin/sh\necho good > out\n");
    let home = replayed(home, "writer now", |home| {
        let home = home.tool("writer", "#!/bin/sh\necho evil > out\n");
        let run = call(&home, "writer now");
        (home, run)
    });
    assert_eq!(said(&home, "out"), None);
}

#[test]
fn another_environment_and_another_policy_ask_again() {
    replayed(home(), TOUCH, |home| {
        let home = home.env("LC_TIME", "C");
        let run = call(&home, TOUCH);
        (home, run)
    });
    replayed(home(), TOUCH, |home| {
        let home = home.config(r#"{"permissionPolicy": {"requireConfirmation": {"network": true}}}"#);
        let run = call(&home, TOUCH);
        (home, run)
    });
}

#[test]
fn a_file_that_changed_asks_again() {
    let changes: [fn(&Home); 4] = [
        |home| fs::write(home.work().join("a"), "new\n").unwrap(),
        |home| fs::remove_file(home.work().join("a")).unwrap(),
        |home| fs::write(home.work().join("b"), "there\n").unwrap(),
        |home| {
            fs::remove_file(home.work().join("a")).unwrap();
            fs::create_dir(home.work().join("a")).unwrap();
        },
    ];
    for change in changes {
        let home = home().file("a", "old\n");
        let home = replayed(home, "cp a b", |home| {
            change(&home);
            let run = call(&home, "cp a b");
            (home, run)
        });
        assert_ne!(said(&home, "b").as_deref(), Some("new\n"));
    }
}

#[test]
fn a_changed_program_behind_a_file_that_cannot_be_started_asks_again() {
    let home = home().tool("inner", "#!/bin/sh\necho good > out\n");
    let decoys = home.root().join("decoys");
    fs::create_dir(&decoys).unwrap();
    fs::write(decoys.join("inner"), "").unwrap();
    let path = format!("{}:{}:/usr/bin:/bin", decoys.display(), home.bin().display());
    let home = replayed(home.env("PATH", path), "nice inner", |home| {
        let home = home.tool("inner", "#!/bin/sh\necho evil > out\n");
        let run = call(&home, "nice inner");
        (home, run)
    });
    assert_eq!(said(&home, "out"), None);
}

#[test]
fn a_file_inside_a_text_that_something_executes_is_bound_like_any_other() {
    let commands = [
        "env -S 'sh w.sh'",
        "env '-Ssh w.sh'",
        "env --split-string='sh w.sh'",
        "env -S sh w.sh",
        "sh -c 'sh w.sh'",
        "sh -c 'sh<w.sh'",
        "sh -c 'sh \"w.sh\"'",
        "sh -c '. ./w.sh'",
        "sh -c 'cd sub && sh ../w.sh && mv out ..'",
        "env sh -c 'eval \"sh w.sh\"'",
        "nice sh -c 'sh w.sh'",
        "find . -maxdepth 0 -exec sh -c 'sh w.sh' \\;",
        "find . -maxdepth 0 -exec sh w.sh \\;",
        "xargs -a list -I X sh -c 'sh w.sh X'",
        "xargs -a list -I X sh w.sh X",
        "nobody-knows --run='sh w.sh'",
        "nobody-knows 'x @w.sh y'",
    ];
    for command in commands {
        let home = home()
            .file("w.sh", "echo good > out\n")
            .file("list", "x\n")
            .file("sub/x", "")
            .tool("nobody-knows", "#!/bin/sh\nexec sh w.sh\n");
        let home = replayed(home, command, |home| {
            fs::write(home.work().join("w.sh"), "echo evil > out\n").unwrap();
            let run = call(&home, command);
            (home, run)
        });
        assert_eq!(said(&home, "out"), None, "{command}");
        // The yes is still there for what was agreed to.
        fs::write(home.work().join("w.sh"), "echo good > out\n").unwrap();
        let run = call(&home, command);
        assert_eq!(run.exit, Some(0), "{command}: {run}");
        assert_eq!(said(&home, "out").as_deref(), Some("good\n"), "{command}");
    }
}

#[test]
fn what_a_program_reads_from_a_pipe_is_part_of_it() {
    let home = home();
    let run = |input: &str| home.run_with_input(ARGRAIL, &["run", "--", "tee", "out"], input);
    let id = {
        let refused = run("one\n");
        assert_eq!(refused.exit, Some(5), "{refused}");
        let (_, rest) = refused.stderr.split_once("argrail approve '").unwrap();
        rest.split_once('\'').unwrap().0.to_owned()
    };
    approve(&home, &id);
    assert_eq!(run("two\n").exit, Some(5));
    assert_eq!(said(&home, "out"), None);
    runs(&run("one\n"));
    assert_eq!(said(&home, "out").as_deref(), Some("one\n"));
}
