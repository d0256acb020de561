//! Attack 14 of the suite: hooks and settings of git, wherever git finds them.

use super::harness::{Target, each_host};
use super::policy::Policy;
use super::protected::{moved, put_aside};

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

/// 14: hooks lie where the settings say.
#[test]
fn hooks_are_protected_where_git_finds_them() {
    each_host(|host| {
        let hooks = |value: &str| format!("[core]\n\thooksPath = {value}\n");
        for (file, text, directory) in [
            ("work/.git/config", hooks(".githooks"), "work/.githooks"),
            ("work/.git/config", hooks("./sub/../sub/hooks"), "work/sub/hooks"),
            ("work/.git/config", hooks("ROOT/work/hooks"), "work/hooks"),
            ("work/.git/config", hooks("~/hooks"), "home/hooks"),
            ("work/.git/config.worktree", hooks(".githooks"), "work/.githooks"),
            ("home/.gitconfig", hooks(".githooks"), "work/.githooks"),
            (".git/config", hooks("work/hooks"), "work/hooks"),
        ] {
            let target = Target::new(host).directory("work/.git");
            let text = text.replace("ROOT", &target.path(""));
            let policy = Policy::new().write("**").write("~/**");
            let hook = format!("{directory}/pre-commit");
            // Not there yet: what is made does not stay. There: nothing is made.
            let target = target.file(file, &text);
            let planted = target.attack(&policy, &["plant", &target.path(&hook)]);
            put_aside(&target, &planted, directory);
            let target = target.file(&format!("{directory}/commit-msg"), "mine");
            target.held(&policy, &["plant", &target.path(&hook)]);
            target.held(
                &policy,
                &["change-file", &target.path(&format!("{directory}/commit-msg"))],
            );
            target.held(
                &policy,
                &["rename", &target.path(directory), &target.path("work/aside")],
            );
            target.allowed(&policy, &["plant", &target.path("work/scripts/pre-commit")]);
            target.refused(
                &Policy::new().write(&format!("{}/**", target.path(directory))),
                &["read", "/"],
                "fs.write[0]",
            );
        }
    });
}

/// 14: a file that settings take in is settings, there or not; settings that nobody can read might say anything.
#[test]
fn what_settings_of_git_take_in_is_protected() {
    each_host(|host| {
        let target = Target::new(host)
            .file(
                "work/.git/config",
                "[include]\n\tpath = ../team.inc\n\tpath = ../own.inc\n",
            )
            .file("work/team.inc", "[core]\n\thooksPath = team-hooks\n")
            .file("work/team-hooks/pre-commit", "mine");
        let policy = Policy::new().write("**");
        let path = |name: &str| target.path(name);
        target.held(&policy, &["change-file", &path("work/team.inc")]);
        target.held(&policy, &["plant", &path("work/team-hooks/commit-msg")]);
        let planted = target.attack(&policy, &["write", &path("work/own.inc"), "[core]"]);
        put_aside(&target, &planted, "work/own.inc");

        for text in ["[core", &"x".repeat(2 << 20)] {
            let target = Target::new(host).file("work/.git/config", text);
            target.refused(&policy, &["read", "/"], "fs.write");
            target.allowed(
                &Policy::new().read("**"),
                &["read", &target.path("work/.git/config")],
            );
        }
    });
}

