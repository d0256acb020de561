//! Processes and the kernel: other processes, and calls that no child needs.
//!
//! The number above a test is that of the attack in the suite.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rustix::fs::{StatVfsMountFlags, statvfs};

use super::harness::{Host, Target, each_host};
use super::policy::Policy;

/// 16, 17
#[test]
fn nothing_of_the_kernel_can_be_set() {
    each_host(|host| {
        let target = Target::new(host);
        let policy = Policy::new();
        let settings = [
            "/proc/sys/kernel/core_pattern",
            "/proc/sys/kernel/modprobe",
            "/proc/sys/kernel/sysrq",
            "/proc/sys/vm/overcommit_memory",
            "/proc/sys/fs/binfmt_misc/register",
            "/proc/sysrq-trigger",
            "/proc/1/oom_score_adj",
            "/proc/self/uid_map",
            "/sys/kernel/uevent_helper",
            "/sys/fs/cgroup/cgroup.procs",
        ];
        let attack: Vec<&str> = ["open-to-write"].into_iter().chain(settings).collect();
        target.held(&policy, &attack);
        target.allowed(&policy, &["open-to-write", "/dev/null"]);
        if host == Host::Root {
            target.outside(&["open-to-write", "/proc/sys/kernel/core_pattern"]);
            if Path::new("/proc/sysrq-trigger").exists() {
                target.outside(&["open-to-write", "/proc/sysrq-trigger"]);
            }
        }
    });
}

/// 18
#[test]
fn the_first_process_cannot_be_looked_into() {
    each_host(|host| {
        let target = Target::new(host).env("HOST_SECRET", "hunter2");
        let policy = Policy::new();
        target.held(&policy, &["look-into", "1"]);
        let own = target.allowed(&policy, &["look-into", "self"]);
        assert!(own.stdout().contains("environ read"), "{own}");
        target.held(&policy, &["find-in-environment", "hunter2"]);
    });
}

/// 19
#[test]
fn the_machines_processes_are_not_listed() {
    each_host(|host| {
        let target = Target::new(host);
        target.held(&Policy::new(), &["list-processes"]);
        let own = std::process::id().to_string();
        let policy = Policy::new();
        target.held(&policy, &["look-into", &own]);
        target.held(&policy.spawn(&["true"]), &["list-processes"]);
        target.outside(&["list-processes"]);
    });
}

/// 20
#[test]
fn no_process_outside_can_be_signalled() {
    each_host(|host| {
        let target = Target::new(host);
        let mut bystander = target.bystander();
        let pid = bystander.id().to_string();
        for policy in [Policy::new(), Policy::new().spawn(&["true"])] {
            target.held(&policy, &["signal", &pid]);
            // Its report arrives, so neither pid 1 nor argrail itself was hit.
            target.held(&policy, &["signal-all", &pid]);
            target.allowed(&policy, &["signal", "self"]);
        }
        target.outside(&["signal", &pid]);
        bystander.write(b"still here\n").unwrap();
        assert_eq!(bystander.line().as_deref(), Some(b"still here\n".as_slice()));
    });
}

/// 21, 22, 23, 26: each works without a sandbox, if only for some calls and users.
#[test]
fn calls_that_no_child_needs_are_refused() {
    each_host(|host| {
        let target = Target::new(host).file("work/note", "hello");
        for policy in [
            Policy::new().read("**"),
            Policy::new().read("**").spawn(&["true"]),
        ] {
            for attack in [
                &["trace"][..],
                &["take-descriptor", "self"],
                &["take-descriptor", "1"],
                &["keys"],
                &["kernel-interfaces"],
            ] {
                target.held(&policy, attack);
            }
            target.allowed(&policy, &["read", &target.path("work/note")]);
        }
        for attack in [
            &["trace"][..],
            &["take-descriptor", "self"],
            &["keys"],
            &["kernel-interfaces"],
        ] {
            target.outside(attack);
        }
    });
}

/// 24
#[test]
fn no_namespace_can_be_made_in_the_sandbox() {
    each_host(|host| {
        let target = Target::new(host);
        let forking = Policy::new().spawn(&["true"]);
        target.held(&Policy::new(), &["namespace"]);
        target.held(&forking, &["namespace"]);
        target.held(&Policy::new(), &["fork-plainly"]);
        target.allowed(&forking, &["fork-plainly"]);
        let free = target.outside(&["namespace"]);
        assert!(!free.stdout.contains("stopped"), "{free}");
    });
}

/// 25: only root can make a program of root's that anybody may start.
#[test]
fn a_set_user_id_program_gives_nothing() {
    each_host(|host| {
        let target = Target::new(host);
        let program = target.path("work/raised");
        // Another process writes it, so that nobody here holds it open while a test starts it.
        let copied = target.home().run("/bin/cp", &[&target.hostile(), &program]);
        assert_eq!(copied.exit, Some(0), "{copied}");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o6755)).unwrap();
        let policy = Policy::new().read("**").spawn(&[&program]);
        let direct = target.run(&policy, &[&program, "identity"]);
        assert_eq!(direct.exit(), Some(0), "{direct}");
        let started = target.held(&policy, &["become", &program, "identity"]);
        assert!(started.stdout().contains("uid"), "{started}");
        let honoured = !statvfs(&program)
            .unwrap()
            .f_flag
            .contains(StatVfsMountFlags::NOSUID);
        if host == Host::Plain && honoured {
            target.outside(&["become", &program, "identity"]);
        }
    });
}

/// 27
#[cfg(target_arch = "x86_64")]
#[test]
fn numbers_of_another_interface_are_no_calls() {
    each_host(|host| {
        let target = Target::new(host);
        for policy in [Policy::new(), Policy::new().spawn(&["true"])] {
            let held = target.held(&policy, &["x32"]);
            assert!(!held.stdout().contains("reached"), "{held}");
            target.allowed(&policy, &["signal", "self"]);
        }
    });
}

/// 28
#[cfg(target_arch = "x86_64")]
#[test]
fn the_door_of_32_bit_programs_is_deadly() {
    const SIGSYS: i64 = 31;
    const SIGSEGV: i64 = 11;
    each_host(|host| {
        let target = Target::new(host);
        // A kernel without that door answers with a fault, before any filter is asked.
        let has_door = target.home().run(target.hostile(), &["int80"]).exit == Some(1);
        let expected = if has_door { SIGSYS } else { SIGSEGV };
        for policy in [Policy::new(), Policy::new().spawn(&["true"])] {
            let died = target.attack(&policy, &["int80"]);
            assert_eq!(died.data("signal").as_i64(), Some(expected), "{died}");
            assert_eq!(died.stdout(), "", "{died}");
            target.allowed(&policy, &["signal", "self"]);
        }
    });
}
