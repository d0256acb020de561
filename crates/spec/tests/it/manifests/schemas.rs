//! The schemas that are generated, held against the vectors: what loads fits, what has another shape does not.

use std::collections::HashMap;
use std::sync::LazyLock;

use argrail_spec::doc::{Diagnostic, FrontMatter, Limits, Severity};
use argrail_spec::lint::{FileKind, Strictness, lint};
use argrail_spec::manifest::{Loaded, Refused};
use argrail_spec::schema;
use jsonschema::Validator;
use proptest::prelude::*;
use serde_json::Value;

use super::cases;
use super::fields::{FILES, assembled};

/// Complaints that a schema can make, too.
const SHAPES: [&str; 4] = [
    "manifest/missing",
    "manifest/unknown-field",
    "manifest/type",
    "manifest/misplaced-field",
];

fn codes(case: &Value, severity: &str) -> Vec<String> {
    let expect = case["expect"].as_array().unwrap().iter();
    let errors = expect.filter(|one| one[0] == severity);
    errors.map(|one| one[1].as_str().unwrap().to_owned()).collect()
}

#[test]
fn schemas_agree_with_the_vectors() {
    let mut failed = Vec::new();
    let mut judged = [0, 0];
    for (file, text) in FILES {
        let kind = FileKind::of_manifest(file).unwrap();
        let validator = jsonschema::validator_for(&schema(kind, Strictness::Relaxed)).unwrap();
        let (base, cases) = cases(text);
        for case in cases {
            let manifest = assembled(&base, &case);
            let read = FrontMatter::read(manifest.as_bytes(), &Limits::manifest()).unwrap();
            let value = read.root().to_json();
            let errors = codes(&case, "error");
            // A runner's file may hold the block under its name, and a file its own: the schema is that of the block.
            let in_file = kind == FileKind::Runner && value.get("runner").is_some();
            // What the drafts' schemas leave open, or have under another name.
            let beyond = OTHERWISE.contains(&case["id"].as_str().unwrap());
            let old = beyond || value.get("actions").is_some();
            if errors.is_empty() && !in_file && !old {
                judged[0] += 1;
                let wrong: Vec<_> = validator.iter_errors(&value).map(|one| one.to_string()).collect();
                if !wrong.is_empty() {
                    failed.push(format!("{} is refused: {wrong:?}", case["id"]));
                }
            } else if errors.iter().any(|code| SHAPES.contains(&code.as_str())) && !old {
                judged[1] += 1;
                if validator.is_valid(&value) {
                    failed.push(format!("{} is accepted", case["id"]));
                }
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(judged.iter().all(|count| *count > 50), "{judged:?}");
}

/// What a schema cannot say: it needs a parser, another field, or is read in fields of anybody's own.
const BEYOND: [&str; 12] = [
    "expected a regular expression",
    "expected a range of versions",
    "it has no words",
    "expected a command or a page",
    "this method needs",
    "this transport needs",
    "leads out of the folder",
    "a segment is longer",
    "metadata.",
    "options[",
    "a selection needs options",
    "options belong to type",
];

/// Vectors that the schemas of the drafts leave open, or have under another name.
const OTHERWISE: [&str; 5] = [
    "cli-install-open",
    "cli-intents-actions",
    "intent-action",
    "sandbox36-shell",
    "sandbox36-policy",
];

/// A manifest without errors, and the schema of its kind.
struct Sample {
    file: &'static str,
    id: String,
    value: Value,
    pointers: Vec<String>,
}

/// Every manifest of the vectors that can be used.
static SAMPLES: LazyLock<Vec<Sample>> = LazyLock::new(|| {
    let mut samples = Vec::new();
    for (file, text) in FILES {
        let (base, cases) = cases(text);
        for case in cases.iter().filter(|case| codes(case, "error").is_empty()) {
            let text = assembled(&base, case);
            let read = FrontMatter::read(text.as_bytes(), &Limits::manifest()).unwrap();
            let value = read.root().to_json();
            let mut pointers = Vec::new();
            collect_pointers(&value, "", &mut pointers);
            let id = case["id"].as_str().unwrap().to_owned();
            // A runner's file may hold the block under its name; an install that is left open is told, not refused.
            let other = value.get("runner").is_some() && file == "RUNNER.md";
            if other || OTHERWISE.contains(&id.as_str()) || value["install"].is_null() && file == "CLI.md" {
                continue;
            }
            samples.push(Sample {
                file,
                id,
                value,
                pointers,
            });
        }
    }
    samples
});

static VALIDATORS: LazyLock<HashMap<&'static str, Validator>> = LazyLock::new(|| {
    let validator = |(file, _): (&'static str, &str)| {
        let kind = FileKind::of_manifest(file).unwrap();
        let schema = schema(kind, Strictness::Relaxed);
        (file, jsonschema::validator_for(&schema).unwrap())
    };
    FILES.into_iter().map(validator).collect()
});

/// Collects the way to every value inside.
fn collect_pointers(value: &Value, at: &str, out: &mut Vec<String>) {
    let members: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(key, one)| (key.clone(), one)).collect(),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .map(|(at, one)| (at.to_string(), one))
            .collect(),
        _ => Vec::new(),
    };
    for (key, one) in members {
        let at = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
        collect_pointers(one, &at, out);
        out.push(at);
    }
}

