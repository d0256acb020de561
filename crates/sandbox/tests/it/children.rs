//! Children through the library: streams, limits, ends, reports, in both tiers and without any.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

use argrail_sandbox::policy::{EnvName, Exec, PathPattern, Policy, Protected};
use argrail_sandbox::{Cancel, Command, DenialKind, Ended, Error, Launcher, Output, Stdin};
use argrail_testkit::with_time_to_begin;

use crate::place::{LONG, Place, list, out};

#[test]
fn output_is_captured_and_input_is_fed() {
    let place = Place::new();
    let input: Vec<u8> = (0..2_000_000_u32).flat_map(u32::to_le_bytes).collect();
    let report = place
        .command(Policy::closed(), &["cat"])
        .stdin(Stdin::Bytes(input.clone()))
        .run()
        .unwrap();
    assert_eq!(report.ended, Ended::Exit(0));
    assert!(report.stdout == input, "{} bytes came back", report.stdout.len());
    assert_eq!(report.stdout_bytes, input.len() as u64);
    assert_eq!(report.tier, Some(1));
    assert!(report.peak_rss_kib > 0);
}

#[test]
fn streams_flow_while_the_child_runs() {
    let place = Place::new();
    let mut child = place
        .command(Policy::closed(), &["cat"])
        .stdin(Stdin::Pipe)
        .stdout(Output::Pipe)
        .spawn()
        .unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    for word in ["one\n", "two\n"] {
        stdin.write_all(word.as_bytes()).unwrap();
        let mut answer = [0; 4];
        stdout.read_exact(&mut answer).unwrap();
        assert_eq!(answer, word.as_bytes());
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().ended, Ended::Exit(0));
}

#[test]
fn each_chunk_is_handed_over_as_it_comes() {
    let place = Place::new();
    let (sender, receiver) = mpsc::channel();
    let mut child = place
        .shell(Policy::closed(), "echo first; read line; echo $line")
        .stdin(Stdin::Pipe)
        .stdout(Output::Each(Box::new(move |bytes| {
            sender.send(bytes.to_vec()).unwrap()
        })))
        .spawn()
        .unwrap();
    assert_eq!(receiver.recv_timeout(LONG).unwrap(), b"first\n");
    child.stdin.take().unwrap().write_all(b"second\n").unwrap();
    assert_eq!(receiver.recv_timeout(LONG).unwrap(), b"second\n");
    assert_eq!(child.wait().unwrap().ended, Ended::Exit(0));
}

#[test]
fn ends_are_told_apart() {
    let place = Place::new();
    let run = |script: &str| place.shell(Policy::closed(), script).run().unwrap();
    assert_eq!(run("exit 7").ended, Ended::Exit(7));
    assert_eq!(run("kill -9 $$").ended, Ended::Signal(9));
    let late = place
        .command(Policy::closed(), &["sleep", "600"])
        .timeout(Duration::from_millis(200))
        .run()
        .unwrap();
    assert!(late.timed_out && !late.cancelled, "{late:?}");
    assert_eq!(late.ended, Ended::Signal(15));
    with_time_to_begin(|time| {
        let deaf = place
            .shell(Policy::closed(), "trap '' TERM; echo deaf; while :; do :; done")
            .timeout(time)
            .grace(Duration::from_millis(200))
            .run()
            .unwrap();
        assert!(deaf.timed_out, "{deaf:?}");
        (out(&deaf) == "deaf\n").then(|| assert_eq!(deaf.ended, Ended::Signal(9)))
    });
}

#[test]
fn a_switch_ends_a_child_from_another_thread() {
    let place = Place::new();
    let cancel = Cancel::new().unwrap();
    let switch = cancel.clone();
    let started = Output::Each(Box::new(move |_| switch.cancel()));
    let report = place
        .shell(Policy::closed(), "echo here; while :; do :; done")
        .stdout(started)
        .cancel_with(cancel)
        .run()
        .unwrap();
    assert!(report.cancelled && !report.timed_out, "{report:?}");
    assert_eq!(report.ended, Ended::Signal(15));
}

#[test]
fn a_dropped_child_is_gone() {
    let place = Place::new();
    let mut child = place
        .command(Policy::closed(), &["sleep", "600"])
        .stdout(Output::Pipe)
        .spawn()
        .unwrap();
    let mut stdout = child.stdout.take().unwrap();
    drop(child);
    // The end of the pipe: nobody holds its other side any more.
    assert_eq!(stdout.read(&mut [0; 1]).unwrap(), 0);
}

#[test]
fn too_much_output_ends_it_and_what_came_before_is_kept() {
    let place = Place::new();
    let report = place
        .command(Policy::closed(), &["yes"])
        .max_output(100_000)
        .run()
        .unwrap();
    assert!(report.truncated, "{:?}", report.ended);
    assert_eq!(report.stdout.len(), 100_000);
    assert!(report.stdout.starts_with(b"y\ny\n"));
}

