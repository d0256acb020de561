//! What a host can do wrong: each is told at once, and nothing is started, left running or changed on the way.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::Duration;

use argrail_sandbox::policy::{EnvName, Policy};
use argrail_sandbox::{Command, Ended, Error, HostWords, Launcher, Output, Refusal, Report, probe};

use crate::place::{LAUNCHER, LONG, Place, out};

fn refused(result: Result<Report, Error>) -> Refusal {
    let refusal = match result {
        Err(Error::Refused(refusal)) => Ok(refusal),
        other => Err(other),
    };
    refusal.expect("a refusal")
}

/// The harness owns `main` here, so it is such a program: started again it would run every test again, this one too.
#[test]
fn a_program_that_did_not_enter_does_not_start_itself() {
    let place = Place::new();
    let own = || Command::confined(["true"], Policy::closed(), place.anchors.clone());
    let refusal = refused(own().run());
    assert_eq!(
        (refusal.field.as_str(), refusal.pattern.as_str()),
        ("launcher", "SelfExe")
    );
    assert!(
        refusal.reason.contains("did not call argrail_sandbox::enter()"),
        "{refusal}"
    );
    let fix = refusal.fix.worded(HostWords::default());
    assert!(fix.contains("Launcher::Path"), "{fix}");
    assert_eq!(refused(own().without_namespaces().run()), refusal);
    let machine = probe();
    assert_eq!(machine.tier, 3, "{machine:?}");
    let told = machine
        .missing()
        .any(|feature| feature.why.contains("did not call"));
    assert!(told, "{machine:?}");
}

#[test]
fn a_program_that_entered_late_is_no_launcher() {
    let place = Place::new();
    let test = std::env::current_exe().unwrap();
    let late = test.parent().unwrap().parent().unwrap().join("examples/late");
    let report = Command::host([late.as_os_str()], &place.workspace)
        .timeout(LONG)
        .run()
        .unwrap();
    let said = out(&report);
    assert!(
        said.contains("enter() when other threads ran already"),
        "{report:?}"
    );
    assert!(said.contains("tier 3"), "{report:?}");
    // As somebody else's launcher it ends, and that is heard at once: one that
    // stays is waited for until its socket would block.
    let command = Command::confined(["true"], Policy::closed(), place.anchors.clone());
    let result = command.launcher(Launcher::Path(late)).run();
    match result {
        Err(Error::Host { source, .. }) => assert_ne!(source.kind(), ErrorKind::WouldBlock, "{source}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_launcher_that_is_started_by_hand_does_nothing() {
    let place = Place::new();
    let by_hand = Command::host([LAUNCHER], &place.workspace).timeout(LONG);
    let report = by_hand.run().unwrap();
    assert_eq!(report.ended, Ended::Exit(2));
    assert!(report.stdout.is_empty() && report.stderr.is_empty(), "{report:?}");
}

#[test]
fn a_word_with_a_nul_is_refused_and_not_shortened() {
    let place = Place::new();
    let words = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
    let nul = "a\0b";
    let confined = |argv: &[&str]| place.command(Policy::closed(), argv);
    let trusted = |argv: &[&str]| Command::host(words(argv), &place.workspace).timeout(LONG);
    let elsewhere = PathBuf::from("/tmp/a\0b");
    for (command, field) in [
        (confined(&["echo", "one", nul]), "argv[2]"),
        (confined(&[nul]), "argv[0]"),
        (confined(&["echo", nul]).without_namespaces(), "argv[1]"),
        (confined(&["echo"]).secret("TOKEN", nul), "env.TOKEN"),
        (confined(&["echo"]).secret("A=B", "c"), "env.A=B"),
        (confined(&["echo"]).directory(&elsewhere), "directory"),
        (trusted(&["echo", nul]), "argv[1]"),
        (trusted(&["echo"]).environment([("NAME", nul)]), "env.NAME"),
        (trusted(&["echo"]).secret("TOKEN", nul), "env.TOKEN"),
        (trusted(&["echo"]).directory(&elsewhere), "directory"),
    ] {
        let refusal = refused(command.run());
        assert_eq!(refusal.field, field, "{refusal}");
        assert!(!refusal.to_string().contains('\0'), "{refusal}");
        let hidden = !field.starts_with("env.") || !refusal.to_string().contains("a\\0b");
        assert!(hidden, "the value of a variable is shown: {refusal}");
    }
    let name = EnvName::parse("env.pass", "PASSED").unwrap();
    let passed = place
        .command(Policy::closed().env_pass(name), &["echo"])
        .environment([("PASSED", nul)]);
    assert_eq!(refused(passed.run()).field, "env.PASSED");
    // What nobody passes on does no harm.
    let kept = confined(&["echo"]).environment([("KEPT", nul)]);
    assert_eq!(kept.run().unwrap().ended, Ended::Exit(0));
}

#[test]
fn the_limit_of_output_holds_for_both_streams_together() {
    let place = Place::new();
    let script = "head -c 4000 /dev/zero >&2; exec 2>&-; head -c 4000 /dev/zero; head -c 4000 /dev/zero";
    let policy = || Policy::closed().exec(crate::place::list(&["head"]));
    let trusted = Command::host(["/bin/sh", "-c", script], &place.workspace).timeout(LONG);
    for command in [place.shell(policy(), script), trusted] {
        let report = command.max_output(5_000).run().unwrap();
        let (out, err) = (report.stdout.len(), report.stderr.len());
        assert!(report.truncated, "{out} and {err} bytes: {:?}", report.ended);
        assert_eq!(out + err, 5_000, "{out} and {err}");
        assert_eq!(report.stdout_bytes + report.stderr_bytes, 5_000);
    }
    // Without an end of one of them, too; and what fits is not cut.
    let script = "head -c 3000 /dev/zero >&2; head -c 2000 /dev/zero";
    let whole = place.shell(policy(), script).max_output(5_000).run().unwrap();
    assert!(
        !whole.truncated && whole.stdout.len() == 2_000,
        "{:?}",
        whole.ended
    );
}

#[test]
fn a_grace_without_end_is_waited_for() {
    let place = Place::new();
    let ends = || {
        place
            .command(Policy::closed(), &["sleep", "1000"])
            .grace(Duration::MAX)
    };
    let trusted = Command::host(["sleep", "1000"], &place.workspace).grace(Duration::MAX);
    let read = ends().stdout(Output::Each(Box::new(|_| ())));
    for command in [ends(), read, trusted] {
        let report = command.timeout(Duration::from_millis(100)).run().unwrap();
        assert!(report.timed_out, "{report:?}");
        assert_eq!(report.ended, Ended::Signal(15));
    }
    let endless = place.command(Policy::closed(), &["true"]).timeout(Duration::MAX);
    assert_eq!(endless.grace(Duration::MAX).run().unwrap().ended, Ended::Exit(0));
}
