//! Two `CLI.md`: what asks for another major version, and what does not.

use argrail_spec::cli_md::{self, CliMd};
use argrail_spec::diff::{Difference, diff_cli};

use super::bundles::BUNDLES;
use super::cases;

fn read(text: &str) -> CliMd {
    cli_md::load(text.as_bytes()).unwrap().manifest
}

fn base() -> String {
    let (base, _) = cases(BUNDLES);
    base["CLI.md"].as_str().unwrap().to_owned()
}

fn changed(edits: &[(&str, &str)]) -> Difference {
    let old = base();
    let new = edits.iter().fold(old.clone(), |text, (from, to)| {
        assert!(text.contains(from), "nothing to replace: {from}");
        text.replacen(from, to, 1)
    });
    diff_cli(&read(&old), &read(&new))
}

fn told(difference: &Difference) -> Vec<String> {
    let changes = difference.changes.iter();
    changes
        .map(|change| {
            let value = change.new.as_ref().or(change.old.as_ref());
            let value = value.map(|value| value.to_string()).unwrap_or_default();
            format!(
                "{} {} {}: {} {}",
                change.kind.as_str(),
                change.advice.as_str(),
                change.pointer,
                change.what,
                value.chars().take(40).collect::<String>()
            )
        })
        .collect()
}

fn check(edits: &[(&str, &str)], want: &[&str]) {
    let came = told(&changed(edits));
    assert_eq!(came, want, "{edits:?}");
}

const DUE: &str = r#"breaking major /version: another major version is due "1.2.0""#;

#[test]
fn the_same_is_no_change() {
    check(&[], &[]);
    check(
        &[("GitHub from the command line.", "GitHub.")],
        &[r#"safe patch /description: it is worded otherwise "GitHub.""#],
    );
}

#[test]
fn a_new_program_to_start_asks_for_another_major_version() {
    let spawn = r#"effects major /sandbox/exec/spawn: it may start another program "ssh""#;
    check(&[("spawn: [git]", "spawn: [git, ssh]")], &[spawn, DUE]);
    // With one, nothing more is asked for.
    check(
        &[
            ("spawn: [git]", "spawn: [git, ssh]"),
            ("version: 1.2.0", "version: 2.0.0"),
        ],
        &[spawn],
    );
    check(
        &[("allow: true, spawn: [git]", "allow: false")],
        &[
            "effects minor /sandbox/exec/allow: it may start no programs false",
            r#"effects minor /sandbox/exec/spawn: it may no longer start a program "git""#,
        ],
    );
}

#[test]
fn a_wider_sandbox_asks_for_another_major_version() {
    check(
        &[("[api.github.com,", "[api.github.com, uploads.github.com,")],
        &[
            r#"effects major /sandbox/network/egress: it may touch more "uploads.github.com""#,
            DUE,
        ],
    );
    // Within what was permitted before, it is no more.
    check(
        &[("[api.github.com,", "[api.github.com, raw.githubusercontent.com,")],
        &[],
    );
    check(
        &[("read: [\"**/.git/**\"]", "read: [\"**\"]")],
        &[r#"effects major /sandbox/fs/read: it may touch more "**""#, DUE],
    );
    check(
        &[("deny: [\"~/.ssh/**\"]", "deny: []")],
        &[
            r#"effects major /sandbox/fs/deny: it is no longer denied "~/.ssh/**""#,
            DUE,
        ],
    );
    check(
        &[("pass: [GH_TOKEN, HOME]", "pass: [HOME]")],
        &[r#"effects minor /sandbox/env/pass: it may touch less "GH_TOKEN""#],
    );
    check(
        &[(
            "pass: [GH_TOKEN, HOME]",
            "pass: [GH_TOKEN, HOME], set: { A: \"1\" }",
        )],
        &[r#"effects minor /sandbox/env/set: variables are set otherwise {"A":"1"}"#],
    );
}

#[test]
fn another_major_version_of_the_program_asks_for_one_of_the_manifest() {
    check(
        &[(">=2.40 <3", ">=2.40 <4")],
        &[
            r#"breaking major /version_check/range: it takes another major version of the program ">=2.40 <4""#,
            DUE,
        ],
    );
    check(
        &[(">=2.40 <3", ">=2.50 <3")],
        &[r#"safe minor /version_check/range: it takes other versions of the program ">=2.50 <3""#],
    );
}

#[test]
fn what_callers_and_hosts_rely_on_is_told() {
    check(
        &[("    list: ./tools/pr-list/TOOL.md\n", "")],
        &[
            r#"breaking major /commands/pr list: the command is gone "./tools/pr-list/TOOL.md""#,
            DUE,
        ],
    );
    check(
        &[(
            "create: ./tools/pr-create",
            "view: ./tools/pr-view/TOOL.md\n    create: ./tools/pr-create",
        )],
        &[r#"safe minor /commands/pr view: the command is new "./tools/pr-view/TOOL.md""#],
    );
    check(
        &[("  - { method: brew, package: gh }\n", "")],
        &[
            r#"breaking major /install: a way to install it is gone {"method":"brew","package":"gh"}"#,
            DUE,
        ],
    );
    check(
        &[("env: [GH_TOKEN]", "env: [GH_TOKEN, GITHUB_TOKEN]")],
        &[
            r#"effects major /auth/state: it gets more of what holds the login ["GITHUB_TOKEN"]"#,
            DUE,
        ],
    );
    check(
        &[("runner: ./RUNNER.md\n", "")],
        &[r#"safe minor /runner: the process has other limits or needs "./RUNNER.md""#],
    );
    check(
        &[(
            "commands:\n",
            "output: { json_flag: --json, exit_codes: { 3: conflict } }\nrequires: { os: [linux] }\ncommands:\n",
        )],
        &[
            r#"safe minor /output/json_flag: it says how it prints "--json""#,
            r#"safe minor /output/exit_codes/3: a code has a meaning "conflict""#,
            r#"breaking major /requires/os: it runs on fewer machines ["linux"]"#,
            DUE,
        ],
    );
    let difference = changed(&[("bin: gh", "bin: hub"), ("id: gh", "id: hub")]);
    assert_eq!(
        told(&difference),
        [
            r#"breaking major /id: it is another bundle "hub""#,
            r#"breaking major /bin: it starts another program "hub""#,
        ]
    );
}
