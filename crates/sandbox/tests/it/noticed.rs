//! What a child tries in vain is in the report although the child says nothing of it; what is no news is not.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

use argrail_sandbox::policy::{PathPattern, Policy};
use argrail_sandbox::{Command, Denial, DenialKind, Evidence, Report, ReportLevel};

use crate::place::{Place, list};

/// Which mechanisms hold the child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tier {
    One,
    Two,
}

const TIERS: [Tier; 2] = [Tier::One, Tier::Two];

/// A workspace with a note, beside a key that nobody else may read and settings that everybody may.
fn place() -> Place {
    let place = Place::new();
    let home = place.workspace.parent().unwrap();
    fs::write(place.workspace.join("note"), "hello\n").unwrap();
    for (name, mode) in [("key", 0o600), ("settings", 0o644)] {
        let path = home.join(name);
        fs::write(&path, "hunter2\n").unwrap();
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }
    place
}

fn reads(place: &Place) -> Policy {
    Policy::closed().read(place.tree())
}

fn run(command: Command, tier: Tier) -> Report {
    match tier {
        Tier::One => command,
        Tier::Two => command.without_namespaces(),
    }
    .run()
    .unwrap()
}

/// What was refused: kind, path below the home, and how it is known.
fn told(place: &Place, report: &Report) -> Vec<(DenialKind, String, Evidence)> {
    let home = format!("{}/", place.workspace.parent().unwrap().display());
    let each = |denial: &Denial| {
        let target = denial.target.strip_prefix(&home).unwrap_or(&denial.target);
        (denial.kind, target.to_owned(), denial.evidence)
    };
    report.denials.iter().map(each).collect()
}

#[test]
fn a_silent_change_is_seen() {
    use DenialKind::FsWrite;
    let place = place();
    for tier in TIERS {
        for (script, target) in [
            ("echo x > new", "work/new"),
            ("echo x >> note", "work/note"),
            ("cd .. && echo x > work/new", "work/new"),
            ("echo x > /etc/argrail-noticed", "/etc/argrail-noticed"),
        ] {
            let script = format!("{{ {script}; }} 2>/dev/null; exit 0");
            let report = run(place.shell(reads(&place), &script), tier);
            assert_eq!(report.ended.code(), Some(0), "{script}: {report:?}");
            let expected = (FsWrite, target.to_owned(), Evidence::Seen);
            assert_eq!(told(&place, &report), [expected], "{tier:?} {script}");
        }
    }
    assert_eq!(
        fs::read_to_string(place.workspace.join("note")).unwrap(),
        "hello\n"
    );
}

#[test]
fn every_way_to_change_a_file_is_seen() {
    let place = place();
    for tier in TIERS {
        for (argv, target) in [
            (&["rm", "-f", "note"][..], "work/note"),
            (&["mkdir", "new"], "work/new"),
            (&["mv", "note", "other"], "work/note"),
            (&["mv", "note", "another"], "work/another"),
            (&["ln", "-s", "note", "link"], "work/link"),
            (&["ln", "note", "link"], "work/link"),
            (&["mkfifo", "pipe"], "work/pipe"),
            (&["truncate", "-s", "0", "note"], "work/note"),
            (&["touch", "new"], "work/new"),
            (&["chmod", "700", "note"], "work/note"),
        ] {
            if tier == Tier::Two && argv[0] == "chmod" {
                continue; // refused by the filter itself, which tells nobody
            }
            let report = run(place.command(reads(&place), argv), tier);
            let seen = told(&place, &report);
            let is_it = |(kind, path, evidence): &(DenialKind, String, Evidence)| {
                *kind == DenialKind::FsWrite
                    && path == target
                    && matches!(evidence, Evidence::Seen | Evidence::SeenAndSaid)
            };
            assert!(seen.iter().any(is_it), "{tier:?} {argv:?}: {seen:?}");
        }
    }
}

#[test]
fn ordinary_looking_around_is_no_news() {
    let place = place();
    for tier in TIERS {
        for script in [
            "read line < note",
            "echo x > /dev/null",
            "echo x > /dev/tty",
            "echo x > /tmp/mine && read line < /tmp/mine",
            "echo x > absent/new",
            ": > /no/such/place",
            "read line < ../settings",
            "read line < /etc/hosts",
            "read line < /no/such/file",
        ] {
            let script = format!("{{ {script}; }} 2>/dev/null; exit 0");
            let command = place
                .shell(reads(&place), &script)
                .report_level(ReportLevel::Reads);
            let report = run(command, tier);
            assert_eq!(told(&place, &report), [], "{tier:?} {script}");
        }
        for argv in [
            &["rm", "-f", "absent"][..],
            &["mkdir", "-p", "."],
            &["ls", "-la"],
            &["cat", "note"],
        ] {
            let report = run(
                place
                    .command(reads(&place), argv)
                    .report_level(ReportLevel::Reads),
                tier,
            );
            assert_eq!(told(&place, &report), [], "{tier:?} {argv:?}");
        }
    }
}

