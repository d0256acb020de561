//! Protected paths: what no grant lets a child change, since something outside the sandbox would run it later.
//!
//! What git runs is in [`repositories`](super::repositories); this is the same idea elsewhere.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use argrail_sandbox::policy::{Guard, Protected};
use serde_json::Value;

use super::harness::{Outcome, Target, each_host};
use super::policy::Policy;

/// The paths that were moved aside, and where to.
pub(super) fn moved(outcome: &Outcome) -> Vec<(&str, &str)> {
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
pub(super) fn put_aside(target: &Target, outcome: &Outcome, path: &str) {
    let path = target.path(path);
    let moved = moved(outcome);
    let found = moved.iter().find(|(from, _)| *from == path);
    assert!(
        found.is_some_and(|(_, to)| std::fs::symlink_metadata(to).is_ok()),
        "{outcome}"
    );
    assert!(std::fs::symlink_metadata(path).is_err(), "still there: {outcome}");
}

/// Everything on the list, as it is there and as it is not.
#[test]
fn nothing_on_the_list_can_be_written() {
    each_host(|host| {
        let bare = Target::new(host);
        let root = bare.home().root().to_owned();
        let listed = |root: &Path| -> Vec<PathBuf> {
            let protected = Protected::standard(&root.join("home"), &root.join("work"));
            let fixed = protected.iter().filter(|(_, guard, _)| *guard == Guard::Fixed);
            let paths = fixed.map(|(path, ..)| path).filter(|path| path.starts_with(root));
            paths.collect()
        };
        let policy = Policy::new()
            .write("**")
            .write("~/**")
            .spawn(&["/usr/bin/mkdir", "/usr/bin/dirname"]);
        let script = |paths: &[PathBuf]| -> String {
            let lines = paths.iter().map(|path| {
                let path = path.display();
                format!("mkdir -p \"$(dirname '{path}')\"; echo evil > '{path}' && echo '{path}'\n")
            });
            lines.collect()
        };
        let paths = listed(&root);
        assert!(paths.len() > 250, "{}", paths.len());
        let planted = bare.run(&policy, &["/bin/sh", "-c", &script(&paths)]);
        for path in &paths {
            assert!(path.symlink_metadata().is_err(), "{path:?} is left: {planted}");
        }
        assert!(planted.stdout().lines().count() > 250, "{planted}");

        let there = Target::new(host);
        let root = there.home().root().to_owned();
        let paths = listed(&root);
        let there = paths.iter().fold(there, |target, path| {
            let relative = path.strip_prefix(&root).unwrap().to_str().unwrap();
            target.file(relative, if relative.ends_with("config") { "" } else { "mine" })
        });
        let changed = there.run(&policy, &["/bin/sh", "-c", &script(&paths)]);
        assert_eq!(changed.stdout(), "", "{changed}");
        assert_eq!(moved(&changed), [], "{changed}");
        for path in &paths {
            assert!(std::fs::read_to_string(path).unwrap() != "evil\n", "{path:?}");
        }
    });
}

/// A package of a larger project is entered and opened as a workspace is.
#[test]
fn settings_that_are_new_in_a_directory_below_are_moved_aside() {
    each_host(|host| {
        let target = Target::new(host)
            .file("work/sub/readme", "")
            .file("work/other/.envrc", "mine");
        let policy = Policy::new().write("**").spawn(&["/usr/bin/mkdir"]);
        for (name, protected) in [
            ("sub/.vscode/tasks.json", "sub/.vscode"),
            ("sub/.mcp.json", "sub/.mcp.json"),
            ("sub/.claude/settings.json", "sub/.claude"),
            ("sub/.envrc", "sub/.envrc"),
            ("new/deep/mise.toml", "new/deep/mise.toml"),
            ("sub/.cargo/config.toml", "sub/.cargo/config.toml"),
            ("sub/lefthook.yaml", "sub/lefthook.yaml"),
        ] {
            let planted = target.attack(&policy, &["plant", &target.path(&format!("work/{name}"))]);
            put_aside(&target, &planted, &format!("work/{protected}"));
        }
        for name in ["sub/.gitignore", "sub/src/main", "other/.envrc.example"] {
            let name = format!("work/{name}");
            let wrote = target.allowed(&policy, &["plant", &target.path(&name)]);
            assert_eq!(moved(&wrote), [], "{wrote}");
            assert!(target.text(&name).is_some(), "{name}");
        }
        assert_eq!(target.text("work/other/.envrc").as_deref(), Some("mine"));
    });
}

/// What agents obey is no setting, and neither is a project's own code.
#[test]
fn instructions_and_the_projects_own_files_are_not_protected() {
    each_host(|host| {
        let target = Target::new(host).file("work/.cursor/mcp.json", "{}");
        let policy = Policy::new().write("**");
        for name in [
            "CLAUDE.md",
            "AGENTS.md",
            ".cursor/rules/x.mdc",
            ".clinerules",
            ".github/copilot-instructions.md",
            ".github/workflows/ci.yml",
            ".windsurf/rules/x.md",
            "Makefile",
            "package.json",
            ".npmrc",
            ".yarnrc.yml",
            ".pnp.cjs",
            ".env",
            ".venv/pyvenv.cfg",
            ".python-version",
            "sitecustomize.py",
        ] {
            let name = format!("work/{name}");
            let wrote = target.allowed(&policy, &["plant", &target.path(&name)]);
            assert_eq!(moved(&wrote), [], "{wrote}");
            assert!(target.text(&name).is_some(), "{name}");
        }
        // A file of instructions that is there in the place of a directory is one as well.
        target.allowed(&policy, &["write", &target.path("work/.clinerules"), "more"]);
        target.held(&policy, &["change-file", &target.path("work/.cursor/mcp.json")]);
    });
}

/// On some file systems they are the same name, so they are to a policy on all of them.
#[test]
fn a_protected_name_is_not_granted_in_other_letters() {
    each_host(|host| {
        let target = Target::new(host).file("work/.git/config", "[core]\n");
        for name in [".GIT/hooks/**", ".Git/Config", "~/.BASHRC", ".MCP.json"] {
            let target = match name.strip_suffix("/**") {
                Some(_) => Target::new(host).directory("work/.GIT/hooks"),
                None => Target::new(host)
                    .file("work/.Git/Config", "")
                    .file("home/.BASHRC", "")
                    .file("work/.MCP.json", ""),
            };
            target.refused(&Policy::new().write(name), &["read", "/"], "fs.write[0]");
        }
        target.allowed(
            &Policy::new().write("**"),
            &["write", &target.path("work/x.mcp.json"), "x"],
        );
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
            let protected = match name {
                "home/.config/autostart/evil.desktop" => "home/.config/autostart",
                "home/.ssh/rc" => "home/.ssh",
                name => name,
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
