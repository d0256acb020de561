//! What is read beside the help: pages of the manual and completion scripts, installed and printed.

use super::ground::{Ground, commands, flags, printing};

const HELP: (&str, &str) = (
    "--help",
    "Usage: argdemo [OPTIONS]\n\nOptions:\n  -a, --all    Show all",
);
const PAGE: &str = ".TH DEMO 1\n.SH NAME\ndemo \\- shows things\n.SH SYNOPSIS\n.B argdemo\n[\\fIoptions\\fR]\n.SH OPTIONS\n\
                    .TP\n.BR \\-a \", \" \\-\\-all\nShow all.\n.TP\n.BR \\-\\-rare\nRarely used.\n";

fn kinds(data: &serde_json::Value) -> Vec<&str> {
    let sources = data["sources"].as_array().unwrap();
    sources
        .iter()
        .map(|source| source["kind"].as_str().unwrap())
        .collect()
}

#[test]
fn the_manual_beside_the_program_adds_what_the_help_lacks() {
    let ground = Ground::new().tool("argdemo", &printing(&[HELP]));
    ground.put("share/man/man1/argdemo.1", PAGE);
    let data = ground.infer(&["argdemo"]);
    assert_eq!(
        flags(&data["tool"], "/commands//options"),
        ["--all", "--rare", "-a"]
    );
    assert_eq!(kinds(&data), ["help", "man"]);
    let options = data["tool"]["commands"][""]["options"].as_array().unwrap();
    let from: Vec<&str> = options
        .iter()
        .map(|option| option["x-inferred"]["from"].as_str().unwrap())
        .collect();
    assert_eq!(from, ["help", "man"], "help has the word where both speak");
}

#[test]
fn a_program_that_says_nothing_has_its_manual() {
    let ground = Ground::new().tool("argdemo", "#!/bin/sh\nexit 3\n");
    ground.put("share/man/man8/argdemo.8", PAGE);
    let data = ground.infer(&["argdemo"]);
    assert_eq!(kinds(&data), ["man"]);
    assert_eq!(data["counts"]["options"], 2);
}

#[test]
fn pages_of_commands_are_read() {
    let help = "Usage: argdemo COMMAND\n\nCommands:\n  list    List things\n  help    Show help";
    let ground = Ground::new().tool("argdemo", &printing(&[("--help", help)]));
    for command in ["list", "help"] {
        let page = PAGE.replace("argdemo", &format!("argdemo-{command}"));
        ground.put(&format!("share/man/man1/argdemo-{command}.1"), &page);
    }
    let data = ground.infer(&["argdemo"]);
    // `help` is not asked, and its page is read all the same.
    for place in ["/commands/list/options", "/commands/help/options"] {
        assert_eq!(flags(&data["tool"], place), ["--all", "--rare", "-a"]);
    }
    assert_eq!(commands(&data["tool"], "/commands"), ["help", "list"]);
}

#[test]
fn pages_that_lead_out_of_the_manual_or_in_circles_are_not_read() {
    for page in [
        ".so man1/argdemo.1\n",
        ".so ../../work/secret.1\n",
        ".so /dev/zero\n",
        ".so man1/other.1\n",
    ] {
        let ground = Ground::new().tool("argdemo", &printing(&[HELP]));
        ground.put("work/secret.1", PAGE);
        ground.put("share/man/man1/other.1", ".so man1/argdemo.1\n");
        ground.put("share/man/man1/argdemo.1", page);
        assert_eq!(kinds(&ground.infer(&["argdemo"])), ["help"], "{page}");
    }
}

#[test]
fn installed_completions_are_read_and_no_shell_is_started() {
    let ground = Ground::new().tool("argdemo", &printing(&[HELP]));
    let mark = ground.path("work/ran");
    let script = format!(
        "touch {}\ncomplete -c argdemo -l rare -d 'Rarely used'\ncomplete -c argdemo -s a -l all -d 'Show all'\n",
        mark.display()
    );
    ground.put("share/fish/completions/argdemo.fish", &script);
    let data = ground.infer(&["argdemo"]);
    assert_eq!(kinds(&data), ["help", "completion"]);
    assert_eq!(
        flags(&data["tool"], "/commands//options"),
        ["--all", "--rare", "-a"]
    );
    assert!(!mark.exists());
}

#[test]
fn a_script_is_asked_for_only_where_the_help_lists_the_command() {
    let help = "Usage: argdemo COMMAND\n\nCommands:\n  run            Run things\n  completions    Print a completion script";
    let script = "complete -c argdemo -n '__fish_seen_subcommand_from run' -l rare -d 'Rarely used'";
    let ground = Ground::new().tool(
        "argdemo",
        &printing(&[("--help", help), ("completions fish", script)]),
    );
    let data = ground.infer(&["argdemo"]);
    assert_eq!(kinds(&data), ["help", "completion"]);
    assert_eq!(flags(&data["tool"], "/commands/run/options"), ["--rare"]);
}
