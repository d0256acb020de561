//! What whoever may read a file does to those who use it too, and what the kernel counts for all processes of a user.

use super::harness::{Host, Target, each_host};
use super::policy::Policy;

fn reading(host: Host) -> (Target, [Policy; 3]) {
    let target = Target::new(host)
        .file("work/data/note", "hello")
        .directory("work/out");
    let policy = Policy::new().read("data/**");
    let policies = [
        policy.clone(),
        policy.clone().spawn(&["true"]),
        policy.write("out/**"),
    ];
    (target, policies)
}

/// A lease makes a writer wait for 45 s, each time.
#[test]
fn whoever_reads_a_file_cannot_halt_its_writers() {
    each_host(|host| {
        let (target, policies) = reading(host);
        let note = target.path("work/data/note");
        for policy in &policies {
            let held = target.held(policy, &["lease", &note]);
            assert!(
                held.stdout().contains("lease EINVAL, with a high bit EINVAL"),
                "{held}"
            );
            target.held(policy, &["follow", &target.path("work/data")]);
            // Databases and package managers lock what they read.
            let locked = target.allowed(policy, &["lock", &note]);
            assert!(!locked.stdout().contains("stopped"), "{locked}");
        }
        let free = target.outside(&["lease", &note]);
        assert!(
            free.stdout.contains("lease taken, with a high bit taken"),
            "{free}"
        );
        target.outside(&["follow", &target.path("work/data")]);
    });
}

#[test]
fn no_process_outside_is_signalled_by_a_descriptor() {
    each_host(|host| {
        let (target, policies) = reading(host);
        let mut bystander = target.bystander();
        let pid = bystander.id().to_string();
        for policy in &policies {
            target.held(policy, &["signal-by-descriptor", &pid]);
        }
        target.outside(&["signal-by-descriptor", &pid]);
        bystander.write(b"still here\n").unwrap();
        assert_eq!(bystander.line().as_deref(), Some(b"still here\n".as_slice()));
    });
}

#[test]
fn keys_of_file_systems_stay_as_they_are() {
    each_host(|host| {
        let (target, policies) = reading(host);
        for policy in &policies {
            let told = target.attack(policy, &["file-requests", &target.path("work/data/note")]);
            let refused = "add key EPERM, remove key EPERM";
            assert!(told.stdout().contains(refused), "{told}");
        }
    });
}

/// By default a user has 128 watchers, editors and all.
#[test]
fn a_child_that_only_reads_leaves_the_users_watchers_alone() {
    each_host(|host| {
        let (target, [reads, starts, writes]) = reading(host);
        for policy in [reads, starts] {
            let held = target.held(&policy, &["watches", "1"]);
            assert!(held.stdout().contains("ENOSYS after 0"), "{held}");
        }
        target.allowed(&writes, &["watches", "1"]);
        target.outside(&["watches", "1"]);
    });
}

#[test]
fn what_is_counted_for_a_user_is_not_used_up() {
    each_host(|host| {
        let (target, policies) = reading(host);
        for policy in &policies {
            let held = target.held(policy, &["queue-signals", "5000"]);
            assert!(held.stdout().contains("EAGAIN after 4"), "{held}");
            target.allowed(policy, &["queue-signals", "1000"]);
            target.held(policy, &["lock-memory", "16"]);
            target.allowed(policy, &["lock-memory", "1"]);
        }
    });
}
