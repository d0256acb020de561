//! Every field of every manifest: what is accepted, and what is said about the rest, with its place.

use argrail_spec::doc::Diagnostic;
use argrail_spec::lint::{Strictness, lint};
use serde_json::Value;

use super::{at, cases, severity};

pub(crate) const FILES: [(&str, &str); 9] = [
    ("CLI.md", include_str!("../../../../../corpus/aip-29/cli.json")),
    ("TOOL.md", include_str!("../../../../../corpus/aip-29/tool.json")),
    (
        "SECRETS.md",
        include_str!("../../../../../corpus/aip-29/secrets.json"),
    ),
    (
        "INTENT.md",
        include_str!("../../../../../corpus/aip-29/intent.json"),
    ),
    (
        "DRIVER.md",
        include_str!("../../../../../corpus/aip-29/driver.json"),
    ),
    (
        "RUNNER.md",
        include_str!("../../../../../corpus/aip-29/runner.json"),
    ),
    (
        "SANDBOX.md",
        include_str!("../../../../../corpus/aip-29/sandbox.json"),
    ),
    (
        "AGENT-CLI.md",
        include_str!("../../../../../corpus/aip-45/agent-cli.json"),
    ),
    ("ACP.md", include_str!("../../../../../corpus/aip-45/acp.json")),
];

/// Puts a manifest together: the base, with fields replaced, added, or taken out.
pub(crate) fn assembled(base: &Value, case: &Value) -> String {
    let with = case["with"].as_object().unwrap();
    let mut text = "---\n".to_owned();
    for (key, lines) in base.as_object().unwrap() {
        match with.get(key) {
            Some(Value::Null) => {}
            Some(lines) => text.push_str(&format!("{}\n", lines.as_str().unwrap())),
            None => text.push_str(&format!("{}\n", lines.as_str().unwrap())),
        }
    }
    for (key, lines) in with {
        if let (None, Some(lines)) = (base.get(key), lines.as_str()) {
            text.push_str(&format!("{lines}\n"));
        }
    }
    text + "---\n## Gotchas\n"
}

fn told(text: &str, diagnostics: &[Diagnostic]) -> Vec<[String; 3]> {
    let one = |one: &Diagnostic| {
        assert!(one.hint.is_some(), "{one:?} has no hint");
        [
            severity(one.severity).into(),
            one.code.into(),
            at(text, one.span).into(),
        ]
    };
    diagnostics.iter().map(one).collect()
}

#[test]
fn every_vector_of_every_manifest_holds() {
    let mut failed = Vec::new();
    let mut count = 0;
    for (file, text) in FILES {
        let (base, cases) = cases(text);
        for case in cases {
            let manifest = assembled(&base, &case);
            let outcome = lint(file, manifest.as_bytes(), Strictness::Relaxed);
            let mut came = told(&manifest, &outcome.diagnostics);
            let mut want: Vec<[String; 3]> = serde_json::from_value(case["expect"].clone()).unwrap();
            came.sort();
            want.sort();
            if came != want {
                let messages: Vec<_> = outcome.diagnostics.iter().map(|one| &one.message).collect();
                failed.push(format!(
                    "{}: {came:?} instead of {want:?}\n   {messages:?}",
                    case["id"]
                ));
            }
            count += 1;
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(count > 200, "only {count} vectors");
}

#[test]
fn strict_is_the_schemas_of_the_drafts() {
    let check = |file: &str, id: &str, want: [&str; 2]| {
        let (_, text) = FILES.iter().find(|(name, _)| *name == file).unwrap();
        let (base, cases) = cases(text);
        let case = cases.iter().find(|case| case["id"] == id).unwrap();
        let text = assembled(&base, case);
        let graded = [Strictness::Relaxed, Strictness::Strict].map(|strictness| {
            let outcome = lint(file, text.as_bytes(), strictness);
            severity(outcome.diagnostics[0].severity)
        });
        assert_eq!(graded, want, "{id}");
    };
    check("TOOL.md", "tool-approval-absent", ["warning", "error"]);
    check("CLI.md", "cli-curl-no-hash", ["warning", "error"]);
    check("CLI.md", "cli-state-denied", ["error", "error"]);
    check("AGENT-CLI.md", "agent-env-unset", ["warning", "error"]);
    check("CLI.md", "cli-intents-actions", ["note", "note"]);
}
