//! Protected paths: what no grant lets a child change, since something outside the sandbox would run it later.
//!
//! Attack 14 of the suite is the hook of git; the others are the same idea elsewhere.

use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use super::harness::{Outcome, Target, each_host};
use super::policy::Policy;

/// The paths that were moved aside, and where to.
fn moved(outcome: &Outcome) -> Vec<(&str, &str)> {
    let entries = outcome
        .data("quarantined")
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let text = |entry: &'_ Value, key: &str| entry.get(key).and_then(Value::as_str).is_some();
    assert!(
        entries
            .iter()
            .all(|entry| text(entry, "path") && text(entry, "movedTo")),
        "{outcome}"
    );
    entries
        .iter()
        .filter_map(|entry| Some((entry.get("path")?.as_str()?, entry.get("movedTo")?.as_str()?)))
        .collect()
}

/// Sees that what the child made at `path` is gone from there, kept elsewhere and told.
#[track_caller]
fn put_aside(target: &Target, outcome: &Outcome, path: &str) {
    let path = target.path(path);
    let moved = moved(outcome);
    let found = moved.iter().find(|(from, _)| *from == path);
    assert!(
        found.is_some_and(|(_, to)| std::fs::symlink_metadata(to).is_ok()),
        "{outcome}"
    );
    assert!(std::fs::symlink_metadata(path).is_err(), "still there: {outcome}");
}

/// 14
#[test]
fn a_hook_of_git_cannot_be_planted() {
    each_host(|host| {
        let target = Target::new(host)
            .file("work/.git/hooks/pre-commit.sample", "")
            .file("work/.git/config", "[core]\n")
            .file("work/.git/HEAD", "ref: refs/heads/main\n");
        let policy = Policy::new().write("**");
        let path = |name: &str| target.path(name);
        let hook = path("work/.git/hooks/post-checkout");
        target.held(&policy, &["plant", &hook]);
        target.held(&policy, &["change-file", &path("work/.git/config")]);
        target.held(
            &policy,
            &["plant-beside", &path("work/.git"), &path("work/.g2"), &hook],
        );
        target.held(
            &policy,
            &[
                "plant-beside",
                &path("work/.git/hooks"),
                &path("work/.git/h2"),
                &hook,
            ],
        );
        target.held(
            &policy,
            &["exchange", &path("work/.git/config"), &path("work/.git/HEAD")],
        );
        assert_eq!(target.text("work/.git/hooks/post-checkout"), None);
        assert_eq!(target.text("work/.git/config").as_deref(), Some("[core]\n"));
        target.allowed(
            &policy,
            &["write", &path("work/.git/HEAD"), "ref: refs/heads/topic\n"],
        );
        target.allowed(&policy, &["plant", &path("work/scripts/hook")]);
    });
}

/// 14: the grant does not reach the hooks at all.
#[test]
fn a_hook_of_git_cannot_be_planted_outside_the_grant() {
    each_host(|host| {
        let target = Target::new(host)
            .file("work/.git/hooks/sample", "")
            .file("work/src/main", "");
        let policy = Policy::new().read("**").write("src/**");
        target.held(&policy, &["plant", &target.path("work/.git/hooks/post-checkout")]);
        target.held(
            &policy,
            &["rename", &target.path("work/.git"), &target.path("work/src/git")],
        );
        target.allowed(&policy, &["plant", &target.path("work/src/hook")]);
        assert_eq!(target.text("work/.git/hooks/post-checkout"), None);
    });
}

/// 14: where there were no hooks, or no git at all, what is planted does not stay.
#[test]
fn a_hook_of_git_that_is_new_is_moved_aside() {
    each_host(|host| {
        for before in ["work/.git/HEAD", "work/readme"] {
            let target = Target::new(host).file(before, "");
            let policy = Policy::new().write("**");
            let planted = target.attack(&policy, &["plant", &target.path("work/.git/hooks/post-checkout")]);
            assert_eq!(planted.exit(), Some(1), "{planted}");
            put_aside(&target, &planted, "work/.git/hooks");
            let beside = target.attack(&policy, &["plant", &target.path("work/src/hook")]);
            assert_eq!(moved(&beside), [], "{beside}");
            assert!(target.text("work/src/hook").is_some());
        }
    });
}