/// Values that somebody may write: of every type, short and long, with characters that some shapes refuse.
fn written() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        prop_oneof![Just(0_u64), 1..5000_u64, any::<u64>()].prop_map(Value::from),
        (-9..0_i64).prop_map(Value::from),
        "[a-zA-Z0-9._/@:~ -]{0,12}".prop_map(Value::from),
        "[a-z]{2,6}(-[a-z]{1,4})?(/[a-z]{2,5})?".prop_map(Value::from),
        "\\PC{0,6}[\\x00-\\x1f]?".prop_map(Value::from),
        prop_oneof![60..70_usize, 250..260_usize, 2000..2050_usize].prop_map(|long| "a".repeat(long).into()),
        Just(serde_json::json!([])),
        Just(serde_json::json!({})),
        Just(serde_json::json!(["a", "a"])),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// Whatever stands in whatever field of a good manifest: what the decoder takes, the schema takes; what the decoder
    /// refuses for its shape or its value, the schema refuses.
    #[test]
    fn schemas_agree_with_decoders_about_values(
        sample in any::<prop::sample::Index>(),
        place in any::<prop::sample::Index>(),
        new in written(),
    ) {
        let sample = sample.get(&SAMPLES);
        let mut value = sample.value.clone();
        let at = place.get(&sample.pointers);
        prop_assume!(!(at == "/install" && new.is_null()));
        *value.pointer_mut(at).unwrap() = new;
        let text = format!("---\n{value}\n---\n## Gotchas\n");
        let outcome = lint(sample.file, text.as_bytes(), Strictness::Relaxed);
        let errors: Vec<_> = outcome.diagnostics.iter().filter(|one| one.severity == Severity::Error).collect();
        let sayable = |one: &&&Diagnostic| {
            (SHAPES.contains(&one.code) || one.code == "manifest/value")
                && !BEYOND.iter().any(|words| one.message.contains(words))
        };
        let validator = &VALIDATORS[sample.file];
        let complaints: Vec<_> = validator.iter_errors(&value).map(|one| one.to_string()).collect();
        let about = format!("{} {} at {at}: {value}", sample.file, sample.id);
        if errors.is_empty() {
            prop_assert!(complaints.is_empty(), "the schema refuses {}: {:?}", about, complaints);
        } else if let Some(error) = errors.iter().find(sayable) {
            prop_assert!(!complaints.is_empty(), "the schema accepts {}: {}", about, error.message);
        }
    }
}

/// Reads a manifest, writes it, and reads it again.
fn again<T: serde::Serialize>(
    file: &str,
    load: impl Fn(&[u8]) -> Result<Loaded<T>, Refused>,
) -> Vec<(Value, Result<T, Refused>, T)> {
    let (_, text) = FILES.iter().find(|(name, _)| *name == file).unwrap();
    let (base, cases) = cases(text);
    let good = cases.into_iter().filter(|case| codes(case, "error").is_empty());
    good.map(|case| {
        let loaded = load(assembled(&base, &case).as_bytes()).unwrap().manifest;
        let written = format!("---\n{}\n---\n", serde_json::to_value(&loaded).unwrap());
        let again = load(written.as_bytes()).map(|again| again.manifest);
        (case["id"].clone(), again, loaded)
    })
    .collect()
}

#[test]
fn what_is_read_is_written_as_it_was() {
    for (id, again, loaded) in again("CLI.md", argrail_spec::cli_md::load) {
        assert_eq!(again, Ok(loaded), "{id}");
    }
    for (id, again, loaded) in again("AGENT-CLI.md", argrail_spec::agent_cli_md::load) {
        assert_eq!(again, Ok(loaded), "{id}");
    }
    for (id, again, loaded) in again("ACP.md", argrail_spec::acp_md::load) {
        assert_eq!(again, Ok(loaded), "{id}");
    }
}
