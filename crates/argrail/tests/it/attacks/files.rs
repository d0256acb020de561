//! Files: reading and changing what was not granted, by every name it has.
//!
//! The number above a test is that of the attack in the suite.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, lchown};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rustix::fs::{CWD, RenameFlags, renameat_with};

use super::harness::{Host, Target, each_host};
use super::policy::Policy;

/// A workspace with a secret that is denied and a note that is not.
fn workspace(host: Host) -> Target {
    Target::new(host)
        .file("work/secret/key", "hunter2")
        .file("work/deep/down/secret/key", "hunter2")
        .file("work/open/note", "hello")
}

/// Everything in the workspace may be written, but for the secrets.
fn all_but_secrets() -> Policy {
    Policy::new()
        .write("**")
        .deny("secret/**")
        .deny("deep/down/secret/**")
}

/// 1
#[test]
fn a_denied_file_cannot_be_read() {
    each_host(|host| {
        let target = workspace(host).file("outside", "hunter2");
        let reads = Policy::new()
            .read("**")
            .deny("secret/**")
            .deny("deep/down/secret/key");
        for policy in [&reads, &all_but_secrets()] {
            for secret in ["work/secret/key", "work/deep/down/secret/key", "outside"] {
                let held = target.held(policy, &["read", &target.path(secret)]);
                assert!(
                    held.stdout().contains("EACCES") || held.stdout().contains("ENOENT"),
                    "{held}"
                );
            }
            target.held(policy, &["list", &target.path("work/secret")]);
            target.allowed(policy, &["read", &target.path("work/open/note")]);
        }
        target.outside(&["read", &target.path("work/secret/key")]);
    });
}

/// 2
#[test]
fn a_symlink_does_not_lead_to_what_is_denied() {
    each_host(|host| {
        let target = workspace(host)
            .link("work/alias", "secret")
            .link("work/friend", "open");
        let target = target.file("outside", "hunter2");
        let policy = all_but_secrets();
        let link = target.path("work/open/link");
        for secret in ["work/secret/key", "outside"] {
            target.held(&policy, &["read-through-link", &target.path(secret), &link]);
        }
        target.held(&policy, &["read", &target.path("work/alias/key")]);
        let open = target.allowed(
            &policy,
            &["read-through-link", &target.path("work/open/note"), &link],
        );
        assert!(!open.stdout().contains("stopped"), "{open}");
        target.allowed(&policy, &["read", &target.path("work/friend/note")]);
    });
}

/// 3
#[test]
fn links_of_the_kernel_lead_to_the_sandbox_only() {
    each_host(|host| {
        let target = workspace(host).file("outside", "hunter2");
        let policy = all_but_secrets();
        for secret in ["work/secret/key", "outside"] {
            target.held(&policy, &["read-by-proc", &target.path(secret)]);
        }
        let open = target.allowed(&policy, &["read-by-proc", &target.path("work/open/note")]);
        assert!(open.stdout().contains("/proc/self/root"), "{open}");
    });
}

/// 4
#[test]
fn a_denied_directory_cannot_be_renamed_and_read() {
    each_host(|host| {
        let target = workspace(host);
        let policy = all_but_secrets();
        let aside = target.path("work/aside");
        let from = |name: &str| target.path(name);
        target.held(&policy, &["rename-and-read", &from("work/secret"), &aside, "key"]);
        target.held(
            &policy,
            &["rename-and-read", &from("work/deep"), &aside, "down/secret/key"],
        );
        target.held(
            &policy,
            &["rename-and-read", &from("work/deep/down"), &aside, "secret/key"],
        );
        target.held(&policy, &["exchange", &from("work/secret"), &from("work/open")]);
        assert_eq!(
            target.text("work/deep/down/secret/key").as_deref(),
            Some("hunter2")
        );
        target.allowed(&policy, &["rename-and-read", &from("work/open"), &aside, "note"]);
    });
}

/// 5
#[test]
fn nothing_can_be_renamed_onto_a_denied_path() {
    each_host(|host| {
        let target = workspace(host)
            .file("work/settings", "good")
            .file("work/mine", "evil")
            .file("work/other", "plain")
            .directory("work/folder");
        let policy = all_but_secrets().deny("settings");
        let path = |name: &str| target.path(name);
        target.held(&policy, &["rename", &path("work/mine"), &path("work/settings")]);
        target.held(&policy, &["exchange", &path("work/mine"), &path("work/settings")]);
        target.held(&policy, &["rename", &path("work/mine"), &path("work/secret/key")]);
        target.held(&policy, &["rename", &path("work/folder"), &path("work/secret")]);
        target.held(
            &policy,
            &["hard-link", &path("work/settings"), &path("work/twin")],
        );
        assert_eq!(target.text("work/settings").as_deref(), Some("good"));
        assert_eq!(target.text("work/secret/key").as_deref(), Some("hunter2"));
        target.allowed(&policy, &["rename", &path("work/mine"), &path("work/other")]);
        assert_eq!(target.text("work/other").as_deref(), Some("evil"));
    });
}

