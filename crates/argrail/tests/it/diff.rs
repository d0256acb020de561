//! `argrail diff`: what changed, for a person and for a program.

use argrail_testkit::Home;
use insta::assert_snapshot;
use serde_json::Value;

use super::ARGRAIL;
use super::export::BOX;

fn home() -> Home {
    let new = BOX
        .replace("\"Put it in\"", "\"Put something in\"")
        .replace("[\"-q\", \"--quiet\"]", "[\"--quiet\"]")
        .replace("\"network\": false", "\"network\": true")
        .replace(
            "\"secret\": {\"description\": \"Not for lists\", \"hidden\": true}",
            "\"take\": {\"description\": \"Take it out\"}",
        );
    Home::new().file("old.json", BOX).file("new.json", &new)
}

#[test]
fn a_person_gets_a_table_and_advice() {
    assert_snapshot!(home().run(ARGRAIL, &["diff", "old.json", "new.json"]), @r#"
    exit: 0
    --- stdout
    CHANGE    WHERE                          WHAT
    breaking  /globalOptions/0/flags         a flag is gone: ["-q"]
    safe      /commands/put/description      it is worded otherwise: "Put it in" -> "Put something in"
    effects   /commands/put/effects/network  it does more than was claimed: false -> true
    breaking  /commands/secret               the command is gone: "Not for lists"
    safe      /commands/take                 the command is new: "Take it out"

    version: major
    --- stderr
    "#);
}

#[test]
fn the_same_is_no_difference() {
    let run = home().run(ARGRAIL, &["diff", "old.json", "old.json"]);
    assert_eq!(
        (run.exit, run.stdout.as_str()),
        (Some(0), "no difference\n"),
        "{run}"
    );
}

#[test]
fn a_program_gets_every_change() {
    let run = home().run(ARGRAIL, &["diff", "--json", "old.json", "new.json"]);
    let envelope: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run}"));
    assert_eq!(
        (run.exit, &envelope["data"]["advice"]),
        (Some(0), &"major".into()),
        "{run}"
    );
    let changes = envelope["data"]["changes"].as_array().unwrap();
    let effects = changes.iter().find(|change| change["kind"] == "effects").unwrap();
    assert_eq!(effects["pointer"], "/commands/put/effects/network");
    assert_eq!((&effects["old"], &effects["new"]), (&false.into(), &true.into()));
}

#[test]
fn what_cannot_be_read_is_refused() {
    let home = home().file("no.json", "{}");
    for words in [
        ["diff", "old.json", "absent.json"],
        ["diff", "no.json", "old.json"],
    ] {
        let run = home.run(ARGRAIL, &words);
        assert_eq!((run.exit, run.stdout.as_str()), (Some(1), ""), "{run}");
        assert!(run.stderr.contains(".json"), "{run}");
    }
}

const CLI: &str = r#"---
name: Demo
id: demo
description: A program.
version: 1.0.0
bin: demo
install: [{ method: brew, package: demo }]
version_check: { cmd: demo --version, parse: '(\S+)', range: ">=1 <2" }
sandbox:
  network: { egress: [api.example.org] }
  fs: {}
  exec: { allow: true, spawn: [git] }
  env: {}
commands: { list: ./tools/list/TOOL.md }
---
"#;

#[test]
fn two_bundles_are_compared() {
    let new = CLI
        .replace("spawn: [git]", "spawn: [git, ssh]")
        .replace(">=1 <2", ">=1 <3");
    let home = Home::new().file("old/CLI.md", CLI).file("new/CLI.md", &new);
    assert_snapshot!(home.run(ARGRAIL, &["diff", "old/CLI.md", "new/CLI.md"]), @r#"
    exit: 0
    --- stdout
    CHANGE    WHERE                 WHAT
    breaking  /version_check/range  it takes another major version of the program: ">=1 <2" -> ">=1 <3"
    effects   /sandbox/exec/spawn   it may start another program: "ssh"
    breaking  /version              another major version is due: "1.0.0" -> "1.0.0"

    version: major
    --- stderr
    "#);
}

#[test]
fn a_bundle_that_cannot_be_read_is_refused_with_its_place() {
    let broken = CLI.replace("bin: demo", "bin: two words");
    let home = Home::new().file("CLI.md", CLI).file("broken.md", &broken);
    let run = home.run(ARGRAIL, &["diff", "CLI.md", "broken.md"]);
    assert_eq!((run.exit, run.stdout.as_str()), (Some(1), ""), "{run}");
    assert!(run.stderr.contains("'broken.md':6:6"), "{run}");
    assert!(run.stderr.contains("argrail lint 'broken.md'"), "{run}");
}
