//! Starting programs that were not granted, by name, by copy, from memory and from nowhere.
//!
//! The number above a test is that of the attack in the suite. Three policies matter: nothing may be started, a list
//! may, and an empty list, with which a child may fork and no more.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::harness::{Host, Outcome, Target, each_host};
use super::policy::Policy;

/// On the list, and not.
const LISTED: &str = "/usr/bin/true";
const UNLISTED: &str = "/usr/bin/id";

/// How many descriptors a child may have; its program came from the one above.
const TOP: &str = "1024";

fn workspace(host: Host) -> Target {
    Target::new(host).file("work/note", "hello").directory("work/out")
}

/// A child that may read everything here, write some, and start one program.
fn list() -> Policy {
    Policy::new().read("**").write("out/**").spawn(&[LISTED])
}

/// The same, but it starts nothing.
fn nothing() -> Policy {
    Policy::new().read("**").write("out/**")
}

#[track_caller]
fn denied(outcome: &Outcome, kind: &str, target: &str) {
    let denials = outcome.data("denials").as_array().unwrap();
    let told = denials
        .iter()
        .any(|denial| denial["kind"] == kind && denial["target"] == target);
    assert!(told, "no denial of {target}: {outcome}");
}

/// 54
#[test]
fn a_program_that_is_not_listed_does_not_start() {
    each_host(|host| {
        let target = workspace(host);
        for policy in [list(), nothing(), Policy::new().spawn(&[])] {
            for act in ["exec", "replace"] {
                let held = target.held(&policy, &[act, UNLISTED]);
                assert!(
                    held.stdout().contains("EACCES") || held.stdout().contains("EPERM"),
                    "{held}"
                );
            }
            denied(&target.held(&policy, &["replace", UNLISTED]), "exec", UNLISTED);
        }
        let allowed = target.allowed(&list(), &["exec", LISTED]);
        assert_eq!(allowed.data("denials"), &serde_json::json!([]), "{allowed}");
        target.outside(&["exec", UNLISTED]);
    });
}

/// 55
#[test]
fn the_loader_loads_no_program_that_is_not_listed() {
    each_host(|host| {
        let target = workspace(host);
        let held = target.held(&list(), &["exec-loader", UNLISTED]);
        assert!(held.stdout().contains("failed to map segment"), "{held}");
        target.held(&nothing(), &["exec-loader", UNLISTED]);
        let allowed = target.allowed(&list(), &["exec-loader", LISTED]);
        assert_eq!(allowed.data("denials"), &serde_json::json!([]), "{allowed}");
        target.outside(&["exec-loader", UNLISTED]);
    });
}

/// 56
#[test]
fn nothing_starts_from_memory() {
    each_host(|host| {
        let target = workspace(host);
        // Not even a listed program: what is listed is a file, and this is none.
        for policy in [list(), nothing(), Policy::new().spawn(&[])] {
            target.held(&policy, &["exec-memory", LISTED]);
            // This one sees that memory that is sealed against execution can be had.
            target.held(&policy, &["exec-sealed-memory", LISTED]);
            target.held(&policy, &["exec-nameless", LISTED, "/tmp"]);
        }
        target.held(&list(), &["exec-nameless", LISTED, &target.path("work/out")]);
        let held = target.held(&nothing(), &["exec-memory", LISTED]);
        denied(&held, "exec", "/memfd:hostile (deleted)");
        target.allowed(&list(), &["exec", LISTED]);
        target.outside(&["exec-memory", LISTED]);
        target.outside(&["exec-nameless", LISTED, &target.path("work/out")]);
    });
}

/// 57
#[test]
fn a_copy_does_not_start_where_it_may_be_written() {
    each_host(|host| {
        let target = workspace(host);
        let copy = target.path("work/out/copy");
        for policy in [list(), nothing()] {
            let held = target.held(
                &policy,
                &["exec-copy", LISTED, "/tmp/copy", "/dev/shm/copy", &copy],
            );
            assert_eq!(
                held.stdout().matches("EACCES").count() + held.stdout().matches("EPERM").count(),
                3,
                "{held}"
            );
        }
        target.allowed(&list(), &["exec", LISTED]);
        target.outside(&["exec", &copy]);
    });
}

