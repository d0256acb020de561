//! The seeds of `fuzz/`, replayed through the functions that are fuzzed.

use argrail_testkit::replay_seeds;

use crate::fuzzed::{completion_script, document, invoke, man_page, provider_call};

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
fn seeds_of_man_page_hold() {
    replay_seeds("man_page", |text: &[u8]| man_page(&String::from_utf8_lossy(text)));
}

#[test]
fn seeds_of_completion_script_hold() {
    replay_seeds("completion_script", |text: &[u8]| {
        completion_script(&String::from_utf8_lossy(text))
    });
}
