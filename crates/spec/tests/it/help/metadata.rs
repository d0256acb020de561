//! Metadata from pages: where options go, what is marked, how a tree is built.

use argrail_spec::help::{Subject, Tree, read_help, to_metadata};
use serde_json::{Value, json};

const ROOT: &str = "Keep bees.\n\nUsage: hive [OPTIONS] COMMAND\n\nCommands:\n  list, ls  List hives\n  frame     Work on frames\n\nOptions:\n  -v, --verbose       Talk\n\nGlobal options:\n      --config <FILE>  Configuration\n";
const FRAME: &str = "Work on frames.\n\nUsage: hive frame COMMAND\n\nCommands:\n  add   Add one\n";
const ADD: &str = "Add a frame.\n\nUsage: hive frame add [OPTIONS] NAME [BOX]...\n\nOptions:\n  -k, --kind <KIND>    Which [default: deep] [possible values: deep, shallow]\n  -n, --count <N>      How many [default: 3]\n  -n, --name           By name\n      --dry[=WHY]      Do nothing\n\nGlobal options:\n      --config <FILE>  Configuration\n";

fn page(text: &str, path: &[&str]) -> Value {
    let subject = Subject { name: "hive", path };
    let metadata = to_metadata(&subject, &read_help(text, &subject), &mut |_, _, _, _| {});
    serde_json::to_value(metadata).unwrap()
}

#[test]
fn a_tool_without_commands_has_its_options_itself() {
    let metadata = page(
        "Usage: hive [-q] FILE\n\nOptions:\n  -q, --quiet  Say nothing\n",
        &[],
    );
    assert_eq!(metadata["trust"]["source"], "inferred");
    let itself = &metadata["commands"][""];
    assert_eq!(
        itself["options"],
        json!([{"name": "quiet", "flags": ["-q", "--quiet"], "type": "boolean", "description": "Say nothing",
            "x-inferred": {"from": "help", "line": 4, "confidence": "certain"}}])
    );
    assert_eq!(itself["arguments"][0]["name"], "FILE");
    assert_eq!(itself["arguments"][0]["type"], "file");
    assert_eq!(itself["arguments"][0]["required"], true);
}

#[test]
fn a_page_of_a_command_stands_at_its_place() {
    let metadata = page(ADD, &["frame", "add"]);
    let add = &metadata["commands"]["frame"]["commands"]["add"];
    assert_eq!(add["description"], "Add a frame.");
    let kind = &add["options"][0];
    assert_eq!(
        (&kind["type"], &kind["default"]),
        (&json!("enum"), &json!("deep"))
    );
    assert_eq!(kind["enum"], json!(["deep", "shallow"]));
    assert_eq!(add["options"][1]["default"], 3);
    // The letter is the first one's.
    assert_eq!(add["options"][2]["flags"], json!(["--name"]));
    assert_eq!(add["options"][3]["x-takes"], "attached");
    assert_eq!(add["arguments"][1]["variadic"], true);
}

#[test]
fn a_tree_of_pages_is_one_tool() {
    let mut tree = Tree::new();
    for (path, text) in [
        (vec![], ROOT),
        (vec!["frame"], FRAME),
        (vec!["frame", "add"], ADD),
    ] {
        let page = read_help(
            text,
            &Subject {
                name: "hive",
                path: &path,
            },
        );
        tree.insert(path, page);
    }
    let mut filled = Vec::new();
    let metadata = tree.to_metadata("hive", &mut |path, page, about, _| {
        filled.push(format!(
            "{} {} {}",
            path.join(" "),
            page.options.len(),
            about.unwrap_or("-")
        ));
    });
    filled.sort();
    assert_eq!(
        filled,
        [
            " 2 Keep bees.",
            "frame 0 Work on frames",
            "frame add 5 Add one",
            "list 0 List hives"
        ]
    );
    let metadata = serde_json::to_value(metadata).unwrap();
    let flags: Vec<&Value> = metadata["globalOptions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|option| &option["flags"])
        .collect();
    assert_eq!(flags, [&json!(["-v", "--verbose"]), &json!(["--config"])]);
    assert_eq!(metadata["globalOptions"][0]["x-before"], true);
    assert_eq!(metadata["globalOptions"][1]["x-before"], Value::Null);
    assert_eq!(metadata["commands"]["list"]["aliases"], json!(["ls"]));
    // What the tool has for all of its commands is not repeated.
    let add = &metadata["commands"]["frame"]["commands"]["add"]["options"];
    assert_eq!(add.as_array().unwrap().len(), 4);
}

#[test]
fn nothing_is_left_without_a_description() {
    let metadata = page("usage: hive [-ab] [-c file]\n", &[]);
    let options = metadata["commands"][""]["options"].as_array().unwrap();
    assert_eq!(options.len(), 3);
    for option in options {
        assert!(!option["description"].as_str().unwrap().is_empty());
        assert_eq!(option["x-inferred"]["confidence"], "mentioned");
    }
}
