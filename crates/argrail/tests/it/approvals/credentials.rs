//! Credentials and code of the workspace meet by a person's yes to exactly that call, which is told which they are.

use std::fs;
use std::time::Duration;

use argrail_testkit::Home;
use serde_json::{Value, json};

use super::ground::{approve, asks, call, grant, home, question};

const HOUR: Duration = Duration::from_secs(3600);
const PUBLISH: &str = "cargo publish";

/// A `cargo` that says whether it could open its credentials, and whether it has a variable of somebody's.
fn ground() -> Home {
    let home = home().tool(
        "cargo",
        "#!/bin/sh\n{ read -r line < \"$HOME/.cargo/credentials.toml\"; } 2>/dev/null && echo opened\n\
         { read -r line < \"$HOME/.cargo/registry/index\"; } 2>/dev/null && echo read\necho done\n",
    );
    let cargo = home.root().join("home/.cargo");
    fs::create_dir_all(cargo.join("registry")).unwrap();
    fs::write(cargo.join("credentials.toml"), "token = \"hunter2plain\"\n").unwrap();
    fs::write(cargo.join("registry/index"), "x\n").unwrap();
    home
}

fn stdout(run: &argrail_testkit::Run) -> Value {
    run.json()["data"]["stdout"].clone()
}

#[test]
fn a_yes_opens_the_credentials_that_the_question_names() {
    let home = ground();
    let run = call(&home, PUBLISH);
    let id = asks(&run);
    let shown = question(&home, &id).shown;
    assert_eq!(
        shown["sandbox"]["secrets"],
        json!(["~/.cargo/credentials.toml"]),
        "{shown:#}"
    );
    let effects = shown["effects"].to_string();
    assert!(
        effects.contains("~/.cargo/credentials.toml to code that nobody vouches for"),
        "{effects}"
    );
    approve(&home, &id);
    assert_eq!(stdout(&call(&home, PUBLISH)), "opened\nread\ndone\n");
}

#[test]
fn a_grant_opens_none_to_code_of_the_workspace() {
    let home = ground();
    grant(&home, "cargo publish host=* +destructive", None, HOUR);
    assert_eq!(stdout(&call(&home, PUBLISH)), "read\ndone\n");
}

#[test]
fn a_call_that_asks_for_another_reason_gets_none_that_it_does_not_name() {
    let home = ground();
    let id = asks(&call(&home, "cargo build"));
    assert_eq!(question(&home, &id).shown["sandbox"]["secrets"], Value::Null);
    approve(&home, &id);
    assert_eq!(stdout(&call(&home, "cargo build")), "read\ndone\n");
}