/// 14: submodules and linked worktrees have settings and hooks of their own, and so have repositories below.
#[test]
fn every_repository_of_a_workspace_is_protected() {
    each_host(|host| {
        let target = Target::new(host)
            .file("work/.git/config", "[core]\n")
            .file("work/.git/modules/a/modules/b/config", "[core]\n")
            .file("work/.git/worktrees/w/HEAD", "")
            .file("work/lib/deep/.git/config", "[core]\n")
            .file("work/lib/sub/.git", "gitdir: ../../.git/modules/a\n")
            .file("work/bare.git/HEAD", "")
            .file("work/bare.git/config", "[core]\n")
            .directory("work/bare.git/objects")
            .directory("work/bare.git/refs");
        let policy = Policy::new().write("**");
        let path = |name: &str| target.path(name);
        for name in [
            "work/.git/modules/a/modules/b/config",
            "work/lib/deep/.git/config",
            "work/lib/sub/.git",
            "work/bare.git/config",
        ] {
            target.held(&policy, &["change-file", &path(name)]);
        }
        for name in [
            "work/.git/modules/a/hooks/pre-commit",
            "work/.git/modules/new/config",
            "work/.git/worktrees/w/config.worktree",
        ] {
            target.held(&policy, &["plant", &path(name)]);
        }
        for (name, protected) in [
            ("work/.git/config.worktree", "work/.git/config.worktree"),
            ("work/lib/deep/.git/hooks/pre-commit", "work/lib/deep/.git/hooks"),
            ("work/bare.git/hooks/pre-receive", "work/bare.git/hooks"),
        ] {
            let planted = target.attack(&policy, &["plant", &path(name)]);
            put_aside(&target, &planted, protected);
        }
        target.allowed(&policy, &["write", &path("work/.git/index"), "x"]);
        target.allowed(&policy, &["plant", &path("work/lib/deep/src/config")]);
    });
}

/// Git writes what a project keeps in its history, and no settings of agents or editors.
#[test]
fn git_is_left_what_histories_hold() {
    each_host(|host| {
        let script = "#!/bin/sh\nfor f in .git/hooks/x .githooks/x .husky/x .cargo/config.toml .envrc .mcp.json .vscode/x; do\n\
                      echo new > $f && echo $f\ndone; :\n";
        let target = Target::new(host)
            .tool("git", script)
            .file("work/.git/config", "[core]\n\thooksPath = .githooks\n")
            .file("work/.mcp.json", "mine")
            .file("work/.vscode/x", "mine");
        let target = [".git/hooks", ".githooks", ".husky", ".cargo"]
            .iter()
            .fold(target, |target, name| target.directory(&format!("work/{name}")));
        let policy = Policy::new().write("**").spawn(&["/bin/sh"]);
        let ran = target.run(&policy, &["git"]);
        assert_eq!(
            ran.stdout(),
            ".git/hooks/x\n.githooks/x\n.husky/x\n.cargo/config.toml\n.envrc\n",
            "{ran}"
        );
        assert_eq!(moved(&ran), [], "{ran}");
        assert_eq!(target.text("work/.mcp.json").as_deref(), Some("mine"));
        assert_eq!(target.text("work/.vscode/x").as_deref(), Some("mine"));
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

/// 14: `git status` at the top asks a repository below, if the index says that there is one.
#[test]
fn a_new_repository_below_is_moved_aside() {
    each_host(|host| {
        let settings = "[core]\\n\\tfsmonitor = \\\"touch owned; false\\\"\\n";
        let script = format!(
            "#!/bin/sh\nmkdir -p x/.git deep/1/2/3/4/5/.git target/y/.git plain/.git\n\
             printf \"{settings}\" > x/.git/config\nprintf \"{settings}\" > target/y/.git/config\n\
             echo '[core]' > plain/.git/config; chmod 111 x\n"
        );
        let target = || {
            Target::new(host)
                .tool("git", &script)
                .tool("other", &script)
                .file("work/.git/HEAD", "ref: refs/heads/main\n")
                .file("work/.git/config", "[core]\n")
                .directory("work/target")
                .directory("work/deep/1/2/3/4/5")
        };
        let policy = Policy::new()
            .write("**")
            .spawn(&["/bin/sh", "/usr/bin/mkdir", "/usr/bin/chmod"]);
        let ours = target();
        let made = ours.run(&policy, &["other"]);
        for name in ["x", "deep/1/2/3/4/5", "target/y", "plain"] {
            put_aside(&ours, &made, &format!("work/{name}/.git"));
        }
        let gits = target();
        let made = gits.run(&policy, &["git"]);
        for name in ["x", "target/y"] {
            put_aside(&gits, &made, &format!("work/{name}/.git"));
        }
        assert_eq!(moved(&made).len(), 2, "{made}");
        assert_eq!(gits.text("work/plain/.git/config").as_deref(), Some("[core]\n"));
    });
}