#[test]
fn opening_a_file_for_both_may_be_meant_to_read_it() {
    let place = place();
    let report = run(
        place.shell(reads(&place), ": 2>/dev/null <> note; exit 0"),
        Tier::One,
    );
    let expected = (DenialKind::FsWrite, "work/note".to_owned(), Evidence::Suspected);
    assert_eq!(told(&place, &report), [expected]);
}

#[test]
fn a_link_of_its_own_hides_nothing() {
    let place = place();
    let policy = reads(&place).exec(list(&["ln"]));
    let script = "ln -s \"$PWD\" /tmp/way; { echo x > /tmp/way/new; } 2>/dev/null; exit 0";
    let report = run(place.shell(policy, script), Tier::One);
    let expected = (DenialKind::FsWrite, "work/new".to_owned(), Evidence::Seen);
    assert_eq!(told(&place, &report), [expected], "{report:?}");
}

#[test]
fn who_may_write_is_not_looked_at() {
    let place = place();
    let policy = Policy::closed().write(place.tree());
    let script = "echo x > new; { echo x > /etc/argrail-noticed; } 2>/dev/null; exit 0";
    let report = run(place.shell(policy, script), Tier::One);
    assert!(place.workspace.join("new").exists());
    assert_eq!(told(&place, &report), []);
}

#[test]
fn a_silent_connection_is_seen() {
    let place = place();
    let argv = [
        "/bin/bash",
        "-c",
        "exec 2>/dev/null; : 3<>/dev/tcp/192.0.2.1/80; exit 0",
    ];
    for (tier, target) in [(Tier::One, "192.0.2.1:80"), (Tier::Two, "the network")] {
        let report = run(place.command(reads(&place), &argv), tier);
        let expected = (DenialKind::Net, target.to_owned(), Evidence::Seen);
        assert_eq!(told(&place, &report), [expected], "{tier:?} {report:?}");
    }
}

#[test]
fn a_name_that_is_looked_up_is_somebody() {
    let place = place();
    let report = run(
        place.command(reads(&place), &["getent", "hosts", "example.test"]),
        Tier::One,
    );
    let expected = (DenialKind::Net, "the network".to_owned(), Evidence::Seen);
    assert_eq!(told(&place, &report), [expected]);
    let report = run(
        place.command(reads(&place), &["getent", "hosts", "localhost"]),
        Tier::One,
    );
    assert_eq!(told(&place, &report), []);
}

#[test]
fn a_loopback_of_its_own_is_nobody() {
    let place = place();
    let mut policy = reads(&place);
    policy.local_network = true;
    let connect = |address: &str| {
        let script = format!("exec 2>/dev/null; : 3<>/dev/tcp/{address}; exit 0");
        let argv = ["/bin/bash", "-c", &script];
        told(&place, &run(place.command(policy.clone(), &argv), Tier::One))
    };
    assert_eq!(connect("127.0.0.1/9"), []);
    let expected = (DenialKind::Net, "192.0.2.1:80".to_owned(), Evidence::Seen);
    assert_eq!(connect("192.0.2.1/80"), [expected]);
}

#[test]
fn a_key_is_noticed_where_reads_are() {
    let place = place();
    symlink("../key", place.workspace.join("way")).unwrap();
    let key = place.workspace.with_file_name("key");
    for tier in TIERS {
        for path in ["../key", "./way", key.to_str().unwrap()] {
            let script = format!("{{ read line < {path}; }} 2>/dev/null; echo \"$line\"; exit 0");
            let report = |notice| run(place.shell(reads(&place), &script).report_level(notice), tier);
            let seen = report(ReportLevel::Reads);
            assert_eq!(seen.stdout, b"\n", "{seen:?}");
            let expected = (DenialKind::FsRead, "key".to_owned(), Evidence::Seen);
            assert_eq!(told(&place, &seen), [expected], "{tier:?} {path}");
            assert_eq!(told(&place, &report(ReportLevel::Writes)), [], "{tier:?} {path}");
        }
    }
}

#[test]
fn a_denied_file_is_noticed_whoever_else_may_read_it() {
    let place = place();
    let mut policy = reads(&place);
    policy
        .deny
        .push(PathPattern::exact(&place.workspace.join("note")));
    let script = "{ read line < note; } 2>/dev/null; exit 0";
    let report = run(
        place.shell(policy, script).report_level(ReportLevel::Reads),
        Tier::One,
    );
    let expected = (DenialKind::FsRead, "work/note".to_owned(), Evidence::Seen);
    assert_eq!(told(&place, &report), [expected]);
}
