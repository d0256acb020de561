//! Switches that may have a value: `--tty`, `--tty=false`, and both letters of `-it`.

use argrail_acli::{Arg, Command, Kind, Style, Takes};
use serde_json::{Value, json};

use crate::styles::bind_in;
use crate::world::World;

#[test]
fn switches_with_an_optional_value_stand_in_bundles() {
    let switch = |name: &str, short| {
        Arg::option(name, Kind::Boolean, "")
            .short(short)
            .takes(Takes::Attached)
    };
    let exec = Command::new("exec", "")
        .style(Style {
            short_equals: true,
            ..Style::gnu()
        })
        .arg(switch("--stdin", 'i'))
        .arg(switch("--tty", 't'));
    let root = Command::new("", "").subcommand(exec);
    let check = |line: &str, want: Value| {
        let args = bind_in(&root, &World::new(), line).unwrap();
        assert_eq!(args.to_json(), want, "{line}");
    };
    check("exec -it", json!({"stdin": true, "tty": true}));
    check("exec -it=false", json!({"stdin": true, "tty": false}));
    check("exec -i=false --tty", json!({"stdin": false, "tty": true}));
    assert!(bind_in(&root, &World::new(), "exec -i=t").is_err());
    assert!(bind_in(&root, &World::new(), "exec -ix").is_err());
}
