//! The hosts of a bundle whose program nobody else describes: asked about, and after a yes the block's and no others.

use argrail_testkit::Home;
use serde_json::{Value, json};

use super::ground::{CLI, LIST, PROGRAM, call, done, project};
use crate::ARGRAIL;
use crate::approvals::ground::{approve, asks_in};

fn why(home: &Home) -> Value {
    let told = home
        .run(ARGRAIL, &["why", "--json", "--", "notes", "list"])
        .json();
    assert_eq!(told["data"]["decision"], "ask", "{told:#}");
    told["data"]["sandbox"]["egress"].clone()
}

#[test]
fn hosts_of_an_accepted_bundle_are_reached_after_a_yes() {
    let cli = CLI.replace("egress: []", "egress: [api.acme.com, \"*.acme.org\"]");
    let home = project().file(".cli/notes/CLI.md", &cli).tool("notes", PROGRAM);
    done(&home, &["trust", "--yes", "."]);
    assert_eq!(why(&home), json!(["api.acme.com", "*.acme.org"]));
    let asked = call(&home, "notes list");
    approve(&home, &asks_in(&asked));
    let answer = call(&home, "notes list");
    assert_eq!(answer["data"][0]["id"], 1, "{answer:#}");
    // A tool that gives up hosts has given them up.
    let narrowed = LIST.replace(
        "runner:",
        "sandbox: { network: { egress: [api.acme.com] } }\nrunner:",
    );
    let home = home.file(".cli/notes/tools/list/TOOL.md", &narrowed);
    done(&home, &["trust", "--yes", "."]);
    assert_eq!(why(&home), json!(["api.acme.com"]));
}
