//! The vectors of `corpus/atip/calls.json`: what a provider sends, and the words or the code that come of it.

use argrail_spec::export::{Format, argv};
use serde_json::{Value, json};

use crate::example::example;

const CALLS: &str = include_str!("../../../../../corpus/atip/calls.json");

#[test]
fn every_vector_of_calls_holds() {
    let cases: Vec<Value> = serde_json::from_str(CALLS).unwrap();
    let mut failed = Vec::new();
    for case in &cases {
        let input = &case["input"];
        let tools: Vec<_> = input["tools"]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| example(name.as_str().unwrap()))
            .collect();
        let provider = input["provider"].as_str().unwrap();
        let format = Format::ALL
            .into_iter()
            .find(|format| format.as_str() == provider)
            .unwrap();
        let message = match input.get("text") {
            Some(text) => text.as_str().unwrap().to_owned(),
            None => input["message"].to_string(),
        };
        let came = match argv(&tools, format, message.as_bytes()) {
            Ok(calls) => {
                let argv: Vec<_> = calls.iter().map(|call| &call.argv).collect();
                let ids: Vec<_> = calls.iter().map(|call| &call.id).collect();
                match case["expect"].get("ids") {
                    Some(_) => json!({"argv": argv, "ids": ids}),
                    None => json!({"argv": argv}),
                }
            }
            Err(error) => {
                let told = format!("{error}; {}", error.hint());
                let wanted = case["expect"]["told"].as_str().unwrap_or_default();
                match (wanted.is_empty(), told.contains(wanted)) {
                    (true, _) => json!({"error": error.code().name()}),
                    (false, true) => json!({"error": error.code().name(), "told": wanted}),
                    (false, false) => json!({"error": error.code().name(), "told": told}),
                }
            }
        };
        if came != case["expect"] {
            failed.push(format!("{}: {came}", case["id"]));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
    assert!(cases.len() > 30);
}
