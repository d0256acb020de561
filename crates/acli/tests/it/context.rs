//! What discovery costs: no answer floods a context, and no page hides or repeats anything.

use argrail_acli::{Arg, Cli, Command, Kind, mcp};
use serde_json::Value;

use crate::world::{said, world};

/// The most bytes of JSON that one answer may have: a page of 6,000 and what stands around it.
const MOST: usize = 7_000;

fn leaf(name: String) -> Command {
    Command::new(
        name,
        "Does one of the many things that there are to do, at some length",
    )
    .handler(|_| async { Ok(Value::Null) })
}

fn cli(commands: impl IntoIterator<Item = Command>) -> Cli {
    Cli::builder("big", "1", "Big", world())
        .commands(commands)
        .build()
        .unwrap()
}

/// Asks page by page, as `next` says, and returns what `part` finds on each.
fn pages(cli: &Cli, first: &str, part: impl Fn(&Value) -> Vec<String>) -> (usize, Vec<String>) {
    let (mut command, mut all, mut count) = (first.to_owned(), Vec::new(), 0);
    loop {
        let envelope = said(cli, &command);
        assert_eq!(envelope["success"], true, "{command}: {envelope}");
        assert!(
            envelope.to_string().len() <= MOST,
            "{command}: {} bytes",
            envelope.to_string().len()
        );
        all.extend(part(&envelope["data"]));
        count += 1;
        match envelope["data"]["next"].as_str() {
            Some(next) => next.clone_into(&mut command),
            None => return (count, all),
        }
    }
}

fn names(list: &Value, field: &str) -> Vec<String> {
    let items = list.as_array().unwrap().iter();
    items
        .map(|item| item[field].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn help_and_schema_of_2000_commands_cover_each_once() {
    let wanted: Vec<String> = (0..2_000).map(|n| format!("command-{n}")).collect();
    let cli = cli(wanted.iter().cloned().map(leaf));
    let (count, listed) = pages(&cli, "help", |data| names(&data["commands"], "name"));
    assert_eq!(listed, wanted);
    assert!(count > 10, "{count} pages");
    let (_, schemas) = pages(&cli, "schema", |data| names(&data["commands"], "command"));
    assert_eq!(schemas, wanted);
    let version = &said(&cli, "version")["data"]["capabilities"];
    assert_eq!(version["commands"].as_array().unwrap().len(), 50);
    assert_eq!(version["total"], 2_000);
}

#[test]
fn help_and_schema_of_500_options_cover_each_once() {
    let wanted: Vec<String> = (0..500).map(|n| format!("option-{n}")).collect();
    let wide = wanted.iter().fold(leaf("wide".to_owned()), |command, name| {
        let about = "Says in some detail what this one of very many options is good for";
        command.arg(Arg::option(&format!("--{name}"), Kind::Integer, about).default(1))
    });
    let cli = cli([wide]);
    let (_, listed) = pages(&cli, "help wide", |data| names(&data["arguments"], "name"));
    assert!(
        listed
            .iter()
            .map(|name| name.trim_start_matches('-'))
            .eq(wanted.iter().map(String::as_str))
    );
    let (_, properties) = pages(&cli, "schema wide", |data| {
        data["inputSchema"]["properties"]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect()
    });
    assert_eq!(properties, wanted);
    let (_, all) = pages(&cli, "schema", |data| names(&data["commands"], "see"));
    assert_eq!(
        all,
        ["schema wide"],
        "too large for the list, its own pages are a call away"
    );
    let wrong = said(&cli, "wide --nope");
    assert!(wrong.to_string().len() < 1_500, "{wrong}");
}

#[test]
fn a_deep_tree_is_shown_level_by_level() {
    let deep = (0..15).rev().fold(leaf("end".to_owned()), |below, level| {
        Command::new(format!("level{level}"), "A level").subcommand(below)
    });
    let cli = cli([deep]);
    assert_eq!(
        said(&cli, "help")["data"]["commands"].as_array().unwrap().len(),
        1
    );
    assert_eq!(
        names(&said(&cli, "help level0 level1")["data"]["commands"], "name"),
        ["level2"]
    );
    let path: Vec<String> = (0..15).map(|level| format!("level{level}")).collect();
    let command = format!("{} end", path.join(" "));
    assert_eq!(said(&cli, &command)["success"], true);
    assert_eq!(
        said(&cli, "schema")["data"]["commands"][0]["command"],
        command.as_str()
    );
}

#[test]
fn the_standing_context_is_small_for_any_number_of_commands() {
    for count in [0, 1, 20, 200, 5_000] {
        let cli = cli((0..count).map(|n| leaf(format!("some-tool-{n}"))));
        let tool = mcp::tool(&cli);
        let text = tool["description"].as_str().unwrap();
        assert!(text.starts_with("Execute CLI command. Run 'help' for available commands."));
        // 300 tokens of o200k; our definitions run at more than three bytes to the token.
        assert!(tool.to_string().len() <= 1_000, "{count}: {tool}");
        let listed = text.matches("some-tool-").count();
        match text
            .rsplit_once(" and ")
            .map(|(_, rest)| rest.trim_end_matches(" more: help"))
        {
            Some(left) => assert_eq!(listed + left.parse::<usize>().unwrap(), count, "{text}"),
            None => assert_eq!(listed, count, "{text}"),
        }
        assert!(listed >= count.min(10), "{text}");
    }
}

#[test]
fn a_typo_among_thousands_is_answered_shortly() {
    let cli = cli((0..2_000).map(|n| leaf(format!("command-{n}"))));
    let answer = said(&cli, "comand-77");
    assert!(
        answer["error"]["hint"]
            .as_str()
            .unwrap()
            .contains("did you mean 'command-77'?"),
        "{answer}"
    );
    assert!(answer.to_string().len() < 500);
    let group = Command::new("group", "Many").subcommands((0..500).map(|n| leaf(format!("sub-{n}"))));
    let answer = said(&self::cli([group]), "group");
    assert!(
        answer["error"]["hint"]
            .as_str()
            .unwrap()
            .ends_with("and 470 more"),
        "{answer}"
    );
}

#[test]
fn one_argument_cannot_fill_a_context() {
    let colours = || Kind::one_of((0..20_000).map(|n| format!("colour number {n}")));
    let loud = leaf("loud".to_owned())
        .arg(Arg::option("--text", Kind::String, "Text").default("x".repeat(1_000_000)))
        .arg(Arg::option("--one", colours(), "One"))
        .arg(Arg::option("--some", Kind::Array(Box::new(colours())), "Some"))
        .arg(Arg::option(
            &format!("--{}", "n".repeat(50_000)),
            Kind::String,
            "Long",
        ));
    let cli = cli([loud]);
    for command in [
        "help loud",
        "schema loud",
        "schema",
        "loud --one x",
        "loud --nope",
    ] {
        let size = said(&cli, command).to_string().len();
        let most = if command == "schema loud" {
            MOST + 50_000
        } else {
            MOST
        };
        assert!(size <= most, "{command}: {size} bytes");
    }
    let schema = &said(&cli, "schema loud")["data"]["inputSchema"]["properties"];
    assert_eq!(schema["one"]["type"], "string");
    assert_eq!(schema["some"]["items"]["type"], "string");
    assert_eq!(schema["text"].get("default"), None);
}
