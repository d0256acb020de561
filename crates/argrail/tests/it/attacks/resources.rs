//! Taking more than there is to take, and not going when told to.
//!
//! The number above a test is that of the attack in the suite.

use argrail_testkit::with_time_to_begin;
use serde_json::json;

use super::harness::{Host, Outcome, Target, each_host};
use super::outside::{Pipe, processes_with};
use super::policy::Policy;

/// More processes than any child has, and a bound in case it may have them.
const MANY: &str = "2000";

/// 10 GiB, in MiB.
const HUGE: &str = "10240";

fn workspace(host: Host) -> Target {
    Target::new(host).directory("work/out")
}

fn writer() -> Policy {
    Policy::new().write("out/**")
}

/// The number that ends what a child said: how far it came.
fn reached(outcome: &Outcome) -> u64 {
    outcome
        .stdout()
        .trim_end()
        .rsplit(' ')
        .next()
        .and_then(|word| word.parse().ok())
        .unwrap()
}

/// 62
#[test]
fn a_fork_bomb_ends_at_the_limit() {
    each_host(|host| {
        let target = workspace(host);
        let policy = Policy::new().spawn(&[]);
        let held = target.held(&policy, &["fork-bomb", MANY]);
        assert!(
            held.stdout().contains("EAGAIN") && reached(&held) <= 512,
            "{held}"
        );
        for policy in [policy.clone(), Policy::new()] {
            let held = target.held(&policy, &["thread-bomb", MANY]);
            assert!(
                held.stdout().contains("EAGAIN") && reached(&held) <= 512,
                "{held}"
            );
        }
        target.allowed(&policy, &["fork-bomb", "100"]);
        target.allowed(&Policy::new(), &["thread-bomb", "100"]);
    });
}

/// 63
#[test]
fn ten_gigabytes_are_not_to_be_had() {
    each_host(|host| {
        let target = workspace(host);
        for kind in ["private", "reserved"] {
            let held = target.held(&Policy::new(), &["allocate", kind, HUGE]);
            assert!(
                held.stdout().contains("ENOMEM") && reached(&held) <= 4096,
                "{held}"
            );
        }
        let held = target.held(&Policy::new(), &["allocate", "memory-file", HUGE]);
        assert!(held.stdout().contains("EFBIG"), "{held}");
        let held = target.held(&Policy::new(), &["fill", "/tmp/large", HUGE]);
        assert!(
            held.stdout().contains("ENOSPC") && reached(&held) <= 256,
            "{held}"
        );
        for kind in ["private", "reserved", "shared", "segments", "memory-file"] {
            target.allowed(&Policy::new(), &["allocate", kind, "64"]);
        }
    });
}

/// 63, shared: what processes share belongs to none of them, so only their addresses are limited, at four times the memory:
/// 10 GiB are to be had today, and segments that nobody has mapped have no end. A limit of all memory together needs a
/// control group.
#[test]
fn shared_memory_ends_with_the_addresses() {
    each_host(|host| {
        let target = workspace(host);
        let held = target.held(&Policy::new(), &["allocate", "shared", "20480"]);
        assert!(
            held.stdout().contains("ENOMEM") && reached(&held) <= 16_384,
            "{held}"
        );
        target.allowed(&Policy::new(), &["allocate", "shared", HUGE]);
        target.allowed(&Policy::new(), &["allocate", "segments", HUGE]);
    });
}

/// 64
#[test]
fn the_disk_is_not_filled() {
    each_host(|host| {
        let target = workspace(host);
        for place in ["/tmp/large", "/dev/shm/large"] {
            let held = target.held(&Policy::new(), &["fill", place, "300"]);
            assert!(
                held.stdout().contains("ENOSPC") && reached(&held) <= 256,
                "{held}"
            );
            target.allowed(&Policy::new(), &["fill", place, "100"]);
        }
        let held = target.held(&Policy::new(), &["litter", "/tmp", "100000"]);
        assert!(
            held.stdout().contains("ENOSPC") && reached(&held) <= 65_536,
            "{held}"
        );
        let large = target.path("work/out/large");
        let held = target.held(&writer(), &["grow", &large, "5000"]);
        assert!(held.stdout().contains("EFBIG"), "{held}");
        target.allowed(&writer(), &["grow", &large, "64"]);
    });
}

