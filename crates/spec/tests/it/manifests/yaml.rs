//! Front matter: what it means, and where it goes wrong.

use argrail_spec::doc::{FrontMatter, Limits};
use proptest::prelude::*;
use serde_json::Value;

use super::cases;

const YAML: &str = include_str!("../../../../../corpus/aip-29/yaml.json");

fn judge(case: &Value) -> Option<String> {
    let text = case["text"].as_str().unwrap();
    let want = case["expect"]
        .as_array()
        .unwrap()
        .first()
        .map(|one| one.as_str().unwrap());
    match (FrontMatter::read(text.as_bytes(), &Limits::manifest()), want) {
        (Ok(read), None) => {
            let came = read.root().to_json();
            (came != case["value"]).then(|| format!("{came}"))
        }
        (Err(problem), Some(want)) => {
            let place = argrail_spec::doc::place(text.as_bytes(), problem.span.start);
            let came = format!("{place} {}", problem.code);
            (came != want).then(|| format!("{came}: {}", problem.message))
        }
        (came, want) => Some(format!("{came:?} instead of {want:?}")),
    }
}

#[test]
fn every_vector_of_front_matter_holds() {
    let (_, cases) = cases(YAML);
    let failed: Vec<String> = cases
        .iter()
        .filter_map(|case| Some(format!("{}: {}", case["id"], judge(case)?)))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Any value without what YAML writes differently.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::from),
        "[ -~äß]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map("[a-z]{1,6}", inner, 0..5)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn json_is_yaml_that_means_the_same(value in value()) {
        let text = format!("---\n{value}\n---\n");
        let read = FrontMatter::read(text.as_bytes(), &Limits::manifest());
        prop_assert_eq!(read.map(|read| read.root().to_json()), Ok(value));
    }
}

#[test]
fn limits_are_kept() {
    let check = |yaml: String, code: &str| {
        let text = format!("---\n{yaml}\n---\n");
        let problem = FrontMatter::read(text.as_bytes(), &Limits::manifest()).unwrap_err();
        assert_eq!(problem.code, code, "{}", problem.message);
    };
    check("[".repeat(70) + &"]".repeat(70), "doc/too-deep");
    check("- ".repeat(70) + "a", "doc/too-deep");
    check(format!("[{}]", "1,".repeat(20_000)), "doc/too-many");
    check(format!("a: {}", "x".repeat(1 << 20)), "doc/too-large");
    // One long text, and aliases that would repeat it a thousand times.
    let long = format!("a: &a {}\nb: [{}]", "x".repeat(10_000), "*a,".repeat(1_000));
    check(long, "doc/too-large");
    let deep =
        |name: &str, inner: &str| format!("{name}: &{name} {}{inner}{}\n", "[".repeat(30), "]".repeat(30));
    check(
        deep("a", "1") + &deep("b", "*a") + &deep("c", "*b"),
        "doc/too-deep",
    );
}
