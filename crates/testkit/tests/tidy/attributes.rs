//! A lint is silenced with a reason or not at all, and a test that exists is run.

use crate::finding::{Finding, report};
use crate::repository;
use crate::source::{Source, words};

const RULE: &str = "attributes";

fn check(path: &str, text: &str) -> Vec<Finding> {
    let source = Source::of(text);
    let mut findings = Vec::new();
    for attribute in source.attributes() {
        let mut find = |message: &str| findings.push(Finding::new(RULE, path, attribute.line, message));
        let text = attribute.text;
        if has(text, "allow") {
            find("`allow` stays when its cause is gone: use `expect` with a reason");
        }
        if has(text, "expect") && !has_reason(text) {
            find("say why: `#[expect(…, reason = \"…\")]`");
        }
        if has(text, "ignore") {
            find("an ignored test proves nothing: assert what holds today, or remove it");
        }
    }
    findings
}

/// Returns whether the attribute is `name`, alone or behind `cfg_attr`.
fn has(attribute: &str, name: &str) -> bool {
    let conditional = attribute.trim_start().starts_with("cfg_attr");
    words(attribute, name)
        .any(|at| conditional || attribute.get(..at).is_some_and(|before| before.trim().is_empty()))
}

fn has_reason(attribute: &str) -> bool {
    let compact = attribute.replace([' ', '\n'], "");
    // The inside of a literal is blank here, so a reason that says something still looks empty when
    // compacted: look for the empty literal in the text as it stands.
    compact.contains("reason=\"") && !attribute.contains("\"\"")
}

#[test]
fn silence_without_a_reason_is_found() {
    fn table(text: &str, expected: &[(usize, &str)]) {
        crate::finding::assert_findings(&check("a.rs", text), expected, text);
    }
    table("#[expect(dead_code, reason = \"why\")]\nfn a() {}", &[]);
    table("#![expect(\n    a,\n    reason = \"why\"\n)]", &[]);
    table("#[derive(Debug)]\nstruct Ignore { allow: u8 }", &[]);
    table("// #[allow(x)]\nlet a = \"#[ignore]\";", &[]);
    table("#[serde(skip)]\n#[doc(alias = \"allow\")]", &[]);
    table("\n#[allow(dead_code)]", &[(2, "use `expect`")]);
    table("#![allow(dead_code, reason = \"why\")]", &[(1, "use `expect`")]);
    table("#[cfg_attr(test, allow(x))]", &[(1, "use `expect`")]);
    table("#[expect(dead_code)]", &[(1, "say why")]);
    table("#[expect(dead_code, reason = \"\")]", &[(1, "say why")]);
    table("#[test]\n#[ignore]\nfn a() {}", &[(2, "proves nothing")]);
    table(
        "#[test]\n#[ignore = \"slow\"]\nfn a() {}",
        &[(2, "proves nothing")],
    );
}

#[test]
fn every_silenced_lint_has_its_reason() {
    let rust = repository::files()
        .iter()
        .filter_map(|file| Some((file.path.as_str(), file.rust()?)));
    report(
        &rust
            .flat_map(|(path, text)| check(path, text))
            .collect::<Vec<_>>(),
    );
}