/// 65
#[test]
fn endless_output_is_cut_and_its_writer_killed() {
    each_host(|host| {
        let target = workspace(host)
            .option("--max-output")
            .option("64K")
            .option("--timeout")
            .option("4m");
        for attack in [["shout"].as_slice(), &["shout", "deaf"]] {
            let outcome = target.attack(&Policy::new(), attack);
            assert_eq!(outcome.run.exit, Some(137), "{outcome}");
            assert_eq!(outcome.data("truncated"), &json!(true), "{outcome}");
            assert_eq!(outcome.data("timedOut"), &json!(false), "{outcome}");
            assert_eq!(outcome.stdout().len(), 64 * 1024);
        }
        let outcome = target.allowed(&Policy::new(), &["threads"]);
        assert_eq!(outcome.data("truncated"), &json!(false), "{outcome}");
    });
}

/// Runs a child that will not go until the time is up, and sees that nothing of it is left then. Returns the time, too,
/// in milliseconds.
#[track_caller]
fn timed_out(host: Host, policy: &Policy, ways: &[&str]) -> (Outcome, u64) {
    with_time_to_begin(|time| {
        let time = u64::try_from(time.as_millis()).unwrap();
        let target = Target::new(host)
            .directory("work/pipes")
            .option("--timeout")
            .option(&format!("{time}ms"));
        let path = target.path("work/pipes/alive");
        let pipe = Pipe::new(&path);
        let attack: Vec<&str> = ["linger", &path]
            .into_iter()
            .chain(ways.iter().copied())
            .collect();
        let outcome = target.attack(policy, &attack);
        let lines = pipe.all_lines();
        assert_eq!(processes_with(&path), [""; 0]);
        assert_eq!(outcome.run.exit, Some(124), "{outcome}");
        assert_eq!(outcome.data("timedOut"), &json!(true), "{outcome}");
        (lines == ["ready"]).then_some((outcome, time))
    })
}

fn piper() -> Policy {
    Policy::new().write("pipes/**")
}

fn milliseconds(outcome: &Outcome) -> u64 {
    outcome.data("durationMs").as_u64().unwrap()
}

/// 66
#[test]
fn a_daemon_ends_with_the_time() {
    each_host(|host| {
        timed_out(host, &piper().spawn(&[]), &["daemon"]);
        timed_out(host, &piper().spawn(&[]), &["daemon", "deaf", "mute"]);
    });
}

/// 66, without a timeout.
#[test]
fn a_daemon_ends_with_the_program() {
    each_host(|host| {
        let target = Target::new(host).directory("work/pipes");
        let path = target.path("work/pipes/alive");
        let pipe = Pipe::new(&path);
        target.held(&piper().spawn(&[]), &["linger", &path, "daemon", "leave"]);
        assert_eq!(pipe.line(), "ready");
        pipe.let_go();
        assert_eq!(processes_with(&path), [""; 0]);
    });
}

/// 67
#[test]
fn the_tree_dies_with_its_host() {
    each_host(|host| {
        for (policy, ways) in [
            (piper(), ["deaf", "mute"]),
            (piper().spawn(&[]), ["daemon", "deaf"]),
        ] {
            let target = Target::new(host).directory("work/pipes");
            let (program, path) = (target.hostile(), target.path("work/pipes/alive"));
            let pipe = Pipe::new(&path);
            let argv: Vec<&str> = [program.as_str(), "linger", &path]
                .into_iter()
                .chain(ways)
                .collect();
            let child = target.spawn(&policy, &argv);
            assert_eq!(pipe.line(), "ready");
            child.kill();
            pipe.let_go();
            assert_eq!(child.wait().signal, Some(9));
            assert_eq!(processes_with(&path), [""; 0]);
        }
    });
}

/// 68
#[test]
fn who_does_not_listen_is_killed() {
    each_host(|host| {
        let (asked, _) = timed_out(host, &piper(), &[]);
        assert_eq!(asked.data("signal"), &json!(15), "{asked}");
        let (killed, time) = timed_out(host, &piper(), &["deaf"]);
        assert_eq!(killed.data("signal"), &json!(9), "{killed}");
        // The time that was given, then two seconds to listen.
        let lived = milliseconds(&killed);
        assert!((time + 2_000..time + 60_000).contains(&lived), "{killed}");
    });
}

/// 69
#[test]
fn a_closed_output_is_not_an_end() {
    each_host(|host| {
        let (outcome, time) = timed_out(host, &piper(), &["mute"]);
        assert!(milliseconds(&outcome) >= time, "{outcome}");
    });
}
