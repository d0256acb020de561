//! Whose a value is: options that share a name, and values that look like options.

use argrail_acli::{Arg, BindError, Command, Kind, Scope};
use serde_json::{Value, json};

use crate::styles::bind_in;
use crate::world::World;

#[test]
fn two_options_of_the_same_name_stay_two() {
    let text = |name: &str| Arg::option(name, Kind::String, "");
    let commit = Command::new("commit", "")
        .arg(text("-C"))
        .handler(|_| async { Ok(Value::Null) });
    let git = Command::new("git", "")
        .arg(text("-C").scope(Scope::Here))
        .subcommand(commit);
    let root = Command::new("root", "").subcommand(git);
    let bound = |line: &str| bind_in(&root, &World::new(), line).unwrap();
    assert_eq!(
        bound("git -C dir commit -C HEAD").get::<&str>("C").unwrap(),
        "HEAD"
    );
    assert_eq!(bound("git -C dir commit -C HEAD").to_json(), json!({"C": "HEAD"}));
    assert_eq!(bound("git commit -C HEAD").to_json(), json!({"C": "HEAD"}));
}

#[test]
fn a_forgotten_value_is_not_the_next_option_however_it_is_written() {
    let command = Command::new("w", "")
        .arg(Arg::option("--summary", Kind::String, ""))
        .arg(Arg::option("--max", Kind::Integer, "").short('n'))
        .arg(Arg::flag("-f", "").alias("--force"))
        .arg(Arg::flag("-v", "").many().env("LOUD"));
    let root = Command::new("root", "").subcommand(command);
    for line in [
        "w --summary -n10",
        "w --summary -fv",
        "w --summary -n=10",
        "w --summary --max=1",
        "w --summary --",
    ] {
        let error = bind_in(&root, &World::new(), line).unwrap_err();
        assert!(matches!(error, BindError::ValueMissing { .. }), "{line}: {error}");
    }
    let bound = bind_in(&root, &World::new(), "w --summary -5 -vv").unwrap();
    assert_eq!(bound.to_json(), json!({"summary": "-5", "v": 2}));
    let off = World::new().env("LOUD", "0");
    assert_eq!(bind_in(&root, &off, "w").unwrap().to_json(), json!({"v": 0}));
}

#[test]
fn what_stands_for_all_arguments_stands_alone() {
    let command = Command::new("get", "")
        .arg(Arg::option("--zone", Kind::String, "").required())
        .arg(Arg::option("--n", Kind::Integer, "").default(1))
        .arg(Arg::option("--json", Kind::String, "").whole());
    let root = Command::new("root", "").subcommand(command);
    let bound = |line: &str| bind_in(&root, &World::new(), line);
    assert!(matches!(bound("get"), Err(BindError::Missing { .. })));
    assert!(bound("get --zone x").is_ok());
    assert_eq!(bound("get --json {}").unwrap().get::<&str>("json"), Ok("{}"));
    assert_eq!(
        bound("get --json {} --zone x").unwrap_err(),
        BindError::Exclusive {
            names: vec!["--json".to_owned(), "--zone".to_owned()]
        }
    );
}
