//! Variables that options name (ATIP §3.2.4 `envVar`): by a tool's own word they reach it after a person's yes, by the
//! word of those who settle things at once.

use argrail_testkit::Home;
use serde_json::{Value, json};

use super::ground::{approve, asks, call, home, runs};
use crate::ARGRAIL;

/// What the tool says of itself: it reads nothing, changes nothing, and greets whom a variable names.
fn greet() -> Value {
    let option = |name: &str, variable: &str| {
        json!({"name": name, "flags": [format!("--{name}")], "type": "string",
            "description": name, "envVar": variable})
    };
    json!({"atip": "0.1", "name": "greet", "version": "1.0.0", "description": "Greets", "commands": {"hi": {
        "description": "Says hi",
        "options": [option("who", "GREET_WHO"), option("token", "GREET_TOKEN"), option("lib", "LD_PRELOAD")],
        "effects": {"network": false, "subprocess": false, "idempotent": true, "destructive": false,
            "filesystem": {"read": false, "write": false, "delete": false}}}}})
}

fn greeting() -> Home {
    let script = format!(
        "#!/bin/sh\nif [ \"$1\" = --agent ]; then echo '{}'; exit; fi\necho \"who=$GREET_WHO token=$GREET_TOKEN\"\n",
        greet()
    );
    let home = home().tool("greet", &script);
    let bin = home.bin();
    let scan = home.run(
        ARGRAIL,
        &[
            "scan",
            "--probe",
            "--timeout",
            "30s",
            "--path",
            bin.to_str().unwrap(),
        ],
    );
    assert_eq!(scan.exit, Some(0), "{scan}");
    home
}

#[test]
fn by_a_tools_own_word_a_variable_reaches_it_after_a_yes() {
    let home = greeting();
    let without = call(&home, "greet hi");
    runs(&without);
    assert_eq!(without.json()["data"]["stdout"], "who= token=\n", "{without}");
    let home = home.env("GREET_WHO", "bob").env("GREET_TOKEN", "tok-of-nobody");
    let question = asks(&call(&home, "greet hi"));
    approve(&home, &question);
    let told = call(&home, "greet hi");
    runs(&told);
    // A credential is not given on the word of the tool alone.
    assert_eq!(told.json()["data"]["stdout"], "who=bob token=\n", "{told}");
    // What is written is not taken from a variable, so nobody is asked.
    let written = call(&home, "greet hi --who ann");
    runs(&written);
    assert_eq!(written.json()["data"]["stdout"], "who= token=\n", "{written}");
}

#[test]
fn one_that_settles_it_lets_the_variable_through_at_once() {
    let home = greeting()
        .file("../config/agent-tools/overrides/greet.json", &greet().to_string())
        .env("GREET_WHO", "bob");
    let told = call(&home, "greet hi");
    runs(&told);
    assert_eq!(told.json()["data"]["stdout"], "who=bob token=\n", "{told}");
}
