//! Words that nobody checked are told as such, by one line and, among others, by a mark.

use argrail_acli::{Arg, Cli, Command, Kind, UNCHECKED, Wording};
use serde_json::{Value, json};

use crate::world::{said, world};

fn runs(name: &str) -> Command {
    Command::new(name, "Does it").handler(|_| async { Ok(Value::Null) })
}

/// `own` is checked but for one option; `foreign` is not, nor is anything below it.
fn cli() -> Cli {
    let option = Arg::option("--read", Kind::String, "Read off").wording(Wording::Unchecked);
    let own = runs("own").arg(Arg::flag("--plain", "Plain")).arg(option);
    let foreign = Command::new("foreign", "Theirs")
        .subcommand(runs("below").arg(Arg::flag("--x", "X")))
        .wording(Wording::Unchecked);
    let plain = runs("plain");
    Cli::builder("t", "1", "T", world())
        .command(own)
        .command(foreign)
        .command(plain)
        .build()
        .unwrap()
}

#[test]
fn a_notice_stands_above_and_a_mark_where_only_some_are() {
    let cli = cli();
    let check = |line: &str, list: &str, notice: bool, marked: &[&str]| {
        let data = said(&cli, line)["data"].clone();
        let want = if notice { json!(UNCHECKED) } else { Value::Null };
        assert_eq!(data["notice"], want, "{line}: {data:#}");
        let entries = data[list].as_array().cloned().unwrap_or_default();
        let is_marked = |entry: &&Value| entry["unchecked"] == true;
        let names: Vec<Value> = entries
            .iter()
            .filter(is_marked)
            .map(|entry| {
                [&entry["name"], &entry["command"]]
                    .into_iter()
                    .find(|name| !name.is_null())
                    .cloned()
                    .unwrap()
            })
            .collect();
        assert_eq!(json!(names), json!(marked), "{line}: {data:#}");
    };
    check("help", "commands", true, &["foreign"]);
    check("help own", "arguments", true, &["--read"]);
    check("help plain", "arguments", false, &[]);
    check("help foreign", "commands", true, &[]);
    check("help foreign below", "arguments", true, &[]);
    check("schema", "commands", true, &["own", "foreign below"]);
    check("schema foreign", "commands", true, &[]);
    check("schema own", "commands", true, &[]);
    check("schema plain", "commands", false, &[]);
}