/// 14: git follows these files to another directory of settings and hooks.
#[test]
fn git_cannot_be_led_to_other_hooks() {
    each_host(|host| {
        let policy = Policy::new().write("**");
        let target = Target::new(host)
            .file("work/.git/HEAD", "")
            .file("work/.git/config", "");
        let wrote = target.attack(
            &policy,
            &["write", &target.path("work/.git/commondir"), "../evil"],
        );
        put_aside(&target, &wrote, "work/.git/commondir");

        // Nothing there yet: a file, a link, and a link to where nothing is yet, which the next run could fill.
        let target = Target::new(host)
            .file("work/evil/hooks/post-checkout", "")
            .file("work/readme", "");
        let git = target.path("work/.git");
        let evil = [target.path("work/evil"), target.path("work/later")];
        for attack in [
            ["write", "gitdir: evil", &git],
            ["link-to", &evil[0], &git],
            ["link-to", &evil[1], &git],
        ] {
            let [act, to, git] = attack;
            let words = if act == "write" {
                [act, git, to]
            } else {
                [act, to, git]
            };
            let made = target.attack(&policy, &words);
            assert_eq!(made.exit(), Some(1), "{made}");
            assert!(!moved(&made).is_empty(), "{made}");
            assert!(std::fs::symlink_metadata(git).is_err(), "still there: {made}");
        }
        assert!(target.text("work/evil/hooks/post-checkout").is_some());

        // A directory by itself makes nothing run.
        let made = target.allowed(&policy, &["plant", &target.path("work/.git/objects/x")]);
        assert_eq!(moved(&made), [], "{made}");
    });
}

/// 14: in a linked worktree and in a submodule `.git` is a file.
#[test]
fn a_worktree_cannot_be_led_to_another_git_directory() {
    each_host(|host| {
        let target = Target::new(host)
            .file("work/.git", "gitdir: ../real\n")
            .file("work/readme", "plain");
        let policy = Policy::new().write("**");
        let path = |name: &str| target.path(name);
        target.held(&policy, &["change-file", &path("work/.git")]);
        target.held(&policy, &["truncate", &path("work/.git")]);
        target.held(&policy, &["rename", &path("work/readme"), &path("work/.git")]);
        target.held(
            &policy,
            &[
                "plant-beside",
                &path("work/.git"),
                &path("work/.g2"),
                &path("work/.git/hooks/x"),
            ],
        );
        let left = target.allowed(&policy, &["write", &path("work/readme"), "x"]);
        assert_eq!(moved(&left), [], "{left}");
        assert_eq!(target.text("work/.git").as_deref(), Some("gitdir: ../real\n"));
    });
}

/// 14: a git directory that its owner put elsewhere and linked.
#[test]
fn a_linked_git_directory_is_protected_where_it_is() {
    each_host(|host| {
        let target = Target::new(host)
            .file("work/store/config", "[core]\n")
            .link("work/.git", "store");
        let policy = Policy::new().write("**");
        target.held(&policy, &["change-file", &target.path("work/store/config")]);
        for name in ["work/store/hooks/post-checkout", "work/store/commondir"] {
            let planted = target.attack(&policy, &["plant", &target.path(name)]);
            assert_eq!(planted.exit(), Some(1), "{planted}");
            assert!(
                !moved(&planted).is_empty() && target.text(name).is_none(),
                "{planted}"
            );
        }
        target.allowed(&policy, &["write", &target.path("work/store/HEAD"), "x"]);
    });
}

#[test]
fn a_start_up_file_cannot_be_changed() {
    each_host(|host| {
        let target = Target::new(host)
            .file("home/.bashrc", "# mine\n")
            .file("home/.config/fish/config.fish", "# mine\n")
            .file("home/notes", "plain");
        let policy = Policy::new().write("~/**");
        let path = |name: &str| target.path(name);
        for name in ["home/.bashrc", "home/.config/fish/config.fish"] {
            target.held(&policy, &["change-file", &path(name)]);
            target.held(&policy, &["truncate", &path(name)]);
            target.held(&policy, &["rename", &path("home/notes"), &path(name)]);
            target.held(&policy, &["rename", &path(name), &path("home/aside")]);
            assert_eq!(target.text(name).as_deref(), Some("# mine\n"));
        }
        target.held(&policy, &["plant", &path("home/.config/fish/conf.d/new.fish")]);
        target.held(&policy, &["rename", &path("home/.config"), &path("home/aside")]);
        target.allowed(&policy, &["read", &path("home/.bashrc")]);
        let open = target.allowed(&policy, &["change-file", &path("home/notes")]);
        assert!(!open.stdout().contains("stopped"), "{open}");
        target.refused(&Policy::new().write("~/.bashrc"), &["read", "/"], "fs.write[0]");
    });
}

