//! Intents of a bundle: listed, and routed by their conditions.

use serde_json::{Value, json};

use super::demo;

#[test]
fn an_intent_leads_to_a_tool_with_its_input() {
    let bundle = demo();
    let look = bundle.intent("demo.look").unwrap();
    let check = |given: Value, want: Option<(&str, Value)>| {
        let routed = bundle.route(look, given.as_object().unwrap());
        let came = routed.map(|routed| (routed.tool.tool.id.as_str(), routed.input));
        assert_eq!(came, want, "{given}");
    };
    check(
        json!({"what": 7}),
        Some(("demo.view", json!({"number": 7, "how": "text"}))),
    );
    // What is hidden is not sent, what is shown is, under the name that the tool has for it.
    check(
        json!({"what": 7, "hidden": "x"}),
        Some(("demo.view", json!({"number": 7, "how": "text"}))),
    );
    check(
        json!({"what": 7, "how": "web", "hidden": "x"}),
        Some(("demo.view", json!({"number": 7, "how": "web", "title": "x"}))),
    );
    // No condition holds: the default. What is no input is not sent.
    check(
        json!({"what": 0, "state": "open"}),
        Some(("demo.list", json!({"what": 0, "how": "text"}))),
    );
}

#[test]
fn a_list_of_intents_speaks_the_language_of_its_reader() {
    let bundle = demo();
    let look = bundle.intent("demo.look").unwrap();
    let listing = look.listing("de-AT");
    assert_eq!(listing.label, "Ein Ding ansehen");
    assert_eq!(listing.description, "Shows an item.");
    assert_eq!(look.listing("en").label, "Look at an item");
    assert_eq!(
        (listing.phrases, listing.examples),
        (vec!["show me an item".to_owned()], vec!["show 7".to_owned()])
    );
    assert!(bundle.intent("demo.other").is_none());
}
