//! The schemas that we generate, held against what we read and write.

use std::sync::LazyLock;

use argrail_spec::atip::{self, Metadata};
use argrail_spec::lint::{FileKind, Strictness};
use argrail_spec::schema;
use jsonschema::Validator;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::metadata::metadata;

const LOAD: &str = include_str!("../../../../corpus/atip/load.json");
const LINT: &str = include_str!("../../../../corpus/atip/lint.json");

fn validator(kind: FileKind, strictness: Strictness) -> Validator {
    jsonschema::validator_for(&schema(kind, strictness)).unwrap()
}

fn cases(text: &str) -> Vec<Value> {
    let file: Value = serde_json::from_str(text).unwrap();
    file["cases"].as_array().unwrap().clone()
}

#[test]
fn every_schema_is_one_and_names_itself() {
    for kind in FileKind::ALL {
        for strictness in [Strictness::Relaxed, Strictness::Strict] {
            let schema = schema(kind, strictness);
            assert!(jsonschema::meta::is_valid(&schema), "{schema:#}");
            assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
            assert!(schema["$id"].as_str().unwrap().contains(kind.as_str()));
            assert!(schema["title"].is_string());
        }
    }
}

#[test]
fn the_plain_form_accepts_what_is_loaded_without_complaint() {
    let relaxed = validator(FileKind::Atip, Strictness::Relaxed);
    let mut count = 0;
    for case in cases(LOAD) {
        let value = &case["input"]["metadata"];
        if case["expect"]["warnings"] == json!([]) && value.is_object() {
            let errors: Vec<_> = relaxed
                .iter_errors(value)
                .map(|error| error.to_string())
                .collect();
            assert_eq!(errors, [""; 0], "{}", case["id"]);
            count += 1;
        }
    }
    assert!(count > 20, "only {count} vectors were held against the schema");
}

#[test]
fn the_plain_form_accepts_the_examples_of_the_draft() {
    let relaxed = validator(FileKind::Atip, Strictness::Relaxed);
    for (name, text) in crate::example::EXAMPLES {
        let value: Value = serde_json::from_str(text).unwrap();
        let errors: Vec<_> = relaxed
            .iter_errors(&value)
            .map(|error| error.to_string())
            .collect();
        assert_eq!(errors, [""; 0], "{name}");
    }
}

#[test]
fn the_strict_form_agrees_with_strict_lint() {
    let strict = validator(FileKind::Atip, Strictness::Strict);
    // What a schema does not say: whether the parts fit each other.
    let beyond = |code: &str| {
        ["consistency/", "safety/", "patterns/", "quality/"]
            .iter()
            .any(|family| code.contains(family))
    };
    let mut judged = [0, 0];
    for case in cases(LINT) {
        let input = &case["input"];
        if input["strict"] != true || input["value"].get("atip").is_none() || input.get("file").is_some() {
            continue;
        }
        let codes: Vec<_> = case["expect"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one.as_str().unwrap())
            .collect();
        let errors = codes
            .iter()
            .any(|code| code.starts_with("error ") && !beyond(code));
        // Fields of later drafts are in the schema, whatever the version says.
        if codes.iter().any(|code| code.contains("draft/later-field")) {
            continue;
        }
        assert_eq!(strict.is_valid(&input["value"]), !errors, "{}", case["id"]);
        judged[usize::from(errors)] += 1;
    }
    assert!(judged.iter().all(|count| *count > 10), "{judged:?}");
}

#[test]
fn the_other_formats_have_theirs() {
    let check = |kind: FileKind, value: Value, want: bool| {
        let validator = validator(kind, Strictness::Relaxed);
        assert_eq!(validator.is_valid(&value), want, "{} {value}", kind.as_str());
    };
    let pattern = json!({"name": "a", "steps": [{"command": "git log {x}"}]});
    check(FileKind::Patterns, pattern.clone(), true);
    check(FileKind::Patterns, json!([pattern]), true);
    check(FileKind::Patterns, json!({"patterns": [pattern]}), true);
    check(FileKind::Patterns, json!({"patterns": [{}]}), false);
    check(FileKind::Patterns, json!(7), false);
    check(FileKind::Config, json!({}), true);
    check(FileKind::Config, json!({"tools": ["gh"], "rateLimit": 60}), true);
    check(
        FileKind::Config,
        json!({"tools": {"gh": {"path": "/srv/gh"}}}),
        true,
    );
    check(
        FileKind::Config,
        json!({"tools": {"gh": {"pth": "/srv/gh"}}}),
        false,
    );
    check(
        FileKind::Config,
        json!({"rateLimit": {"requests": 0, "per": "1m"}}),
        false,
    );
    check(
        FileKind::Config,
        json!({"mcpServers": {"a": {"command": "x"}, "b": {"url": "https://y"}}}),
        true,
    );
    check(
        FileKind::Config,
        json!({"mcpServers": {"a": {"command": "x", "url": "https://y"}}}),
        false,
    );
    check(FileKind::Config, json!({"maxAge": 7}), false);
    check(
        FileKind::Registry,
        json!({"version": "0.1", "tools": {"gh": {"path": "/srv/gh", "source": "native"}}}),
        true,
    );
    check(
        FileKind::Registry,
        json!({"version": "0.1", "tools": {"gh": {"source": "magic"}}}),
        false,
    );
    check(FileKind::Trust, json!({"tools": 7}), false);
    check(FileKind::CacheEntry, json!({"tool": "gh"}), false);
}

proptest! {
    #[test]
    fn metadata_that_is_written_fits_the_schema_and_is_read_again(tool in metadata()) {
        let value = serde_json::to_value(&tool).unwrap();
        static RELAXED: LazyLock<Validator> = LazyLock::new(|| validator(FileKind::Atip, Strictness::Relaxed));
        let errors: Vec<_> = RELAXED.iter_errors(&value).map(|error| error.to_string()).collect();
        prop_assert!(errors.is_empty(), "{:?}\n{:#}", errors, value);
        let loaded = atip::load(value.to_string().as_bytes()).unwrap();
        prop_assert_eq!(&loaded.warnings, &[]);
        let again: Metadata = loaded.metadata;
        prop_assert_eq!(again, tool);
    }
}
