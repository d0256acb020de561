//! The vectors of `corpus/aip-29` and `corpus/aip-45`: manifests field by field, YAML, and whole bundles.

pub(crate) mod bundles;
mod changes;
pub(crate) mod fields;
mod hostile;
mod narrowing;
mod schemas;
mod yaml;

/// Reads the cases of a file of the corpus.
pub(crate) fn cases(text: &str) -> (serde_json::Value, Vec<serde_json::Value>) {
    let file: serde_json::Value = serde_json::from_str(text).unwrap();
    let cases = file["cases"].as_array().unwrap().clone();
    (file["base"].clone(), cases)
}

/// Returns the first line of what stands at a span.
pub(crate) fn at(text: &str, span: argrail_spec::doc::Span) -> &str {
    let whole = text.get(span.start..span.end).unwrap();
    whole.lines().next().unwrap_or_default()
}

pub(crate) fn severity(severity: argrail_spec::doc::Severity) -> &'static str {
    match severity {
        argrail_spec::doc::Severity::Note => "note",
        argrail_spec::doc::Severity::Warning => "warning",
        argrail_spec::doc::Severity::Error => "error",
    }
}

#[test]
fn every_rule_of_manifests_is_provoked_by_a_vector() {
    let families = [
        "manifest/",
        "cli/",
        "tool/",
        "secrets/",
        "intent/",
        "driver/",
        "runner/",
        "sandbox/",
        "bundle/",
        "agent/",
        "acp/",
    ];
    let files = fields::FILES
        .iter()
        .map(|(_, text)| *text)
        .chain([bundles::BUNDLES, crate::agents::folders::FOLDERS]);
    let provoked: std::collections::HashSet<String> = files
        .flat_map(|text| cases(text).1)
        .flat_map(|case| case["expect"].as_array().unwrap().clone())
        .flat_map(|one| one.as_array().unwrap().clone())
        .filter_map(|word| word.as_str().map(str::to_owned))
        .collect();
    let rules = argrail_spec::lint::rules();
    let ours = rules
        .iter()
        .filter(|rule| families.iter().any(|family| rule.id.starts_with(family)));
    let silent: Vec<&str> = ours
        .map(|rule| rule.id)
        .filter(|id| !provoked.contains(*id))
        .collect();
    // Bundles side by side have a test of their own.
    assert_eq!(silent, ["bundle/identity"]);
}
