//! `argrail infer --from-file`: nothing is started, and whatever the text holds, metadata comes out.

use serde_json::Value;

use super::ground::{Ground, commands, flags};
use crate::ARGRAIL;

const HELP: &str = "Usage: argdemo [OPTIONS] FILE\n\nOptions:\n  -a, --all    Show all\n";

fn read(ground: &Ground, words: &[&str], text: &str) -> Value {
    let mut all = vec!["infer"];
    all.extend(words);
    let run = ground.home.run_with_input(ARGRAIL, &all, text);
    assert_eq!(run.exit, Some(0), "{run}");
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run}"))
}

#[test]
fn a_text_is_read_from_a_file_or_from_stdin() {
    let ground = Ground::new();
    ground.put("work/help.txt", HELP);
    let from_stdin = read(&ground, &["--name", "argdemo", "--from-file", "-"], HELP);
    assert_eq!(flags(&from_stdin, "/commands//options"), ["--all", "-a"]);
    assert_eq!(from_stdin["trust"]["source"], "inferred");
    let from_file = read(
        &ground,
        &["--name", "argdemo", "--sub", "", "--from-file", "help.txt"],
        "",
    );
    assert_eq!(from_file, from_stdin);
    let enveloped = ground.run(&["infer", "--json", "--name", "argdemo", "--from-file", "help.txt"]);
    assert_eq!(enveloped.json()["data"]["tool"], from_stdin);
    assert_eq!(enveloped.json()["data"]["counts"]["options"], 1);
    assert!(
        !ground.path("data/agent-tools").exists(),
        "a text changes nothing"
    );
}

#[test]
fn a_text_about_a_command_stands_at_its_place() {
    let ground = Ground::new();
    let text = "Usage: argdemo remote add [OPTIONS] NAME\n\nOptions:\n  -f, --fetch    Fetch at once\n";
    let read = read(
        &ground,
        &["--name", "argdemo", "--sub", "remote add", "--from-file", "-"],
        text,
    );
    assert_eq!(commands(&read, "/commands"), ["remote"]);
    assert_eq!(
        flags(&read, "/commands/remote/commands/add/options"),
        ["--fetch", "-f"]
    );
}

#[test]
fn a_page_of_the_manual_is_read_as_source_and_as_it_is_shown() {
    let ground = Ground::new();
    let source = ".TH DEMO 1\n.SH NAME\ndemo \\- shows things\n.SH SYNOPSIS\n.B argdemo\n[\\fIoptions\\fR]\n.SH OPTIONS\n\
                  .TP\n.BR \\-a \", \" \\-\\-all\nShow all.\n";
    let shown = "DEMO(1)          Demos          DEMO(1)\n\nNAME\n       argdemo - shows things\n\nSYNOPSIS\n       argdemo [options]\n\n\
                 OPTIONS\n       -a, --all\n              Show all.\n";
    for text in [source, shown] {
        let page = read(
            &ground,
            &["--name", "argdemo", "--kind", "man", "--from-file", "-"],
            text,
        );
        assert_eq!(flags(&page, "/commands//options"), ["--all", "-a"], "{text}");
    }
}

#[test]
fn whatever_a_text_holds_metadata_comes_out() {
    let ground = Ground::new();
    let long = "-".repeat(5 << 20);
    let nested = "[".repeat(100_000);
    let endless = "  --aaaa  ".repeat(50_000);
    for text in [
        "",
        "\0\0\u{7f}",
        "hello\n",
        "\u{1b}[1m--x\u{1b}[0m\n",
        &nested,
        &long,
        &endless,
    ] {
        for kind in ["help", "man"] {
            let page = read(
                &ground,
                &["--name", "argdemo", "--kind", kind, "--from-file", "-"],
                text,
            );
            assert_eq!(page["name"], "argdemo");
        }
    }
    let bytes: Vec<u8> = (0..=255).cycle().take(1 << 16).collect();
    let run = ground.home.run_with_input(
        ARGRAIL,
        &["infer", "--name", "argdemo", "--from-file", "-"],
        bytes,
    );
    assert_eq!(run.exit, Some(0), "{run}");
}

#[test]
fn what_is_asked_wrongly_is_answered_with_what_to_do() {
    let ground = Ground::new();
    let check = |words: &[&str], exit: i32, says: &str| {
        let mut all = vec!["infer"];
        all.extend(words);
        let run = ground.run(&all);
        assert_eq!(run.exit, Some(exit), "{run}");
        assert!(run.stderr.contains(says), "{run}");
    };
    check(&[], 2, "TOOL");
    check(&["--from-file", "-"], 2, "--name");
    check(&["--name", "x"], 2, "--from-file");
    check(&["--name", "../x", "--from-file", "-"], 2, "is no name of a tool");
    check(
        &["--name", "x", "--from-file", "absent.txt"],
        1,
        "write - for stdin",
    );
    check(
        &["argnotes", "--from-file", "-", "--name", "x"],
        2,
        "cannot be used with",
    );
    check(&["argnotes", "--depth", "9"], 2, "0..=8");
}
