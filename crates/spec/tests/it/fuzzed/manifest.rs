//! Any bytes are a manifest, or are refused with places inside of the text and words of a bounded length.

use argrail_spec::doc::{Diagnostic, FrontMatter, Limits, Node, Severity, Value};
use argrail_spec::lint::{Strictness, lint};
use argrail_spec::{
    acp_md, agent_bundle, agent_cli_md, bundle, cli_md, driver_md, intent_md, runner_block, sandbox_block,
    secrets_md, tool_md,
};

/// Every manifest that is known by its name.
const NAMES: [&str; 10] = [
    "CLI.md",
    "TOOL.md",
    "SECRETS.md",
    "INTENT.md",
    "RUNNER.md",
    "DRIVER.md",
    "SANDBOX.md",
    "AGENT-CLI.md",
    "ACP.md",
    "policy.yaml",
];

/// Checks one text.
pub(crate) fn manifest(text: &[u8]) {
    if let Ok(file) = FrontMatter::read(text, &Limits::manifest()) {
        let whole = file.document.text();
        check_spans(whole, file.root());
        assert!(whole.ends_with(file.body()));
    }
    for name in NAMES {
        let outcome = lint(name, text, Strictness::Strict);
        outcome.diagnostics.iter().for_each(|one| check(text, one));
        assert!(outcome.diagnostics.len() < 700, "{}", outcome.diagnostics.len());
    }
    let refused = [
        cli_md::load(text).err(),
        tool_md::load(text).err(),
        secrets_md::load(text).err(),
        intent_md::load(text).err(),
        runner_block::load(text).err(),
        driver_md::load(text).err(),
        sandbox_block::load(text).err(),
        agent_cli_md::load(text).err(),
        acp_md::load(text).err(),
    ];
    for refused in refused.into_iter().flatten() {
        let first = refused.first();
        assert!(first.is_some_and(|first| first.severity == Severity::Error));
    }
    let mut files = bundle::Files::default();
    for name in [
        "CLI.md",
        "TOOL.md",
        "SECRETS.md",
        "tools/a/TOOL.md",
        "intents/a/INTENT.md",
        "AGENT-CLI.md",
        "ACP.md",
    ] {
        files.text(name, text);
    }
    let reports = bundle::check(Some("a"), &files).reports;
    for report in reports
        .into_iter()
        .chain(agent_bundle::check(Some("a"), &files).reports)
    {
        report.diagnostics.iter().for_each(|one| check(text, one));
    }
}

fn check(text: &[u8], one: &Diagnostic) {
    assert!(
        one.span.start <= one.span.end && one.span.end <= text.len(),
        "{one:?}"
    );
    if let Ok(text) = std::str::from_utf8(text) {
        assert!(text.get(one.span.start..one.span.end).is_some(), "{one:?}");
    }
    assert!(one.message.len() < 3000, "{}", one.message.len());
    assert!(one.hint.is_some() || one.code == "doc/more", "{one:?}");
}

/// Every value stands where it says, and children inside of their parents unless an alias put them there.
fn check_spans(text: &str, node: &Node) {
    assert!(text.get(node.span.start..node.span.end).is_some(), "{node:?}");
    match &node.value {
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        Value::Array(items) => items.iter().for_each(|item| check_spans(text, item)),
        Value::Object(object) => {
            for member in &object.members {
                assert!(text.get(member.key_span.start..member.key_span.end).is_some());
                check_spans(text, &member.node);
            }
        }
    }
}