/// 6
#[test]
fn a_denied_path_that_the_child_could_create_is_refused() {
    each_host(|host| {
        let target = workspace(host);
        let note = target.path("work/open/note");
        for absent in ["absent", "absent/**", "open/absent/deeper/**", "*.pem"] {
            let policy = Policy::new().write("**").deny("secret/**").deny(absent);
            target.refused(&policy, &["read", &note], "fs.deny[1]");
        }
        // Where nothing can be created, there is nothing to refuse.
        let policy = Policy::new().read("**").deny("absent/**").deny("*.pem");
        target.allowed(&policy, &["read", &note]);
        target.held(&policy, &["write", &target.path("work/absent"), "x"]);
    });
}

/// 7
#[test]
fn a_denied_file_with_a_second_name_is_refused() {
    each_host(|host| {
        let target = workspace(host).file("work/letter", "hunter2");
        for (file, twin) in [
            ("work/letter", "work/twin"),
            ("work/secret/key", "work/open/twin"),
        ] {
            fs::hard_link(target.path(file), target.path(twin)).unwrap();
        }
        let note = target.path("work/open/note");
        for denied in ["letter", "secret/**"] {
            for policy in [Policy::new().read("**"), Policy::new().write("**")] {
                target.refused(&policy.deny(denied), &["read", &note], "fs.deny[0]");
            }
        }
        let policy = Policy::new().write("**").deny("deep/down/secret/**");
        target.allowed(&policy, &["read", &note]);
    });
}

/// How often a launch is raced.
const LAUNCHES: usize = 50;

/// 8
#[test]
fn a_symlink_swapped_in_during_the_launch_shows_nothing() {
    each_host(|host| {
        // The directory itself is swapped, and one above it.
        for (granted, swapped) in [("work/data", "work/data"), ("work/upper/data", "work/upper")] {
            let target = Target::new(host)
                .file(&format!("{granted}/file"), "hello")
                .file("vault/file", "hunter2")
                .file("vault/data/file", "hunter2");
            let vault = target.path("vault");
            let target = target.link("work/trap", vault);
            let policy = Policy::new().read(&format!("{}/**", target.path(granted)));
            let file = target.path(&format!("{granted}/file"));
            target.allowed(&policy, &["read", &file]);
            let (one, other) = (target.path(swapped), target.path("work/trap"));
            let over = AtomicBool::new(false);
            thread::scope(|scope| {
                let swapper = scope.spawn(|| {
                    while !over.load(Ordering::Relaxed) {
                        renameat_with(CWD, &one, CWD, &other, RenameFlags::EXCHANGE).unwrap();
                    }
                });
                // The thread is told to end before a failure is shown, or the scope would wait for it for ever.
                let leak = (0..LAUNCHES).find_map(|_| {
                    let outcome = target.attack_as_is(&policy, &["read", &file]);
                    outcome
                        .run
                        .stdout
                        .contains("hunter2")
                        .then(|| outcome.to_string())
                });
                over.store(true, Ordering::Relaxed);
                swapper.join().unwrap();
                assert_eq!(leak, None);
            });
        }
    });
}

/// 9
#[test]
fn a_grant_to_read_is_none_to_write() {
    each_host(|host| {
        let target = Target::new(host);
        let target = ["read", "write"].into_iter().fold(target, |target, name| {
            ["file", "old", "older"].into_iter().fold(target, |target, file| {
                target.file(&format!("work/{name}/{file}"), "as it was")
            })
        });
        let policy = Policy::new().read("**").write("write/**");
        target.held(&policy, &["change-file", &target.path("work/read/file")]);
        target.held(&policy, &["change-directory", &target.path("work/read")]);
        target.held(
            &policy,
            &[
                "rename",
                &target.path("work/read/file"),
                &target.path("work/write/file"),
            ],
        );
        target.held(
            &policy,
            &[
                "hard-link",
                &target.path("work/read/file"),
                &target.path("work/write/twin"),
            ],
        );
        assert_eq!(target.text("work/read/file").as_deref(), Some("as it was"));
        for attack in ["change-file", "change-directory"] {
            let path = if attack == "change-file" {
                "work/write/file"
            } else {
                "work/write"
            };
            let open = target.allowed(&policy, &[attack, &target.path(path)]);
            assert!(!open.stdout().contains("stopped"), "{open}");
        }
    });
}

