//! The seeds of `fuzz/`, replayed through the functions that are fuzzed.

use argrail_testkit::{replay_seeds, replay_texts};

use crate::fuzzed::{document, help, invoke, provider_call};

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
fn seeds_of_help_hold() {
    replay_texts("help", help);
}
