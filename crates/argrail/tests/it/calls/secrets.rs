//! Credentials in a home and what a call sees of them: code of the workspace sees none, and nobody sees one by naming it.
//!
//! The tools are stand-ins that try to open every file below; what they could open they say by its name. So what is
//! described in the catalogue is what is tested, with real files and a real sandbox.

use argrail_testkit::Run;
use serde_json::Value;

use super::ground::search_path;
use crate::attacks::harness::{Host, Target, each_host};

/// Files with credentials, as their tools keep them.
const SECRETS: &[&str] = &[
    ".ansible.cfg",
    ".ansible/galaxy_token",
    ".aws/config",
    ".aws/credentials",
    ".bundle/config",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".composer/auth.json",
    ".config/composer/auth.json",
    ".config/composer/config.json",
    ".config/gh/hosts.yml",
    ".config/git/credentials",
    ".config/go/env",
    ".config/pip/pip.conf",
    ".config/pypoetry/auth.toml",
    ".config/pypoetry/config.toml",
    ".config/rclone/rclone.conf",
    ".config/uv/uv.toml",
    ".docker/config.json",
    ".gem/credentials",
    ".git-credentials",
    ".gitconfig",
    ".gradle/gradle.properties",
    ".kube/config",
    ".local/share/gem/credentials",
    ".local/share/keyrings/login.keyring",
    ".local/share/uv/credentials/credentials.toml",
    ".m2/settings.xml",
    ".netrc",
    ".npmrc",
    ".pgpass",
    ".pulumi/credentials.json",
    ".skaffold/config",
    ".ssh/id_ed25519",
];

/// Files that are none, as the same tools keep them.
const HARMLESS: &[&str] = &[
    ".ansible/collections/c",
    ".cache/pypoetry/c",
    ".cargo/bin/c",
    ".cargo/registry/c",
    ".gem/ruby/c",
    ".rustup/settings.toml",
    "go/pkg/mod/c",
];

/// A home full of credentials, with a program of this name that tries to open all of them.
fn ground(host: Host, tools: &[&str]) -> Target {
    let target = Target::new(host);
    let files = SECRETS.iter().chain(HARMLESS);
    let target = files.fold(target, |target, file| {
        target.file(&format!("home/{file}"), "token = \"hunter2plain\"\n")
    });
    let path = search_path(&target.home().bin());
    let target = target
        .env("PATH", &path)
        .file("work/note", "hello\n")
        .file("work/a", "hello\n");
    let all: Vec<&str> = SECRETS.iter().chain(HARMLESS).copied().collect();
    let script = format!(
        "#!/bin/sh\nfor file in {}; do\n{{ read -r line < \"$HOME/$file\"; }} 2>/dev/null && echo \"sees $file\"\n\
         done\necho done\n",
        all.join(" ")
    );
    tools
        .iter()
        .fold(target, |target, tool| target.tool(tool, &script))
}

/// Calls as the host user.
fn call(target: &Target, command: &str) -> Run {
    argrail(target, &["call", command])
}

fn argrail(target: &Target, words: &[&str]) -> Run {
    target.own();
    let mut all = target.start_words();
    all.push(target.path("programs/argrail"));
    all.extend(words.iter().map(|word| (*word).to_owned()));
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    target.home().run(target.hostile(), &all)
}

/// The files that the tool says it saw, of a call that ran to its end.
#[track_caller]
fn seen(target: &Target, command: &str) -> Vec<String> {
    let run = call(target, command);
    let envelope = run.json();
    let stdout = envelope.pointer("/data/stdout").and_then(Value::as_str);
    let stdout = stdout.unwrap_or_else(|| panic!("{command}: {run}"));
    assert!(stdout.ends_with("done\n"), "{command}: {run}");
    let names = stdout.lines().filter_map(|line| line.strip_prefix("sees "));
    names.map(str::to_owned).collect()
}

#[test]
fn code_of_the_workspace_sees_no_credential() {
    let lines = [
        "ansible-inventory --graph",
        "bundle list",
        "cargo pkgid",
        "cargo tree",
        "composer show",
        "go list ./...",
        "poetry show",
        "pulumi about",
        "skaffold diagnose",
    ];
    let tools = lines.map(|line| line.split(' ').next().unwrap());
    each_host(|host| {
        let target = ground(host, &tools);
        let mut harmless = Vec::new();
        for line in lines {
            let seen = seen(&target, line);
            for name in &seen {
                assert!(!SECRETS.contains(&name.as_str()), "{host:?} {line}: {seen:?}");
            }
            harmless.extend(seen);
        }
        // What is only a toolchain or a cache is there.
        for name in HARMLESS {
            assert!(
                harmless.iter().any(|seen| seen == name),
                "{host:?} {name}: {harmless:?}"
            );
        }
    });
}

#[test]
fn a_client_sees_its_own_credentials_and_no_others() {
    each_host(|host| {
        let target = ground(host, &["gh", "rclone"]);
        assert_eq!(
            seen(&target, "gh pr list"),
            [".config/gh/hosts.yml", ".gitconfig"],
            "{host:?}"
        );
        assert_eq!(
            seen(&target, "rclone ls a"),
            [".config/rclone/rclone.conf"],
            "{host:?}"
        );
    });
}

