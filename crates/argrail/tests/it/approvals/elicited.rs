//! A person who is asked through the client that the agent runs in.

use argrail_engine::store::{Means, State};
use argrail_testkit::mcp::Client;
use serde_json::{Value, json};

use super::ground::{approve, connect, envelope, home, question, said, start, waits};

/// Starts a call, and returns it with the question that the client is asked.
fn asked(client: &mut Client, command: &str) -> (i64, Value) {
    let call = start(client, command);
    (call, client.asked("elicitation/create"))
}

fn choice(word: &str) -> Value {
    json!({"action": "accept", "content": {"decision": word}})
}

#[test]
fn a_yes_through_the_client_runs_it_and_says_how() {
    let home = home();
    let mut client = connect(&home, &json!({"elicitation": {}}));
    let (call, question_asked) = asked(&mut client, "touch 'a\u{202e}b c'");
    let message = question_asked["params"]["message"].as_str().unwrap();
    assert!(message.contains("\n  a\\u{202e}b c\n"), "{message}");
    assert!(message.contains("it: writes files"), "{message}");
    let id = waits(&mut client);
    assert!(message.contains(&format!("argrail approve {id}")), "{message}");
    client.answer(&question_asked, &choice("approve once"));
    assert_eq!(envelope(&mut client, call)["success"], true);
    assert_eq!(said(&home, "a\u{202e}b c").as_deref(), Some(""));
    match question(&home, &id).state {
        State::Used(approver) => assert_eq!(approver.means, Means::Elicitation),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_no_is_one_and_a_closed_form_is_none() {
    let home = home();
    let mut client = connect(&home, &json!({"elicitation": {"form": {}}}));
    let (call, form) = asked(&mut client, "touch one");
    client.answer(&form, &json!({"action": "decline"}));
    assert_eq!(envelope(&mut client, call)["error"]["reason"], "denied_by_human");

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
fn what_destroys_is_not_approved_through_a_client() {
    let home = home().file("note", "keep\n");
    let mut client = connect(&home, &json!({"elicitation": {}}));
    let (call, form) = asked(&mut client, "rm note");
    let id = waits(&mut client);
    let message = form["params"]["message"].as_str().unwrap();
    assert!(
        message.contains(&format!("A person has to run: argrail approve {id}")),
        "{message}"
    );
    let choices = &form["params"]["requestedSchema"]["properties"]["decision"]["enum"];
    assert_eq!(choices, &json!(["keep waiting", "deny"]));
    client.answer(&form, &choice("approve once"));
    // Two looks at the store later it still waits.
    waits(&mut client);
    waits(&mut client);
    assert_eq!(question(&home, &id).state, State::Pending);
    assert_eq!(said(&home, "note").as_deref(), Some("keep\n"));
    approve(&home, &id);
    assert_eq!(envelope(&mut client, call)["success"], true);
    assert_eq!(said(&home, "note"), None);
}

#[test]
fn a_question_that_was_answered_elsewhere_is_taken_back() {
    let home = home();
    let mut client = connect(&home, &json!({"elicitation": {}}));
    let (call, form) = asked(&mut client, "touch note");
    let id = waits(&mut client);
    approve(&home, &id);
    assert_eq!(envelope(&mut client, call)["success"], true);
    let cancelled = client.notification("notifications/cancelled");
    assert_eq!(cancelled["params"]["requestId"], form["id"]);
}

#[test]
fn a_client_that_does_not_offer_it_is_not_asked() {
    let home = home();
    for capabilities in [json!({}), json!({"elicitation": {"url": {}}})] {
        let mut client = connect(&home, &capabilities);
        let call = start(&mut client, "touch note");
        let id = waits(&mut client);
        waits(&mut client);
        approve(&home, &id);
        assert_eq!(envelope(&mut client, call)["success"], true);
        assert!(client.requests().is_empty(), "{:?}", client.requests());
    }
}
