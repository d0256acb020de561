//! The schemas that are generated, held against the vectors: what loads fits, what has another shape does not.

use argrail_spec::doc::{FrontMatter, Limits};
use argrail_spec::lint::{FileKind, Strictness};
use argrail_spec::manifest::{Loaded, Refused};
use argrail_spec::schema;
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
            let beyond = [
                "cli-install-open",
                "intent-action",
                "sandbox36-shell",
                "sandbox36-policy",
            ]
            .contains(&case["id"].as_str().unwrap());
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