/// Of each link in the workspace only one is there at a time: where one lies, it is found by every call.
#[test]
fn a_credential_that_a_link_leads_to_is_not_opened() {
    each_host(|host| {
        for (link, to) in [
            ("work/link", "../home/.config/rclone/rclone.conf"),
            ("work/deep/er/up", "../../../home"),
        ] {
            let target = ground(host, &["rclone"]).directory("work/deep/er").link(link, to);
            for words in ["rclone cat link", "rclone cat deep", "rclone ls a"] {
                let run = call(&target, words);
                assert!(
                    !run.stdout.contains("sees .config"),
                    "{host:?} {words} {link}: {run}"
                );
                let withheld = &run.json()["_meta"]["withheld"][0];
                assert_eq!(
                    withheld["path"], "~/.config/rclone/rclone.conf",
                    "{host:?} {words} {link}: {run}"
                );
            }
        }
    });
}

#[test]
fn git_that_only_reads_sees_a_persons_settings_without_credentials() {
    each_host(|host| {
        let settings = "[user]\n\tname = Ann\n[url \"https://x:hunter2plain@host.example/\"]\n\tinsteadOf = x\n\
                        [core]\n\tautocrlf = input\n[http]\n\textraHeader = Authorization: hunter2plain\n";
        let script =
            "#!/bin/sh\nwhile read -r line; do echo \"$line\"; done < \"$HOME/.gitconfig\"\necho done\n";
        let target = Target::new(host)
            .file("home/.gitconfig", settings)
            .tool("git", script);
        let path = search_path(&target.home().bin());
        let target = target.env("PATH", &path);
        let run = call(&target, "git status");
        assert_eq!(
            run.json()["data"]["stdout"],
            "[user]\nname = Ann\n[core]\nautocrlf = input\ndone\n",
            "{host:?}: {run}"
        );
    });
}

#[test]
fn a_credential_that_the_caller_names_is_not_opened() {
    each_host(|host| {
        let target = ground(host, &["gh", "git", "rclone"]).directory("work/sub");
        let home = target.path("home");
        for words in [
            "rclone cat HOME/.config/rclone/rclone.conf",
            "rclone cat ~/.config/rclone/rclone.conf",
            "rclone cat ../home/.config/rclone/rclone.conf",
            "rclone cat HOME/../home/.config/rclone/../rclone/rclone.conf",
            "rclone cat HOME/.config/rclone",
            "rclone cat HOME",
            "rclone cat /",
            "rclone cat HOME/.config/rclone/*",
            "rclone cat HOME/.c*/rclon?/rclone.conf",
            "rclone ls a --include HOME/.config/rclone/rclone.conf",
            "rclone ls a --exclude=x,HOME/.config/rclone/rclone.conf",
            "rclone ls a --include file://HOME/.config/rclone/rclone.conf",
            "rclone ls a --include file://localhostHOME/.config/rclone/rclone.conf",
            "rclone ls a --include file://HOME/%2econfig/rclone%2Frclone.conf",
            "rclone ls a --include Values@=file://HOME/.config/rclone/rclone.conf",
            "rclone ls a --include $HOME/.config/rclone/rclone.conf",
            "rclone ls a --include x:HOME/.config/rclone/rclone.conf:y",
            "nice rclone cat HOME/.config/rclone/rclone.conf",
            "gh pr view HOME/.config/gh/hosts.yml",
            "git diff --no-index a ~/.gitconfig",
            "git diff --no-index a HOME/.gitconfig",
            "git diff --no-index a ../home/.gitconfig",
            "git -C sub diff --no-index a ../../home/.gitconfig",
            "nice git diff --no-index a HOME/.gitconfig",
        ] {
            let words = words.replace("HOME", &home).replace(&format!("${home}"), "$HOME");
            let run = call(&target, &words);
            let secret = match words.contains("git diff") {
                true => "sees .gitconfig",
                false => "sees .config/",
            };
            assert!(!run.stdout.contains(secret), "{host:?} {words}: {run}");
            // It ran, and whoever called is told.
            assert!(
                run.json()["_meta"]["withheld"].is_array(),
                "{host:?} {words}: {run}"
            );
        }
    });
}

#[test]
fn a_call_that_fails_is_told_what_it_was_not_shown() {
    let target = ground(Host::here(), &[]).tool("rclone", "#!/bin/sh\necho 'no such remote' >&2\nexit 1\n");
    let run = call(&target, "rclone cat ~/.config/rclone/rclone.conf");
    let error = &run.json()["error"];
    assert_eq!(
        error["withheld"][0]["path"], "~/.config/rclone/rclone.conf",
        "{run}"
    );
    assert_eq!(
        error["withheld"][0]["word"], "~/.config/rclone/rclone.conf",
        "{run}"
    );
    let hint = error["hint"].as_str().unwrap();
    assert!(hint.contains("write the call without that"), "{run}");
    // One that points to nothing fails as it does.
    let run = call(&target, "rclone cat a");
    let error = &run.json()["error"];
    assert_eq!(
        (&error["code"], &error["withheld"]),
        (&"EXECUTION_ERROR".into(), &Value::Null),
        "{run}"
    );
}
