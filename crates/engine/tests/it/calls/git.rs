//! Git in a repository whose settings run programs: reads work, and none of the programs is started.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use argrail_engine::policy::Confinement::{self, Closed, Effects as ByEffects};
use argrail_sandbox::Command;
use argrail_spec::atip::Effects;
use serde_json::json;

use super::place::{Done, LONG, Place, reads, settled};

const GIT: &str = "/usr/bin/git";

/// A repository with a change and a program that leaves a trace.
fn repository() -> Place {
    let place = Place::new();
    let evil = place.file(
        "evil.sh",
        "#!/bin/sh\necho ran >> \"${0%/*}/OWNED\"\ncat \"$1\" 2>/dev/null\n",
    );
    fs::set_permissions(evil, fs::Permissions::from_mode(0o755)).unwrap();
    place.file("note.txt", "one\n");
    place.file("data.bin", "x\n");
    place.file(".gitattributes", "*.bin diff=odd\n*.txt filter=odd\n");
    trusted(&place, &["init", "-q"]);
    trusted(&place, &["add", "."]);
    trusted(
        &place,
        &[
            "-c",
            "user.name=n",
            "-c",
            "user.email=e@x.test",
            "commit",
            "-qm",
            "first",
        ],
    );
    place.file("note.txt", "two\n");
    place.file("data.bin", "y\n");
    place
}

/// Runs git as the host's own, before anything hostile is there.
fn trusted(place: &Place, args: &[&str]) {
    let argv = std::iter::once(GIT).chain(args.iter().copied());
    let report = Command::host(argv, &place.ground.directory)
        .environment([("HOME", place.ground.home.as_os_str())])
        .timeout(LONG)
        .run()
        .unwrap();
    assert_eq!(report.ended.code(), Some(0), "{args:?}: {report:?}");
}

fn git(place: &Place, confinement: Confinement, args: &[&str]) -> Done {
    let mut effects: Effects = reads();
    effects.extra.insert("x-exec".into(), json!(["git", "cat"]));
    let argv: Vec<&str> = std::iter::once(GIT).chain(args.iter().copied()).collect();
    let done = place.call(&settled("git", effects), confinement, &argv);
    assert!(!place.work("OWNED").exists(), "{args:?} ran it: {}", done.told());
    done
}

#[test]
fn reads_work_and_start_nothing_of_the_repository() {
    if !Path::new(GIT).exists() {
        return;
    }
    let place = repository();
    for (key, value) in [
        ("core.fsmonitor", "./evil.sh"),
        ("core.pager", "./evil.sh"),
        ("pager.log", "./evil.sh"),
        ("core.hooksPath", "."),
        ("diff.external", "./evil.sh"),
        ("diff.odd.textconv", "./evil.sh"),
        ("diff.odd.command", "./evil.sh"),
        ("filter.odd.clean", "./evil.sh"),
        ("filter.odd.required", "true"),
        ("core.editor", "./evil.sh"),
        ("log.showSignature", "true"),
        ("gpg.program", "./evil.sh"),
    ] {
        trusted(&place, &["config", key, value]);
    }
    for confinement in [Closed, ByEffects] {
        let status = git(&place, confinement, &["status", "--short"]);
        status.assert_ok();
        assert!(status.stdout.contains(" M note.txt"), "{}", status.stdout);
        let diff = git(&place, confinement, &["diff"]);
        diff.assert_ok();
        assert!(
            diff.stdout.contains("+two") && diff.stdout.contains("+y"),
            "{}",
            diff.stdout
        );
        let log = git(&place, confinement, &["log", "-p"]);
        log.assert_ok();
        assert!(
            log.stdout.contains("first") && log.stdout.contains("+one"),
            "{}",
            log.stdout
        );
        git(&place, confinement, &["show", "HEAD:note.txt"]).assert_ok();
        git(&place, confinement, &["blame", "note.txt"]).assert_ok();
    }
}
