//! The seeds of `fuzz/`, replayed through the functions that are fuzzed.

use argrail_testkit::{replay_seeds, replay_texts};

use crate::fuzzed::{
    completion_script, document, help, invoke, launch, man_page, manifest, provider_call, template,
};

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

#[test]
fn seeds_of_help_hold() {
    replay_texts("help", help);
}

#[test]
fn seeds_of_man_page_hold() {
    replay_texts("man_page", man_page);
}

#[test]
fn seeds_of_completion_script_hold() {
    replay_texts("completion_script", completion_script);
}

#[test]
fn seeds_of_template_hold() {
    replay_texts("template", template);
}

#[test]
fn seeds_of_launch_hold() {
    replay_texts("launch", launch);
}
