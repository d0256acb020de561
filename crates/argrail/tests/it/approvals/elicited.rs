//! Questions shown through the client that the agent runs in. The client is a program of the agent's: what it answers
//! counts only where a person switched that on, and never for what is dangerous or not known.

use argrail_engine::policy::ApprovalMeans;
use argrail_engine::store::State;
use argrail_testkit::Home;
use argrail_testkit::mcp::Client;
use serde_json::{Value, json};

use super::ground::{approve, connect, connect_to, envelope, home, question, said, start, waits};
use crate::ARGRAIL;

/// A server whose client answers for a person.
fn switched_on(home: &Home) -> Client {
    connect_to(home, &["--elicitation"], &json!({"elicitation": {}}))
}

/// Starts a call, and returns it with the question that the client is shown.
fn asked(client: &mut Client, command: &str) -> (i64, Value) {
    let call = start(client, command);
    (call, client.asked("elicitation/create"))
}

fn choice(word: &str) -> Value {
    json!({"action": "accept", "content": {"decision": word}})
}

/// What a client can say to have its way, or to do harm.
fn all_answers() -> Vec<Value> {
    vec![
        choice("approve once"),
        json!({"action": "accept", "content": {}}),
        json!({"action": "accept"}),
        choice("deny"),
        json!({"action": "decline"}),
        json!({"action": "cancel"}),
    ]
}

/// Sees that a call whose question was answered through the client waits for a person all the same, who then decides.
#[track_caller]
fn still_waits(home: &Home, client: &mut Client, call: i64) {
    // Two looks at the store later it still waits.
    waits(client);
    waits(client);
    let id = waits(client);
    assert_eq!(question(home, &id).state, State::Pending);
    approve(home, &id);
    let done = envelope(client, call);
    assert_eq!(done["success"], true, "{done:#}");
    match question(home, &id).state {
        State::Used(approver) => assert_eq!(approver.means, ApprovalMeans::Terminal),
        other => panic!("{other:?}"),
    }
}

/// The records of answers.
fn answers(home: &Home) -> Vec<Value> {
    let shown = home.run(ARGRAIL, &["audit", "show", "--action", "approval", "--json"]);
    let entries = shown.json()["data"]["entries"].clone();
    let entries = entries.as_array().unwrap().iter();
    entries
        .filter(|entry| entry["action"] != "approval.asked")
        .cloned()
        .collect()
}

#[test]
fn a_client_that_answers_its_own_question_gets_nothing() {
    let home = home();
    for (at, answer) in all_answers().iter().enumerate() {
        let mut client = connect(&home, &json!({"elicitation": {}}));
        let (call, shown) = asked(&mut client, &format!("touch note-{at}"));
        let id = waits(&mut client);
        let message = shown["params"]["message"].as_str().unwrap();
        assert!(
            message.contains("neither a yes nor a no that is given here counts")
                && message.contains(&format!(
                    "A person has to run: argrail approve {id}, or: argrail deny {id}"
                )),
            "{message}"
        );
        assert_eq!(
            shown["params"]["requestedSchema"]["properties"],
            json!({}),
            "{shown}"
        );
        client.answer(&shown, answer);
        waits(&mut client);
        assert_eq!(said(&home, &format!("note-{at}")), None, "{answer}");
        still_waits(&home, &mut client, call);
        assert_eq!(said(&home, &format!("note-{at}")).as_deref(), Some(""));
    }
    assert_eq!(answers(&home), [Value::Null; 0], "nobody else decided");
}