#[test]
fn a_start_up_file_that_is_new_is_moved_aside() {
    each_host(|host| {
        let target = Target::new(host).file("home/notes", "plain");
        let policy = Policy::new().write("~/**");
        for name in [
            "home/.zshrc",
            "home/.config/autostart/evil.desktop",
            "home/.ssh/rc",
        ] {
            let planted = target.attack(&policy, &["plant", &target.path(name)]);
            assert_eq!(planted.exit(), Some(1), "{planted}");
            let protected = if name.contains("autostart") {
                "home/.config/autostart"
            } else {
                name
            };
            put_aside(&target, &planted, protected);
        }
        let linked = target.attack(
            &policy,
            &["link-to", &target.path("home/notes"), &target.path("home/.zshrc")],
        );
        put_aside(&target, &linked, "home/.zshrc");
        assert_eq!(target.text("home/notes").as_deref(), Some("plain"));
        let plain = target.allowed(&policy, &["write", &target.path("home/more"), "x"]);
        assert_eq!(moved(&plain), [], "{plain}");
    });
}

#[test]
fn a_start_up_file_that_is_a_symlink_cannot_be_changed() {
    each_host(|host| {
        let target = Target::new(host)
            .file("home/dotfiles/bashrc", "# mine\n")
            .file("home/dotfiles/readme", "plain")
            .link("home/.bashrc", "dotfiles/bashrc");
        let policy = Policy::new().write("~/**");
        let path = |name: &str| target.path(name);
        for name in ["home/.bashrc", "home/dotfiles/bashrc"] {
            target.held(&policy, &["change-file", &path(name)]);
            target.held(&policy, &["truncate", &path(name)]);
        }
        target.held(&policy, &["rename", &path("home/dotfiles"), &path("home/aside")]);
        target.held(
            &policy,
            &[
                "rename",
                &path("home/dotfiles/readme"),
                &path("home/dotfiles/bashrc"),
            ],
        );
        let replaced = target.attack(&policy, &["replace-link", &path("home/.bashrc"), "echo owned"]);
        let moved = moved(&replaced);
        assert_eq!(
            moved.first().map(|(from, _)| *from),
            Some(path("home/.bashrc").as_str()),
            "{replaced}"
        );
        assert_eq!(
            target.text("home/.bashrc").as_deref(),
            Some("# mine\n"),
            "{replaced}"
        );
        let link = std::fs::read_link(path("home/.bashrc")).unwrap();
        assert_eq!(link.to_str(), Some("dotfiles/bashrc"));
        target.allowed(&policy, &["write", &path("home/dotfiles/readme"), "x"]);
    });
}

#[test]
fn argrails_own_files_are_out_of_reach() {
    each_host(|host| {
        let target = Target::new(host)
            .file("config/agent-tools/config.json", "{}")
            .file("config/other/settings", "plain")
            .file("state/argrail/audit/record", "{}");
        let policy = Policy::new().write(&target.path("**"));
        for name in ["config/agent-tools/config.json", "state/argrail/audit/record"] {
            target.held(&policy, &["read", &target.path(name)]);
            target.held(&policy, &["change-file", &target.path(name)]);
            target.held(&policy, &["write", &target.path(name), "evil"]);
            assert_eq!(target.text(name).as_deref(), Some("{}"));
        }
        let (config, aside) = (target.path("config/agent-tools"), target.path("config/aside"));
        target.held(&policy, &["rename", &config, &aside]);
        target.held(&policy, &["rename", &target.path("config"), &aside]);
        target.allowed(&policy, &["read", &target.path("config/other/settings")]);
        target.allowed(&policy, &["write", &target.path("config/other/settings"), "x"]);
    });
}

