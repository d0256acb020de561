//! The README's cargo commands exist, and the one that tests everything is among them.
//!
//! Lines that run argrail itself are parsed by argrail's own tests, from the same list.

use crate::finding::{Finding, report};
use crate::repository;
use argrail_testkit::readme;

const RULE: &str = "readme";

/// The test command, word for word as `.ci/run` runs it.
const PROMISED: &str = "cargo test --workspace";

const SUBCOMMANDS: &[&str] = &[
    "bench", "build", "check", "clippy", "doc", "fetch", "fmt", "install", "run", "test", "tree",
];

fn check(text: &str) -> Vec<Finding> {
    let find = |line, message: String| Finding::new(RULE, "README.md", line, message);
    let shown = match readme::commands(text) {
        Ok(shown) => shown,
        Err(error) => {
            return vec![find(
                error.line,
                format!("no shell would take this: {}", error.reason),
            )];
        }
    };
    let cargo: Vec<_> = shown
        .iter()
        .filter(|command| command.words.first().is_some_and(|word| word == "cargo"))
        .collect();
    let mut findings = Vec::new();
    for command in &cargo {
        // `+nightly` and options may stand before the subcommand.
        let subcommand = command
            .words
            .iter()
            .skip(1)
            .find(|word| !word.starts_with(['+', '-']));
        if !subcommand.is_some_and(|word| SUBCOMMANDS.contains(&word.as_str())) {
            findings.push(find(
                command.line,
                format!("cargo has no such subcommand: '{}'", command.words.join(" ")),
            ));
        }
    }
    if !cargo.iter().any(|command| command.words.join(" ") == PROMISED) {
        findings.push(find(
            1,
            format!("show the command `{PROMISED}` in a console block, after `$ `"),
        ));
    }
    findings
}

#[test]
fn commands_that_do_not_exist_are_found() {
    fn table(commands: &str, expected: &[(usize, &str)]) {
        let text = format!("```console\n$ cargo test --workspace\n$ cargo build\n{commands}\n```\n");
        crate::finding::assert_findings(&check(&text), expected, commands);
    }
    table("$ argrail call help | jq .data", &[]);
    table("$ cargo +stable run -q -p argrail -- call 'help'", &[]);
    table("$ cargo frobnicate", &[(4, "no such subcommand")]);
    table("$ cargo", &[(4, "no such subcommand")]);
    table("$ argrail call 'help", &[(4, "no shell would take this")]);
    crate::finding::assert_findings(
        &check("# argrail\n"),
        &[(1, "`cargo test --workspace`")],
        "an empty README",
    );
}

#[test]
fn the_readme_shows_commands_that_work() {
    let text = repository::text("README.md").unwrap_or_else(|| panic!("README.md is missing"));
    report(&check(text));
}

#[test]
fn cargo_run_is_argrail() {
    assert_eq!(
        crate::metadata::default_members(),
        ["argrail"],
        "the README's `cargo run` must start argrail: see default-members in Cargo.toml"
    );
}