#[test]
fn where_it_is_switched_on_a_yes_counts_and_is_recorded_as_the_clients_word() {
    let by_flag = home();
    let by_key = home().config(r#"{"elicitation": true}"#);
    let clients = [
        (switched_on(&by_flag), &by_flag),
        (connect(&by_key, &json!({"elicitation": {}})), &by_key),
    ];
    for (mut client, home) in clients {
        let (call, form) = asked(&mut client, "touch 'a\u{202e}b c'");
        let message = form["params"]["message"].as_str().unwrap();
        assert!(message.contains("\n  a\\u{202e}b c\n"), "{message}");
        assert!(message.contains("it: writes files"), "{message}");
        let id = waits(&mut client);
        assert!(message.contains(&format!("argrail approvals {id}")), "{message}");
        client.answer(&form, &choice("approve once"));
        assert_eq!(envelope(&mut client, call)["success"], true);
        assert_eq!(said(home, "a\u{202e}b c").as_deref(), Some(""));
        let State::Used(approver) = question(home, &id).state else {
            panic!("{:?}", question(home, &id).state);
        };
        let who = "client local:argrail-testkit";
        assert_eq!(
            (approver.means, approver.who.as_str()),
            (ApprovalMeans::Elicitation, who)
        );
        let answers = answers(home);
        let [answer] = answers.as_slice() else {
            panic!("{answers:#?}");
        };
        assert_eq!(answer["action"], "approval.approved");
        assert_eq!(
            answer["actor"],
            json!({"id": who, "role": "client"}),
            "{answer:#}"
        );
        assert_eq!(answer["metadata"]["means"], "elicitation");
        let intended = home.run(ARGRAIL, &["audit", "show", "--action", "cli.intended", "--json"]);
        let approver = &intended.json()["data"]["entries"][0]["metadata"]["approver"];
        assert_eq!(approver, &json!({"who": who, "means": "elicitation"}));
    }
}

#[test]
fn where_it_is_switched_on_a_no_is_one_and_a_closed_form_is_none() {
    let home = home();
    let mut client = switched_on(&home);
    let (call, form) = asked(&mut client, "touch one");
    client.answer(&form, &json!({"action": "decline"}));
    let error = envelope(&mut client, call)["error"].clone();
    assert_eq!(error["reason"], "denied_by_human");
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains("the client that speaks for a person said no"),
        "{message}"
    );

    let (call, form) = asked(&mut client, "touch two");
    client.answer(&form, &json!({"action": "cancel"}));
    let id = loop {
        let id = waits(&mut client);
        if question(&home, &id).state == State::Pending {
            break id;
        }
    };
    approve(&home, &id);
    assert_eq!(envelope(&mut client, call)["success"], true);
    assert_eq!(
        (said(&home, "one"), said(&home, "two").as_deref()),
        (None, Some(""))
    );
}

#[test]
fn what_is_dangerous_or_not_known_is_only_told() {
    let tool = "#!/bin/sh\nexit 0\n";
    let home = home()
        .file("note", "keep\n")
        .file("Makefile", "all:\n")
        .tool("nobody-knows", tool)
        .tool("make", tool);
    let commands = [
        "rm note",
        "nobody-knows",
        "nobody-knows --all",
        "sh -c 'true'",
        "env sh -c true",
        "env -S true",
        "make",
        "find . -name x -exec touch {} \\;",
        "ls --no-such-option",
    ];
    for command in commands {
        let mut client = switched_on(&home);
        let call = start(&mut client, command);
        if command.contains("no-such") {
            // Its grammar is known to the end: this is refused before anybody is asked.
            assert_eq!(envelope(&mut client, call)["error"]["code"], "VALIDATION_ERROR");
            continue;
        }
        let form = client.asked("elicitation/create");
        assert_eq!(
            form["params"]["requestedSchema"]["properties"],
            json!({}),
            "{command}: {form}"
        );
        let id = waits(&mut client);
        client.answer(&form, &choice("approve once"));
        waits(&mut client);
        waits(&mut client);
        assert_eq!(question(&home, &id).state, State::Pending, "{command}");
    }
    assert_eq!(said(&home, "note").as_deref(), Some("keep\n"));
}

#[test]
fn a_question_that_was_answered_elsewhere_is_taken_back() {
    let home = home();
    for mut client in [switched_on(&home), connect(&home, &json!({"elicitation": {}}))] {
        let (call, form) = asked(&mut client, "touch note");
        let id = waits(&mut client);
        approve(&home, &id);
        assert_eq!(envelope(&mut client, call)["success"], true);
        let cancelled = client.notification("notifications/cancelled");
        assert_eq!(cancelled["params"]["requestId"], form["id"]);
    }
}

#[test]
fn a_client_that_does_not_offer_it_is_not_asked() {
    let home = home();
    for capabilities in [json!({}), json!({"elicitation": {"url": {}}})] {
        let mut client = connect_to(&home, &["--elicitation"], &capabilities);
        let call = start(&mut client, "touch note");
        let id = waits(&mut client);
        waits(&mut client);
        approve(&home, &id);
        assert_eq!(envelope(&mut client, call)["success"], true);
        assert!(client.requests().is_empty(), "{:?}", client.requests());
    }
}

#[test]
fn what_the_configuration_switches_off_no_flag_switches_on() {
    let home = home().config(r#"{"elicitation": false}"#);
    let run = home.run(ARGRAIL, &["serve", "--elicitation"]);
    assert_eq!(run.exit, Some(2), "{run}");
    assert!(run.stderr.contains("switched off in"), "{run}");
    let wrong = home.config(r#"{"elicitation": "yes"}"#).run(ARGRAIL, &["serve"]);
    assert!(
        wrong.stderr.contains("elicitation: expected true or false"),
        "{wrong}"
    );
}
