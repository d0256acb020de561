//! Subcommands that are made only when a word is none of the others.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use argrail_acli::{Arg, Args, BindError, Cli, Command, Kind, Surroundings, complete, scan};
use serde_json::{Value, json};

use crate::world::{World, said, world};

fn runs(name: &str) -> Command {
    Command::new(name, "").handler(|call| async move { Ok(call.args().to_json()) })
}

/// A root that lists `a`, and has more; `made` counts how often those are made.
fn tree(made: &Arc<AtomicUsize>) -> Vec<Command> {
    let made = Arc::clone(made);
    let inside = Command::new("group", "").subcommand(runs("a")).more(move || {
        made.fetch_add(1, Ordering::Relaxed);
        let broken = runs("broken")
            .arg(Arg::flag("--x", ""))
            .arg(Arg::flag("--x", "").id("y"));
        vec![runs("late"), runs("la te"), runs("late").hidden(), broken]
    });
    vec![inside]
}

fn bind(root: &Command, words: &[&str]) -> Result<Args, BindError> {
    let roots = [PathBuf::from("/srv/files")];
    let host = World::new();
    scan(root, words).bind(Surroundings {
        host: &host,
        roots: &roots,
    })
}

#[test]
fn they_are_found_by_name_and_made_once() {
    let made = Arc::default();
    let root = Command::new("root", "").subcommands(tree(&made));
    assert!(bind(&root, &["group", "a"]).is_ok());
    assert_eq!(
        made.load(Ordering::Relaxed),
        0,
        "a listed name needs none of them"
    );
    assert!(bind(&root, &["group", "late"]).is_ok());
    assert!(bind(&root, &["group", "late"]).is_ok());
    assert!(bind(&root, &["group", "la te"]).is_err());
    assert!(
        bind(&root, &["group", "broken", "--x"]).is_err(),
        "a definition that cannot work takes no options"
    );
    assert_eq!(made.load(Ordering::Relaxed), 1);
}

#[test]
fn they_are_neither_suggested_nor_listed() {
    let made = Arc::default();
    let root = Command::new("root", "").subcommands(tree(&made));
    let error = bind(&root, &["group", "lat"]).unwrap_err();
    assert!(
        matches!(&error, BindError::CommandNotFound { nearest: None, .. }),
        "{error:?}"
    );
    let error = bind(&root, &["group"]).unwrap_err();
    assert!(
        matches!(&error, BindError::SubcommandMissing { subcommands, .. } if subcommands == &["a"]),
        "{error:?}"
    );
}

#[test]
fn they_can_be_called_and_asked_about() {
    let made = Arc::default();
    let cli = Cli::builder("x", "1", "", world())
        .command(tree(&made).remove(0))
        .build()
        .unwrap();
    assert_eq!(said(&cli, "group late")["data"], json!({}));
    assert_eq!(said(&cli, "help group late")["success"], Value::Bool(true));
    assert!(!said(&cli, "help group").to_string().contains("late"));
    assert_eq!(complete(&cli, "group ").1, ["a"]);
}

#[test]
fn a_stream_is_no_path_where_an_argument_takes_streams() {
    let tool = |arg: Arg| Command::new("root", "").subcommand(runs("cat").arg(arg));
    let file = || Arg::positional("file", Kind::File, "");
    let check = |arg: Arg, word: &str, want: Option<&str>| {
        let bound = bind(&tool(arg), &["cat", word]);
        let got = bound.as_ref().ok().map(|args| args.to_json()["file"].clone());
        assert_eq!(got, want.map(Value::from), "{word}");
    };
    check(file().takes_streams(), "-", Some("-"));
    check(file().takes_streams(), "/dev/null", Some("/dev/null"));
    check(file().takes_streams(), "/dev/stdin", Some("/dev/stdin"));
    check(file().takes_streams(), "/dev/sda", None);
    check(file().takes_streams(), "/dev/fd/3", None);
    check(file(), "-", Some("/srv/files/-"));
    check(file(), "/dev/null", None);
}
