//! The vectors of `corpus/aip-29`: manifests field by field, YAML, and whole bundles.

mod bundles;
mod fields;
mod hostile;
mod narrowing;
mod schemas;
mod yaml;

/// Reads the cases of a file of the corpus.
fn cases(text: &str) -> (serde_json::Value, Vec<serde_json::Value>) {
    let file: serde_json::Value = serde_json::from_str(text).unwrap();
    let cases = file["cases"].as_array().unwrap().clone();
    (file["base"].clone(), cases)
}

/// Returns the first line of what stands at a span.
fn at(text: &str, span: argrail_spec::doc::Span) -> &str {
    let whole = text.get(span.start..span.end).unwrap();
    whole.lines().next().unwrap_or_default()
}

fn severity(severity: argrail_spec::doc::Severity) -> &'static str {
    match severity {
        argrail_spec::doc::Severity::Note => "note",
        argrail_spec::doc::Severity::Warning => "warning",
        argrail_spec::doc::Severity::Error => "error",
    }
}
