//! A tool is asked for its help, command by command, and not again while it is the same.

use std::fs;

use serde_json::Value;

use super::ground::{Ground, NOTES, commands, flags, printing};

#[test]
fn the_whole_tree_is_learned_and_marked_as_inferred() {
    let ground = Ground::with_notes();
    let data = ground.infer(&["argnotes"]);
    let tool = &data["tool"];
    assert_eq!(tool["name"], "argnotes");
    assert_eq!(tool["version"], "3.1.4");
    assert_eq!(tool["trust"]["source"], "inferred");
    assert_eq!(commands(tool, "/commands"), ["box", "list"]);
    assert_eq!(flags(tool, "/commands/list/options"), ["--long", "-l"]);
    assert_eq!(
        flags(tool, "/commands/box/commands/empty/options"),
        ["--force", "-f"]
    );
    let globals = flags(tool, "/globalOptions");
    for flag in ["--quiet", "-q", "--colour"] {
        assert!(globals.iter().any(|known| known == flag), "{globals:?}");
    }
    let argument = &tool["commands"]["box"]["commands"]["empty"]["arguments"][0];
    assert_eq!(argument["name"], "BOX");
    // Where it stands, and how sure that is.
    let seen = &tool["commands"]["list"]["options"][0]["x-inferred"];
    assert_eq!(seen["from"], "help");
    assert!(seen["line"].is_u64() && seen["confidence"].is_string(), "{seen}");
    let sources = data["sources"].as_array().unwrap();
    let from: Vec<&str> = sources
        .iter()
        .map(|source| source["from"].as_str().unwrap())
        .collect();
    assert_eq!(from, ["argnotes --help", "argnotes COMMAND --help"]);
    assert_eq!(data["counts"]["commands"], 3);
    assert_eq!(data["remembered"], false);
}

#[test]
fn depth_says_how_many_levels_are_asked() {
    let ground = Ground::with_notes();
    let started = |depth: &str| ground.infer(&["argnotes", "--refresh", "--depth", depth])["started"].clone();
    // The tool itself and its version; then its commands; then those below.
    assert_eq!([started("0"), started("1"), started("2")], [2, 4, 5]);
}

#[test]
fn what_is_remembered_is_not_asked_again() {
    let ground = Ground::with_notes();
    let first = ground.infer(&["argnotes"]);
    assert_eq!(first["started"], 5);
    let second = ground.infer(&["argnotes"]);
    assert_eq!(
        (&second["started"], &second["remembered"]),
        (&0.into(), &true.into())
    );
    for field in ["tool", "counts", "sources"] {
        assert_eq!(second[field], first[field], "{field}");
    }
    assert_eq!(ground.infer(&["argnotes", "--refresh"])["started"], 5);
    assert_eq!(ground.infer(&["argnotes", "--depth", "1"])["remembered"], false);
    assert_eq!(ground.infer(&["argnotes"])["remembered"], false);
    // Another program of the same name is asked.
    let changed: Vec<(&str, &str)> = NOTES
        .iter()
        .map(|(words, text)| {
            (
                *words,
                if *words == "--version" {
                    "argnotes 3.2.0"
                } else {
                    text
                },
            )
        })
        .collect();
    let ground = ground.tool("argnotes", &printing(&changed));
    let third = ground.infer(&["argnotes"]);
    assert_eq!(
        (&third["remembered"], &third["tool"]["version"]),
        (&false.into(), &"3.2.0".into())
    );
    // So is one whose memory was tampered with.
    let file = ground.path("cache/agent-tools/discovery/inferred/argnotes.json");
    let poisoned = fs::read_to_string(&file)
        .unwrap()
        .replace("Keeps notes", "Is harmless");
    fs::write(&file, poisoned).unwrap();
    assert_eq!(ground.infer(&["argnotes"])["remembered"], false);
}

#[test]
fn only_metadata_stands_on_stdout() {
    let ground = Ground::with_notes();
    let run = ground.run(&["infer", "argnotes", "--timeout", "50s"]);
    assert_eq!(run.exit, Some(0), "{run}");
    let printed: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(printed["name"], "argnotes");
    assert!(run.stderr.contains("argnotes: 3 commands, "), "{run}");
    assert!(run.stderr.contains("5 started"), "{run}");
    let again = ground.run(&["infer", "argnotes"]);
    assert!(
        again.stderr.contains("remembered; --refresh asks again"),
        "{again}"
    );
    assert_eq!(again.stdout, run.stdout);
}

#[test]
fn a_short_flag_is_tried_only_when_the_long_one_is_refused() {
    let usage =
        "usage: argold [-av] [-f file] name\n  -a   all of them\n  -v   say more\n  -f file   read this file";
    let ground = Ground::new()
        .tool("argold", &printing(&[("-h", usage)]))
        .tool("argsilent", "#!/bin/sh\n[ \"$1\" = -h ] && echo 'usage: argsilent [-x] file'\nexit 0\n")
        .tool(
            "argerrs",
            "#!/bin/sh\ncat >&2 <<'EOF'\nUsage: argerrs [OPTIONS]\n\nOptions:\n  -a, --all    Show all\nEOF\nexit 1\n",
        );
    assert_eq!(ground.infer(&["argold"])["started"], 2);
    assert_eq!(ground.infer(&["argsilent"])["started"], 2);
    // Help on stderr with exit 1 is help.
    let data = ground.infer(&["argerrs"]);
    assert_eq!(data["started"], 1);
    assert_eq!(flags(&data["tool"], "/commands//options"), ["--all", "-a"]);
}

#[test]
fn what_the_text_offers_is_asked_if_it_can_only_be_help() {
    let first = "Usage: argleads [OPTIONS]\n\nOptions:\n  -a, --all    Show all\n\n\
                 Use 'argleads --help-all' to list all options.\nSee 'argleads help --delete-everything' for more.";
    let all = "Usage: argleads [OPTIONS]\n\nOptions:\n  -a, --all    Show all\n  --rare    Rarely used";
    let ground = Ground::new().tool("argleads", &printing(&[("--help", first), ("--help-all", all)]));
    let data = ground.infer(&["argleads"]);
    assert_eq!(
        flags(&data["tool"], "/commands//options"),
        ["--all", "--rare", "-a"]
    );
    assert_eq!(data["started"], 2, "{data:#}");
}

#[test]
fn a_tool_that_describes_itself_is_said_to_and_inferred_all_the_same() {
    let metadata = r#"{"atip":"0.1","name":"argown","version":"1","description":"Describes itself"}"#;
    let script = format!(
        "#!/bin/sh\ncase $1 in\n--agent) echo '{metadata}';;\n--help) printf 'Usage: argown [-a]\\n\\nOptions:\\n  -a   all\\n';;\n*) exit 1;;\nesac\n"
    );
    let ground = Ground::new().tool("argown", &script);
    let data = ground.infer(&["argown"]);
    assert_eq!(data["native"], "atip");
    assert_eq!(data["catalogued"], false);
    assert_eq!(flags(&data["tool"], "/commands//options"), ["-a"]);
    // Its own word is still there to be asked for.
    let run = ground.run(&["scan", "--probe", "--json", "--timeout", "50s"]);
    assert_eq!(run.json()["data"]["found"][0]["source"], "native", "{run}");
}