/// 57, without starting it.
#[test]
fn code_of_a_program_that_is_not_listed_is_not_mapped() {
    each_host(|host| {
        let target = workspace(host);
        let held = target.held(&list(), &["map-code", UNLISTED]);
        assert_eq!(held.stdout(), "blocked: at once EPERM, later EACCES\n");
        let file = target.path("work/note");
        target.held(&list(), &["map-code", &file]);
        let allowed = target.allowed(&list(), &["map-code", LISTED]);
        assert!(!allowed.stdout().contains("stopped"), "{allowed}");
    });
}

/// 58
#[test]
fn what_a_shell_is_told_to_start_is_on_the_list_too() {
    each_host(|host| {
        let target = workspace(host);
        let policy = list().spawn(&[LISTED, "/bin/sh"]);
        for script in [
            "/usr/bin/id",
            "exec /usr/bin/id",
            "x=$(/usr/bin/id) && echo $x",
            "/usr/bin/id & wait $!",
        ] {
            let held = target.held(&policy, &["exec", "/bin/sh", "-c", script]);
            assert!(held.stdout().contains("exit status: 126"), "{held}");
            denied(&held, "exec", UNLISTED);
        }
        target.allowed(&policy, &["exec", "/bin/sh", "-c", "/usr/bin/true && echo done"]);
        target.held(&list(), &["exec", "/bin/sh", "-c", "echo done"]);
    });
}

/// 59
#[test]
fn a_script_does_not_start_what_is_not_listed() {
    each_host(|host| {
        let target = workspace(host);
        let place = target.path("work/out/script");
        for interpreter in [UNLISTED, LISTED, "/bin/sh"] {
            // A writable place starts nothing, whoever the interpreter is.
            target.held(&list(), &["exec-script", interpreter, &place]);
            target.held(&list(), &["exec-script", interpreter, "/tmp/script"]);
        }
        target.outside(&["exec-script", "/bin/sh", &place]);
    });
}

/// 59, in the list.
#[test]
fn a_listed_script_needs_its_interpreter_listed() {
    each_host(|host| {
        let target = workspace(host);
        for (name, interpreter) in [
            ("plain", UNLISTED),
            ("by-env", "/usr/bin/env id"),
            ("good", LISTED),
        ] {
            let path = target.path(&format!("work/{name}"));
            fs::write(&path, format!("#!{interpreter}\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        for name in ["plain", "by-env"] {
            let script = target.path(&format!("work/{name}"));
            let policy = Policy::new().read("**").spawn(&[&script, LISTED]);
            target.refused(&policy, &["exec", &script], "exec.spawn[0]");
        }
        let script = target.path("work/good");
        let policy = Policy::new().read("**").spawn(&[&script, LISTED]);
        target.allowed(&policy, &["exec", &script]);
        target.held(&list(), &["exec", &script]);
    });
}

/// 60
#[test]
fn where_nothing_may_be_started_there_are_threads_and_no_more() {
    each_host(|host| {
        let target = workspace(host);
        let held = target.held(&nothing(), &["fork", LISTED]);
        denied(&held, "syscall", "fork");
        let held = target.held(&nothing(), &["replace", LISTED]);
        denied(&held, "exec", LISTED);
        for policy in [nothing(), list()] {
            target.allowed(&policy, &["threads"]);
        }
        let allowed = target.allowed(&list(), &["fork", LISTED]);
        // Its flags cannot be looked at, so it is absent everywhere; nothing else is.
        assert!(
            allowed.stdout().ends_with("stopped: clone3 ENOSYS\n"),
            "{allowed}"
        );
    });
}

/// 61
#[test]
fn the_place_that_the_program_came_from_stays_empty() {
    each_host(|host| {
        let target = workspace(host);
        // With a list the kernel is reached, and finds nothing there.
        for (policy, error) in [(nothing(), "EACCES"), (list(), "EBADF")] {
            let held = target.held(&policy, &["top-descriptor", UNLISTED, TOP]);
            let told = format!("start {error}, start-high {error}");
            assert!(held.stdout().contains(&told), "{held}");
        }
        target.allowed(&list(), &["exec", LISTED]);
    });
}