/// 10
#[test]
fn a_file_that_may_be_read_cannot_be_truncated() {
    each_host(|host| {
        let target = Target::new(host)
            .file("work/read", "as it was")
            .file("work/write", "as it was");
        let policy = Policy::new().read("**").write("write");
        target.held(&policy, &["truncate", &target.path("work/read")]);
        assert_eq!(target.text("work/read").as_deref(), Some("as it was"));
        let open = target.allowed(&policy, &["truncate", &target.path("work/write")]);
        assert!(!open.stdout().contains("stopped"), "{open}");
        assert_eq!(target.text("work/write").as_deref(), Some(""));
    });
}

/// 11
#[test]
fn no_device_can_be_made() {
    each_host(|host| {
        let target = Target::new(host);
        let policy = Policy::new().write("**");
        for path in [
            target.path("work/device"),
            "/tmp/device".to_owned(),
            "/dev/shm/device".to_owned(),
        ] {
            target.held(&policy, &["make-device", &path]);
            target.allowed(&policy, &["make-pipe", &path]);
        }
        if host == Host::Root {
            target.outside(&["make-device", &target.path("device")]);
        }
    });
}

/// 12
#[test]
fn no_file_can_be_opened_by_its_handle() {
    each_host(|host| {
        let target = Target::new(host)
            .file("secret", "hunter2")
            .file("work/note", "hello");
        let policy = Policy::new().read("**");
        let told = target.outside(&["handle-of", &target.path("secret")]);
        let handle = told.stdout.trim().trim_start_matches("ESCAPED: ").to_owned();
        let place = target.path("work/note");
        target.held(&policy, &["open-by-handle", &place, &handle]);
        target.held(&policy, &["handle-of", &place]);
        target.allowed(&policy, &["read", &place]);
        if host == Host::Root {
            let read = target.outside(&["open-by-handle", &place, &handle]);
            assert!(read.stdout.contains("hunter2"), "{read}");
        }
    });
}

/// 13
#[test]
fn nothing_can_be_mounted_or_unmounted() {
    each_host(|host| {
        let target = workspace(host);
        let policy = all_but_secrets();
        for place in ["work/open", "work/secret"] {
            target.held(&policy, &["mount", &target.path(place)]);
            target.held(&policy, &["mount-in-own-namespace", &target.path(place)]);
        }
        target.outside(&["mount-in-own-namespace", &target.path("work/open")]);
        target.allowed(&policy, &["read", &target.path("work/open/note")]);
    });
}

/// 15
#[test]
fn the_machines_temporary_directory_is_not_the_childs() {
    each_host(|host| {
        let target = Target::new(host).file("work/note", "hello");
        let own = format!("/tmp/argrail-attack-{}-{host:?}", std::process::id());
        fs::write(&own, "hunter2").unwrap();
        let policy = Policy::new().read("**");
        let held = target.attack(&policy, &["read", &own]);
        let listed = target.attack(&policy, &["list", "/tmp"]);
        let wrote = target.attack(&policy, &["write", &own, "changed"]);
        let text = fs::read_to_string(&own).unwrap();
        fs::remove_file(&own).unwrap();
        assert_eq!(held.stdout(), "blocked: ENOENT\n", "{held}");
        // The way to the workspace, which is granted, and nothing else.
        let root = target.home().root().file_name().unwrap().to_str().unwrap();
        let expected = if target.path("work").starts_with("/tmp/") {
            root
        } else {
            ""
        };
        assert_eq!(
            listed.stdout().trim_end(),
            format!("ESCAPED: {expected}").trim_end(),
            "{listed}"
        );
        assert_eq!(wrote.exit(), Some(1), "its own may be written: {wrote}");
        assert_eq!(text, "hunter2");
        target.allowed(&policy, &["read", &target.path("work/note")]);
    });
}