#[test]
fn argrails_own_files_are_out_of_reach_behind_a_symlink_too() {
    each_host(|host| {
        let target = Target::new(host)
            .file("home/dotfiles/agent-tools/config.json", "{}")
            .file("home/dotfiles/readme", "plain")
            .link("home/.config", "dotfiles")
            .link("config/agent-tools", "../home/dotfiles/agent-tools");
        let names = [
            "config/agent-tools/config.json",
            "home/dotfiles/agent-tools/config.json",
        ];
        for policy in [
            Policy::new().read(&target.path("**")),
            Policy::new().write(&target.path("**")),
        ] {
            for name in names {
                target.held(&policy, &["read", &target.path(name)]);
                target.held(&policy, &["write", &target.path(name), "evil"]);
            }
            target.allowed(&policy, &["read", &target.path("home/dotfiles/readme")]);
        }
        assert_eq!(
            target.text("home/dotfiles/agent-tools/config.json").as_deref(),
            Some("{}")
        );
    });
}

#[test]
fn no_program_can_be_put_where_programs_are_looked_for() {
    each_host(|host| {
        let target = Target::new(host)
            .file("bin/tool", "#!/bin/sh\n")
            .directory("elsewhere");
        let policy = Policy::new().write(&target.path("**"));
        target.held(&policy, &["plant", &target.path("bin/git")]);
        target.held(&policy, &["change-file", &target.path("bin/tool")]);
        target.held(&policy, &["rename", &target.path("bin"), &target.path("aside")]);
        target.held(
            &policy,
            &["exchange", &target.path("bin"), &target.path("elsewhere")],
        );
        target.allowed(&policy, &["plant", &target.path("elsewhere/git")]);
        assert_eq!(target.text("bin/git"), None);
    });
}

/// What was made cannot be kept by closing the way to it, nor by opening that again in the next run.
#[test]
fn a_closed_directory_hides_nothing_that_was_made() {
    each_host(|host| {
        for mode in ["000", "111", "555"] {
            let target = Target::new(host).file("work/note", "hello");
            let policy = Policy::new()
                .write("**")
                .spawn(&["/usr/bin/mkdir", "/usr/bin/chmod"]);
            let script =
                format!("mkdir -p .git/hooks && echo evil > .git/hooks/pre-commit && chmod {mode} .git");
            let outcome = target.run(&policy, &["/bin/sh", "-c", &script]);
            put_aside(&target, &outcome, "work/.git/hooks");
        }
        let target = Target::new(host).file("work/.git/HEAD", "ref: refs/heads/main\n");
        let directory = target.home().root().join("work/.git");
        std::fs::set_permissions(&directory, std::fs::Permissions::from_mode(0o000)).unwrap();
        let policy = Policy::new()
            .write("**")
            .spawn(&["/usr/bin/mkdir", "/usr/bin/chmod"]);
        let script = "chmod 755 .git; mkdir .git/hooks && echo evil > .git/hooks/pre-commit";
        let outcome = target.run(&policy, &["/bin/sh", "-c", script]);
        std::fs::set_permissions(&directory, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(target.text("work/.git/hooks/pre-commit"), None, "{outcome}");
    });
}

/// A directory with a `HEAD` and two directories is a repository without `.git`, and its `config` is git's.
#[test]
fn the_workspace_cannot_be_made_a_repository() {
    each_host(|host| {
        let target = Target::new(host).file("work/note", "hello");
        let policy = Policy::new().write("**").spawn(&["/usr/bin/mkdir"]);
        let script = "mkdir objects refs && echo 'ref: refs/heads/main' > HEAD && echo '[core]' > config";
        let outcome = target.run(&policy, &["/bin/sh", "-c", script]);
        put_aside(&target, &outcome, "work/HEAD");
    });
}

/// Whoever made it cannot keep it by never ending: an interrupted run is looked at too.
#[test]
fn what_was_made_is_moved_aside_when_somebody_interrupts() {
    each_host(|host| {
        let target = Target::new(host).file("work/note", "hello");
        let policy = Policy::new()
            .write("**")
            .spawn(&["/usr/bin/mkdir", "/usr/bin/sleep"]);
        let ready = target.path("work/ready");
        rustix::fs::mkfifoat(rustix::fs::CWD, &ready, rustix::fs::Mode::RWXU).unwrap();
        let script = "mkdir -p .git/hooks && echo evil > .git/hooks/pre-commit; echo made > ready; sleep 600";
        let child = target.spawn(&policy, &["/bin/sh", "-c", script]);
        assert_eq!(std::fs::read_to_string(ready).unwrap(), "made\n");
        child.terminate();
        let run = child.finish();
        assert_eq!(run.exit, Some(130), "{run}");
        assert_eq!(target.text("work/.git/hooks/pre-commit"), None, "{run}");
    });
}