#[test]
fn variables_are_those_that_are_named() {
    let place = Place::new();
    let policy = Policy::closed()
        .env_pass(EnvName::parse("env", "PASSED").unwrap())
        .env_set(EnvName::parse_set("env", "SET").unwrap(), "by policy")
        .exec(list(&["env"]));
    let report = place
        .command(policy, &["env"])
        .environment([("PASSED", "yes"), ("HIDDEN", "no")])
        .secret("TOKEN", "s3cret")
        .run()
        .unwrap();
    let text = out(&report);
    let names: Vec<&str> = text.lines().filter_map(|line| line.split('=').next()).collect();
    assert_eq!(
        names,
        ["HOME", "LANG", "PASSED", "PATH", "SET", "TMPDIR", "TOKEN"]
    );
    assert!(text.contains("SET=by policy") && text.contains("TOKEN=s3cret"));
}

#[test]
fn a_terminal_is_one_of_its_own() {
    let place = Place::new();
    let policy = Policy::closed().tty().exec(list(&["stty", "tty"]));
    let report = place
        .shell(policy, "tty; stty size")
        .terminal(33, 111)
        .run()
        .unwrap();
    assert_eq!(out(&report), "/dev/pts/0\r\n33 111\r\n");
    let without = place
        .shell(Policy::closed().exec(list(&["tty"])), "tty")
        .run()
        .unwrap();
    assert_eq!(out(&without), "not a tty\n");
}

#[test]
fn refused_programs_are_reported() {
    let place = Place::new();
    let listed = place
        .shell(Policy::closed().exec(list(&["ls"])), "ls / >/dev/null && id")
        .run()
        .unwrap();
    assert_eq!(listed.ended, Ended::Exit(126), "{listed:?}");
    let denial = listed
        .denials
        .iter()
        .find(|denial| denial.kind == DenialKind::Exec)
        .unwrap();
    assert!(denial.target.ends_with("/id") && !denial.inferred(), "{denial:?}");
    let none = place.shell(Policy::closed(), "ls /").run().unwrap();
    let kinds: Vec<DenialKind> = none.denials.iter().map(|denial| denial.kind).collect();
    assert!(kinds.contains(&DenialKind::Syscall), "{none:?}");
}

