//! The vectors of `corpus/atip/delegation.json`: who may do what in another's name.

use argrail_spec::atip::{Certainty, Flag, Invocation, Verdict, decode, decode_delegation, judge};
use argrail_spec::doc::Node;
use serde_json::{Value, json};

const CASES: &str = include_str!("../../../../corpus/atip/delegation.json");

fn texts(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|text| text.as_str().unwrap())
        .collect()
}

fn judged(case: &Value) -> String {
    let Ok(delegation) = decode_delegation(&Node::plain(&case["delegation"])) else {
        return "error".to_owned();
    };
    let invocation = &case["invocation"];
    let tool = json!({"atip": "0.1", "name": "demo", "effects": invocation["effects"]});
    let effects = decode(&Node::plain(&tool)).unwrap().metadata.effects.unwrap();
    let flags = invocation["flags"].as_array().unwrap().iter().enumerate();
    let flags: Vec<Flag<'_>> = flags
        .map(|(index, spellings)| Flag {
            spellings: texts(spellings),
            values: invocation["values"].get(index).map(texts).unwrap_or_default(),
        })
        .collect();
    let verdict = judge(
        &delegation,
        &Invocation {
            tool: invocation["tool"].as_str().unwrap(),
            path: &texts(&invocation["path"]),
            flags: &flags,
            operands: &texts(&invocation["operands"]),
            effects: &effects,
            certainty: if invocation["open"] == true {
                Certainty::Open
            } else {
                Certainty::Whole
            },
        },
    );
    match verdict {
        Verdict::Allowed => "allowed".to_owned(),
        Verdict::ToolNotAllowed => "tool".to_owned(),
        Verdict::CommandDenied { rule } => rule,
        Verdict::EffectRestricted { effect } => format!("effect {effect}"),
    }
}

#[test]
fn every_delegation_vector_holds() {
    let file: Value = serde_json::from_str(CASES).unwrap();
    let cases = file["cases"].as_array().unwrap();
    let failed: Vec<String> = cases
        .iter()
        .filter(|case| judged(case) != case["expect"].as_str().unwrap())
        .map(|case| format!("{}: {}, not {}", case["id"], judged(case), case["expect"]))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
