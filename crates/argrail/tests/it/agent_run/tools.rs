//! `--with-tools`: an agent in its sandbox calls the tool `cli` by a name that leads to us.

use super::ground::{project, run};
use crate::ARGRAIL;

#[test]
fn an_agent_is_given_the_tool_and_its_calls_are_judged_as_its_own() {
    let home = project();
    let told = run(&home, &["tools", "--with-tools", "--wait", "0"]);
    assert_eq!(
        (told.exit, told.stdout.as_str()),
        (Some(0), "about works, rm waits, no token no answer\n"),
        "{told}"
    );
    let pending = home.run(ARGRAIL, &["approvals", "--json"]).json();
    let asked = &pending["data"]["pending"][0];
    // Of a project, and so no other of the same name.
    let caller = asked["caller"].as_str().unwrap();
    assert!(caller.starts_with("local:agent:echo@1-"), "{pending}");
    assert_eq!(asked["tool"], "rm", "{pending}");
    let recorded = home.run(ARGRAIL, &["audit", "show", "--json"]).json();
    let calls = recorded["data"]["entries"].to_string();
    assert!(
        calls.contains("x-argrail about") && calls.contains("agent:echo@1-"),
        "{calls}"
    );
    let sockets = std::fs::read_dir(home.state().join("argrail/agents")).unwrap();
    let left: Vec<_> = sockets
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "sock"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn without_it_the_agent_reaches_nobody() {
    let told = run(&project(), &["tools"]);
    assert_eq!(told.exit, Some(0), "{told}");
    assert!(told.stdout.contains("about fails"), "{told}");
}

#[test]
fn a_delegation_holds_for_the_calls_of_the_agent() {
    let home = project().file("delegation.json", r#"{"allowedTools": ["ls"]}"#);
    let told = run(
        &home,
        &[
            "tools",
            "--with-tools",
            "--wait",
            "0",
            "--delegation",
            "delegation.json",
        ],
    );
    assert_eq!(told.exit, Some(0), "{told}");
    assert!(!told.stdout.contains("rm waits"), "{told}");
}
