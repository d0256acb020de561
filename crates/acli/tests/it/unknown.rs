//! Words that nobody describes, where a style keeps them instead of refusing them.

use argrail_acli::{Arg, Command, Item, Kind, Style, Takes, Unknown, scan};
use serde_json::Value;

/// A tool of which little is known.
fn tool(style: Style) -> Command {
    let runs = |name: &str| Command::new(name, "").handler(|_| async { Ok(Value::Null) });
    let put = runs("put")
        .arg(Arg::flag("--force", "").short('f'))
        .arg(Arg::flag("-v", ""))
        .arg(Arg::option("--max", Kind::Integer, "").short('n'))
        .arg(Arg::positional("name", Kind::String, "").optional());
    let list = runs("list").arg(Arg::positional("path", Kind::String, "").optional().many());
    let tool = Command::new("tool", "")
        .style(Style {
            unknown: Unknown::Keep,
            ..style
        })
        .subcommand(put)
        .subcommand(list)
        .subcommand(runs("none"));
    Command::new("root", "").subcommand(tool)
}

/// Writes what was read: `+word` was kept, `-name=value` is an option.
fn read(style: Style, line: &str) -> String {
    let tree = tool(style);
    let words: Vec<&str> = line.split(' ').collect();
    let scan = scan(&tree, &words);
    let items = match &scan.items {
        Ok(items) => items,
        Err(error) => return format!("error: {error}"),
    };
    let path = scan.path.iter().map(|command| command.name().to_owned());
    let items = items.iter().map(|item| match item {
        Item::Word(word) => (*word).to_owned(),
        Item::Unknown(word) => format!("+{word}"),
        Item::Option { arg, values, .. } => format!("-{}={}", arg.0.name(), values.join(",")),
    });
    path.chain(items).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(line: &str, want: &str) {
    assert_eq!(read(Style::gnu(), line), want, "{line}");
}

#[test]
fn an_unknown_option_is_kept_whole_and_takes_nothing_with_it() {
    check("tool put --nope x", "tool put +--nope x");
    check("tool put --nope=3 -n5", "tool put +--nope=3 -max=5");
    check("tool --nope put x", "tool put +--nope x");
    check("tool put -vf", "tool put -v= -force=");
    check("tool put -vxf", "tool put +-vxf");
    check("tool put -5", "tool put +-5");
    check("tool put -- --nope", "tool put --nope");
}

#[test]
fn a_word_too_many_is_kept() {
    check("tool put a b c", "tool put a +b +c");
    check("tool put a -- -b", "tool put a +-b");
    check("tool list a b c", "tool list a b c");
    check("tool none a --x", "tool none +a +--x");
}

#[test]
fn an_unknown_subcommand_is_kept_and_what_follows_is_none() {
    check("tool nope put", "tool +nope +put");
    check("tool -- put", "tool +-- +put");
    check("tool", "error: 'tool' needs a subcommand");
    check("tool --nope", "error: 'tool' needs a subcommand");
}

#[test]
fn what_is_wrong_stays_wrong() {
    check("tool put --forc", "error: '--forc' is short for '--force'");
    check("tool put -n", "error: '-n' wants a value");
    check("tool put --force=1", "error: '--force' takes no value");
}

#[test]
fn an_old_bundle_with_an_unknown_letter_is_kept_whole() {
    let tar = |unknown| {
        let tar = Command::new("tar", "")
            .style(Style {
                unknown,
                ..Style::tar()
            })
            .arg(Arg::flag("-x", ""))
            .arg(Arg::option("-f", Kind::String, ""))
            .arg(Arg::positional("file", Kind::String, "").optional().many());
        Command::new("root", "").subcommand(tar.handler(|_| async { Ok(Value::Null) }))
    };
    let words = ["tar", "xQf", "a.tar"];
    let kept = tar(Unknown::Keep);
    assert_eq!(
        scan(&kept, &words).items.unwrap(),
        [Item::Unknown("xQf"), Item::Word("a.tar")]
    );
    assert!(scan(&tar(Unknown::Refuse), &words).items.is_err());
}

#[test]
fn words_of_an_option_end_where_its_grammar_says() {
    let find = |ends: &[&str]| {
        let ends = ends.iter().map(|end| (*end).to_owned()).collect();
        let find = Command::new("find", "")
            .style(Style::find())
            .arg(Arg::option("-exec", Kind::String, "").takes(Takes::Until(ends)))
            .arg(Arg::flag("-print", ""));
        Command::new("root", "").subcommand(find.handler(|_| async { Ok(Value::Null) }))
    };
    let check = |ends: &[&str], line: &str, want: Option<&str>| {
        let (root, words): (Command, Vec<&str>) = (find(ends), line.split(' ').collect());
        let scan = scan(&root, &words);
        let read = scan.items.ok().map(|items| match items.first() {
            Some(Item::Option { values, .. }) => format!("{} {}", values.len(), items.len()),
            Some(Item::Word(_) | Item::Unknown(_)) | None => String::new(),
        });
        assert_eq!(read.as_deref(), want, "{line}");
    };
    let ends = [";", "{} +"];
    check(&ends, "find -exec ls ; -print", Some("2 2"));
    check(&ends, "find -exec echo + {} ; -print", Some("4 2"));
    check(&ends, "find -exec echo {} + -print", Some("3 2"));
    check(&ends, "find -exec echo", None);
    check(&["\\;", ""], "find -exec echo -print", Some("2 1"));
    check(&[""], "find -exec", None);
}
