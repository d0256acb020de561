//! A clap program's own metadata: everything that clap knows is in it, and it can be exported and called.

use argrail_spec::atip::{Effects, answer_agent, from_clap, load};
use argrail_spec::export::{Format, argv};
use clap::{Arg, ArgAction, Command, ValueHint, value_parser};
use serde_json::{Value, json};

fn program() -> Command {
    let put = Command::new("put")
        .about("Put something somewhere")
        .alias("add")
        .arg(
            Arg::new("file")
                .required(true)
                .num_args(1..)
                .value_parser(value_parser!(std::path::PathBuf)),
        )
        .arg(
            Arg::new("level")
                .long("level")
                .short('l')
                .value_parser(["low", "high"])
                .default_value("low"),
        )
        .arg(
            Arg::new("times")
                .long("times")
                .alias("often")
                .value_parser(value_parser!(u32))
                .default_value("3"),
        )
        .arg(Arg::new("rate").long("rate").value_parser(value_parser!(f64)))
        .arg(
            Arg::new("into")
                .long("into")
                .value_hint(ValueHint::DirPath)
                .env("PUT_INTO"),
        )
        .arg(
            Arg::new("from")
                .long("from")
                .value_hint(ValueHint::Url)
                .conflicts_with("into")
                .help("Where from"),
        )
        .arg(Arg::new("tag").long("tag").action(ArgAction::Append))
        .arg(Arg::new("quiet").long("quiet").action(ArgAction::SetTrue))
        .arg(Arg::new("loud").long("loud").short('v').action(ArgAction::Count))
        .arg(Arg::new("secret").long("secret").hide(true));
    let run = Command::new("run")
        .about("Run something")
        .arg(Arg::new("argv").required(true).num_args(1..).last(true));
    let debug = Command::new("debug").hide(true).about("For the authors");
    Command::new("keeper")
        .version("1.2.3")
        .about("Keeps things")
        .subcommand_required(true)
        .arg(
            Arg::new("json")
                .long("json")
                .global(true)
                .action(ArgAction::SetTrue),
        )
        .arg(Arg::new("root").short('C').help("Where to begin"))
        .subcommand(put)
        .subcommand(run)
        .subcommand(debug)
}

fn effects(path: &[&str]) -> Option<Effects> {
    (path == ["put"]).then(|| Effects {
        network: Some(false),
        ..Effects::default()
    })
}

#[test]
fn what_clap_knows_is_told() {
    let metadata = from_clap(&program(), effects);
    assert_eq!(
        serde_json::to_value(&metadata).unwrap(),
        json!({
            "atip": "0.1",
            "name": "keeper",
            "version": "1.2.3",
            "description": "Keeps things",
            "globalOptions": [
                {"name": "json", "flags": ["--json"], "type": "boolean"},
                {"name": "root", "flags": ["-C"], "type": "string", "description": "Where to begin", "x-before": true},
            ],
            "commands": {
                "put": {
                    "description": "Put something somewhere",
                    "aliases": ["add"],
                    "arguments": [{"name": "file", "type": "file", "required": true, "variadic": true}],
                    "options": [
                        {
                            "name": "level", "flags": ["-l", "--level"], "type": "enum", "default": "low",
                            "enum": ["low", "high"],
                        },
                        {"name": "times", "flags": ["--times", "--often"], "type": "integer", "default": 3},
                        {"name": "rate", "flags": ["--rate"], "type": "number"},
                        {"name": "into", "flags": ["--into"], "type": "directory", "envVar": "PUT_INTO"},
                        {
                            "name": "from", "flags": ["--from"], "type": "url", "description": "Where from",
                            "exclusive": ["into"],
                        },
                        {
                            "name": "tag", "flags": ["--tag"], "type": "array",
                            "schema": {"type": "array", "items": {"type": "string"}},
                        },
                        {"name": "quiet", "flags": ["--quiet"], "type": "boolean"},
                        {"name": "loud", "flags": ["-v", "--loud"], "type": "boolean"},
                    ],
                    "effects": {"network": false},
                },
                "run": {
                    "description": "Run something",
                    "arguments": [
                        {"name": "argv", "type": "string", "required": true, "variadic": true, "x-last": true},
                    ],
                },
                "debug": {"description": "For the authors", "hidden": true},
            },
        })
    );
}

#[test]
fn what_is_told_loads_without_a_warning_and_can_be_called() {
    let text = answer_agent(["--agent"], &program(), effects).unwrap().unwrap();
    let loaded = load(text.as_bytes()).unwrap();
    let about_descriptions =
        |warning: &argrail_spec::doc::Diagnostic| warning.message.ends_with("no \"description\"");
    assert!(
        loaded.warnings.iter().all(about_descriptions),
        "{:?}",
        loaded.warnings
    );
    let words = |name: &str, input: Value| {
        let call = json!({"type": "tool_use", "name": name, "input": input});
        let tools = std::slice::from_ref(&loaded.metadata);
        argv(tools, Format::Anthropic, call.to_string().as_bytes())
            .unwrap()
            .remove(0)
            .argv
    };
    let input = json!({"file": ["-a", "b"], "level": "high", "tag": ["x"], "json": true, "root": "/srv"});
    let put = words("keeper_put", input);
    let parsed = program().try_get_matches_from(&put).unwrap();
    assert_eq!(parsed.get_one::<String>("root").unwrap(), "/srv", "{put:?}");
    let inside = parsed.subcommand_matches("put");
    assert!(inside.is_some_and(|inside| inside.get_flag("json")), "{put:?}");
    for input in [json!({"argv": ["ls", "-l"]}), json!({"argv": ["-l"]})] {
        let run = words("keeper_run", input);
        assert!(program().try_get_matches_from(&run).is_ok(), "{run:?}");
        assert_eq!(run[2], "--");
    }
}

#[test]
fn a_program_without_subcommands_is_the_command_without_a_name() {
    let program = Command::new("one")
        .about("Does one thing")
        .arg(Arg::new("x").required(true));
    let metadata = from_clap(&program, |_| None);
    let itself = &metadata.commands[""];
    assert_eq!((metadata.commands.len(), itself.arguments.len()), (1, 1));
    assert_eq!(itself.description, "Does one thing");
}

#[test]
fn parts_are_answered_and_other_words_are_not() {
    let part = answer_agent(["--agent", "--commands=put", "--depth=1"], &program(), effects);
    let part: Value = serde_json::from_str(&part.unwrap().unwrap()).unwrap();
    assert_eq!(part["partial"], true);
    assert_eq!(part["filter"], json!({"commands": ["put"], "depth": 1}));
    assert_eq!(
        (&part["totalCommands"], &part["includedCommands"]),
        (&json!(3), &json!(1))
    );
    assert_eq!(
        part["omitted"],
        json!({"reason": "filtered", "safetyAssumption": "unknown"})
    );
    assert!(answer_agent(["put", "--agent"], &program(), effects).is_none());
    assert!(
        answer_agent(["--agent", "put"], &program(), effects)
            .unwrap()
            .is_err()
    );
}