#[test]
fn no_file_that_runs_as_its_owner_can_be_made() {
    let place = Place::new();
    let writes = Policy::closed().write(place.tree());
    fs::copy("/bin/true", place.workspace.join("tool")).unwrap();
    for (mode, exit) in [("4755", 1), ("2755", 1), ("u+s", 1), ("1755", 0), ("700", 0)] {
        let report = place
            .command(writes.clone(), &["chmod", mode, "tool"])
            .run()
            .unwrap();
        assert_eq!(report.ended, Ended::Exit(exit), "{mode}: {report:?}");
    }
    let report = place
        .command(writes, &["install", "-m", "4755", "/bin/true", "other"])
        .run()
        .unwrap();
    assert_ne!(report.ended, Ended::Exit(0), "{report:?}");
    let mode = fs::metadata(place.workspace.join("tool"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o6000, 0);
}

#[test]
fn the_second_tier_holds_files_and_refuses_the_rest() {
    let place = Place::new();
    fs::write(place.workspace.join("in"), "inside").unwrap();
    fs::write(place.anchors.home().join("out"), "outside").unwrap();
    let second = |policy: Policy, argv: &[&str]| place.command(policy, argv).without_namespaces().run();
    let read = Policy::closed().read(place.tree());
    let report = second(read.clone(), &["cat", "in"]).unwrap();
    assert_eq!((report.tier, out(&report).as_str()), (Some(2), "inside"));
    let report = second(read.clone(), &["cat", "../out"]).unwrap();
    assert_eq!(report.ended, Ended::Exit(1), "{}", out(&report));
    let report = second(read.clone(), &["touch", "new"]).unwrap();
    assert_eq!(report.ended, Ended::Exit(1));
    assert!(!place.workspace.join("new").exists());
    for (field, policy) in [
        ("exec.spawn[0]", read.clone().exec(list(&["ls"]))),
        ("exec.allow", read.clone().exec(Exec::Any)),
        ("tty.required", read.clone().tty()),
        (
            "fs.deny",
            read.clone().deny(PathPattern::exact(&place.workspace.join("in"))),
        ),
    ] {
        match second(policy, &["true"]) {
            Err(Error::Refused(refusal)) => {
                assert_eq!(refusal.field, field);
                assert_eq!(refusal.missing, Some("user namespaces"));
            }
            other => panic!("{field}: {other:?}"),
        }
    }
}

#[test]
fn a_program_brings_nothing_along_that_is_elsewhere_or_denied() {
    let place = Place::new();
    let keys = place.anchors.home().join(".keys");
    fs::create_dir(&keys).unwrap();
    fs::write(keys.join("key"), "hunter2").unwrap();
    for directory in ["bin", "lib"] {
        fs::create_dir(place.workspace.join(directory)).unwrap();
    }
    fs::copy("/bin/cat", place.workspace.join("bin/git")).unwrap();
    fs::copy("/bin/cat", keys.join("tool")).unwrap();
    let link = |to: &Path, at: &str| std::os::unix::fs::symlink(to, place.workspace.join(at)).unwrap();
    link(&keys, "lib/git-core");
    link(&keys.join("tool"), "tool");
    let key = keys.join("key");
    let policy = Policy::closed().read(place.tree()).exec(list(&["ls"]));
    let run = |policy: &Policy, program: &str| {
        place
            .command(policy.clone(), &[program, key.to_str().unwrap()])
            .run()
    };
    assert_eq!(run(&policy, "bin/git").unwrap().ended, Ended::Exit(1));
    assert_eq!(run(&policy, "./tool").unwrap().ended, Ended::Exit(1));
    let denied = policy.deny(PathPattern::tree(&keys));
    assert!(matches!(run(&denied, "./tool"), Err(Error::Program { .. })));
}

#[test]
fn the_second_tier_reaches_no_other_process() {
    let place = Place::new();
    let ours = std::process::id().to_string();
    let read = Policy::closed().read(place.tree());
    for argv in [
        ["prlimit", "--pid", &ours, "--core=0:"].as_slice(),
        &["renice", "-n", "1", "-p", &ours],
        &["taskset", "-p", "1", &ours],
        &["ipcmk", "-M", "4096"],
    ] {
        let report = place
            .command(read.clone(), argv)
            .without_namespaces()
            .run()
            .unwrap();
        assert_ne!(report.ended, Ended::Exit(0), "{argv:?}: {report:?}");
    }
}

#[test]
fn a_trusted_child_has_limits_and_nothing_else() {
    let place = Place::new();
    let host = |argv: &[&str]| Command::host(argv.iter().copied(), &place.workspace).timeout(LONG);
    let report = host(&["/bin/sh", "-c", "pwd; echo $A; exit 3"])
        .environment([("A", "b")])
        .run()
        .unwrap();
    assert_eq!(report.ended, Ended::Exit(3));
    assert_eq!(out(&report), format!("{}\nb\n", place.workspace.display()));
    assert_eq!(report.tier, None);
    let late = host(&["sleep", "600"])
        .timeout(Duration::from_millis(100))
        .run()
        .unwrap();
    assert!(late.timed_out);
    assert!(matches!(
        host(&["no-such-program"]).run(),
        Err(Error::Program { .. })
    ));
}

#[test]
fn what_a_grant_made_and_nobody_used_is_removed() {
    let place = Place::new();
    let fresh = place.anchors.home().join("a/b");
    let policy = || Policy::closed().write(PathPattern::tree(&fresh));
    place.command(policy(), &["true"]).run().unwrap();
    assert!(!place.anchors.home().join("a").exists());
    let refused = policy().deny(PathPattern::exact(&fresh.join("absent")));
    let outcome = place.command(refused, &["true"]).run();
    assert!(matches!(outcome, Err(Error::Refused(_))), "{outcome:?}");
    assert!(!place.anchors.home().join("a").exists());
    let file = fresh.join("kept");
    place
        .command(policy(), &["touch", file.to_str().unwrap()])
        .run()
        .unwrap();
    assert!(file.exists());
}

/// In both tiers: nothing is answered with success that did not happen.
#[test]
fn a_write_beside_what_is_granted_fails_in_both_tiers() {
    let place = Place::new();
    let sub = place.workspace.join("sub");
    fs::create_dir(&sub).unwrap();
    let policy = || Policy::closed().write(PathPattern::tree(&sub));
    let beside = ["../beside", "new", "~/new"];
    for name in beside {
        let script = format!("echo lost > {name}");
        let first = place.shell(policy(), &script).run().unwrap();
        let second = place.shell(policy(), &script).without_namespaces().run().unwrap();
        for (tier, report) in [(1, first), (2, second)] {
            assert_eq!(report.tier, Some(tier));
            assert_ne!(report.ended, Ended::Exit(0), "{name}: {report:?}");
            assert!(!report.denials.is_empty(), "{name}: {report:?}");
        }
    }
    let left: Vec<_> = fs::read_dir(place.anchors.home()).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
    let kept = place.shell(policy(), "echo kept > sub/new").run().unwrap();
    assert_eq!(kept.ended, Ended::Exit(0), "{kept:?}");
    assert_eq!(fs::read_to_string(sub.join("new")).unwrap(), "kept\n");
}

#[test]
fn a_protected_file_that_was_made_is_moved_aside() {
    let place = Place::new();
    let home = place.anchors.home().to_owned();
    fs::write(home.join(".bashrc"), "old").unwrap();
    let report = place
        .shell(
            Policy::closed().write(PathPattern::tree(&home)),
            "echo evil > ~/.zshrc; echo evil > ~/.bashrc; echo fine > ~/notes",
        )
        .protected(Protected::standard(&home, &place.workspace))
        .run()
        .unwrap();
    assert_eq!(
        fs::read_to_string(home.join(".bashrc")).unwrap(),
        "old",
        "{report:?}"
    );
    assert_eq!(fs::read_to_string(home.join("notes")).unwrap(), "fine\n");
    let [made] = report.quarantined.as_slice() else {
        panic!("{report:?}")
    };
    assert_eq!(made.path, home.join(".zshrc"));
    assert!(!home.join(".zshrc").exists() && made.moved_to.as_ref().unwrap().exists());
}

#[test]
fn a_launcher_that_is_none_is_told() {
    let place = Place::new();
    let command = place.command(Policy::closed(), &["true"]);
    for wrong in ["/bin/true", "/no/such/launcher"] {
        let command = Command::confined(["true"], Policy::closed(), place.anchors.clone())
            .launcher(Launcher::Path(Path::new(wrong).into()));
        assert!(matches!(command.run(), Err(Error::Host { .. })), "{wrong}");
    }
    assert_eq!(command.run().unwrap().ended, Ended::Exit(0));
}

#[test]
fn a_reader_that_does_not_read_does_not_stop_the_clock() {
    let place = Place::new();
    with_time_to_begin(|time| {
        let (release, held) = mpsc::channel::<()>();
        let (tell, told) = mpsc::channel();
        let blocked = Output::Each(Box::new(move |_| {
            tell.send("reads").unwrap();
            if held.recv_timeout(10 * LONG) == Err(mpsc::RecvTimeoutError::Timeout) {
                tell.send("gave up").unwrap();
            }
        }));
        let mut child = place
            .command(Policy::closed(), &["yes"])
            .stdout(blocked)
            .stderr(Output::Pipe)
            .timeout(time)
            .spawn()
            .unwrap();
        // Its end comes when nobody is left who could write.
        assert_eq!(child.stderr.take().unwrap().read(&mut [0; 1]).unwrap(), 0);
        let had_begun = told.try_recv().is_ok();
        drop(release);
        assert!(child.wait().unwrap().timed_out);
        let rest: Vec<&str> = told.iter().collect();
        assert!(!rest.contains(&"gave up"), "it went on until the reader did");
        had_begun.then_some(())
    });
}

#[test]
fn a_protected_directory_that_two_children_exchanged_is_told() {
    let place = Place::new();
    let policy = || Policy::closed().write(place.tree()).exec(list(&["mkdir", "mv"]));
    let start = |script: &str| {
        place
            .shell(policy(), script)
            .protected(Protected::standard(place.anchors.home(), &place.workspace))
            .stdin(Stdin::Pipe)
            .stdout(Output::Pipe)
            .spawn()
            .unwrap()
    };
    let go = |child: &mut argrail_sandbox::Child| {
        child.stdin.as_mut().unwrap().write_all(b"go\n").unwrap();
        child.stdout.as_mut().unwrap().read_exact(&mut [0; 3]).unwrap();
    };
    let mut early = start("read go; mkdir -p .git/hooks; echo ok; read go; mv .git x; echo ok");
    go(&mut early);
    let mut late = start("read go; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit; echo ok");
    go(&mut early);
    early.wait().unwrap();
    go(&mut late);
    let report = late.wait().unwrap();
    let told: Vec<&Path> = report
        .quarantined
        .iter()
        .map(|found| found.path.as_path())
        .collect();
    assert!(
        told.contains(&place.workspace.join(".git/hooks").as_path()),
        "{report:?}"
    );
}

#[test]
fn what_is_protected_can_still_be_started() {
    let place = Place::new();
    let bin = place.anchors.home().join("bin");
    fs::create_dir(&bin).unwrap();
    fs::copy("/bin/true", bin.join("mine")).unwrap();
    let mine = bin.join("mine");
    let report = place
        .shell(
            Policy::closed()
                .write(PathPattern::tree(place.anchors.home()))
                .exec(Exec::Any),
            &format!("{0} && echo started; echo x >> {0} || echo fixed", mine.display()),
        )
        .protected(Protected::none().search_path([bin]))
        .run()
        .unwrap();
    assert_eq!(out(&report), "started\nfixed\n", "{report:?}");
}