/// 15: homes of tests lie in the machine's temporary directory, where the child has one of its own.
#[test]
fn a_write_beside_what_is_granted_fails_and_is_named() {
    each_host(|host| {
        let target = Target::new(host)
            .file("work/sub/note", "hello")
            .file("work/note", "mine");
        let path = |name: &str| target.path(name);
        let grants = [
            Policy::new().write("sub/**"),
            Policy::new().read("**").write("sub/**"),
            Policy::new().read("sub/note"),
            Policy::new(),
        ];
        for policy in &grants {
            for name in ["beside", "home/new", "work/new", "work/note", "work/a/b"] {
                target.held(policy, &["write", &path(name), "lost"]);
                target.held(policy, &["plant", &path(name)]);
            }
            target.held(policy, &["rename", &path("work"), &path("w2")]);
            // Its own place is still one, whatever the way to what is granted looks like.
            target.allowed(policy, &["write", "/tmp/argrail-own", "x"]);
            target.allowed(policy, &["plant", "/tmp/own/deep/file"]);
            target.allowed(policy, &["write", "/dev/shm/own", "x"]);
            target.held(policy, &["write", "/var/tmp/own", "x"]);
        }
        target.allowed(&grants[0], &["write", &path("work/sub/new"), "kept"]);
        assert_eq!(target.text("work/sub/new").as_deref(), Some("kept"));
        assert_eq!(target.text("work/note").as_deref(), Some("mine"));
        for policy in [grants[0].clone().spawn(&["/bin/sh"]), grants[0].clone()] {
            for (name, written) in [
                ("beside", path("beside")),
                ("beside", "../beside".to_owned()),
                ("home/new", path("home/new")),
                ("work/new", "new".to_owned()),
            ] {
                let script = format!("echo lost > {written}");
                let wrote = target.run(&policy, &["/bin/sh", "-c", &script]);
                assert_ne!(wrote.exit(), Some(0), "{wrote}");
                let denied = wrote.data("denials").as_array().unwrap();
                let named = denied
                    .iter()
                    .any(|denial| denial["target"] == path(name).as_str());
                assert!(named && denied.len() == 1, "{written}: {wrote}");
            }
        }
        // Whoever may only read is seen, whether it says something or not.
        let silent = target.attack(&Policy::new().read("**"), &["write", &path("beside"), "lost"]);
        assert_eq!(
            silent.data("denials")[0]["target"],
            path("beside").as_str(),
            "{silent}"
        );
        assert_eq!(target.text("beside"), None);
    });
}

/// Where the temporary directory itself is shown for reading, temporary files have another place.
#[test]
fn temporary_files_work_where_the_temporary_directory_is_shown() {
    each_host(|host| {
        let target = Target::new(host).file("work/note", "hello");
        let script = "echo x > $TMPDIR/own && read x < $TMPDIR/own && echo $TMPDIR";
        let run = |policy: &Policy| {
            let ran = target.run(policy, &["/bin/sh", "-c", script]);
            assert_eq!(ran.exit(), Some(0), "{ran}");
            ran.stdout().to_owned()
        };
        assert_eq!(run(&Policy::new().read("**")), "/tmp\n");
        assert_eq!(run(&Policy::new().read("/tmp/**")), "/dev/shm\n");
        target.held(
            &Policy::new().read("/tmp/**"),
            &["write", "/tmp/argrail-own", "x"],
        );
    });
}

#[test]
fn what_the_child_writes_belongs_to_the_owner_of_the_workspace() {
    each_host(|host| {
        let target = Target::new(host).file("work/file", "mine");
        let policy = Policy::new().write("**");
        target.allowed(&policy, &["write", &target.path("work/new"), "x"]);
        target.allowed(&policy, &["write", &target.path("work/file"), "x"]);
        target.allowed(&policy, &["plant", &target.path("work/folder/deep/program")]);
        for path in ["work/new", "work/file", "work/folder", "work/folder/deep/program"] {
            let meta = fs::metadata(target.path(path)).unwrap();
            assert_eq!(
                (meta.uid(), meta.gid()),
                (host.uid(), host.gid()),
                "{path} on {host:?}"
            );
        }
    });
}

#[test]
fn what_a_child_of_root_writes_belongs_to_the_user_whose_workspace_it_is() {
    const USER: u32 = 61_235;
    each_host(|host| {
        if host != Host::Root {
            return; // Nobody else could have somebody else's workspace.
        }
        let target = Target::new(host)
            .file("work/file", "mine")
            .file("work/private", "mine");
        for path in ["work", "work/file", "work/private"] {
            lchown(target.path(path), Some(USER), Some(USER)).unwrap();
        }
        fs::set_permissions(target.path("work/private"), fs::Permissions::from_mode(0o600)).unwrap();
        let policy = Policy::new().write("**");
        target.allowed(&policy, &["read", &target.path("work/private")]);
        target.allowed(&policy, &["write", &target.path("work/file"), "x"]);
        target.allowed(&policy, &["write", &target.path("work/new"), "x"]);
        for path in ["work/new", "work/file"] {
            let meta = fs::metadata(target.path(path)).unwrap();
            assert_eq!((meta.uid(), meta.gid()), (USER, USER), "{path}");
        }
    });
}
