//! The seeds of `fuzz/`, replayed through the functions that are fuzzed.

use argrail_testkit::replay_seeds;

use crate::fuzzed::{document, invoke, manifest, provider_call};

#[test]
fn seeds_of_document_hold() {
    replay_seeds("document", document);
}

#[test]
fn seeds_of_provider_call_hold() {
    replay_seeds("provider_call", provider_call);
}

#[test]
fn seeds_of_invoke_hold() {
    replay_seeds("invoke", invoke);
}

#[test]
fn seeds_of_manifest_hold() {
    replay_seeds("manifest", manifest);
}
