//! The seeds of `fuzz/`, replayed on a stable toolchain through the functions that are fuzzed.

use std::path::Path;

use crate::fuzzed::{document, invoke, provider_call};

fn replay(target: &str, check: fn(&[u8])) {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/seeds")
        .join(target);
    let mut count = 0;
    for seed in std::fs::read_dir(&seeds).unwrap() {
        check(&std::fs::read(seed.unwrap().path()).unwrap());
        count += 1;
    }
    assert!(count >= 25, "only {count} seeds in {}", seeds.display());
}

#[test]
fn seeds_of_document_hold() {
    replay("document", document);
}

#[test]
fn seeds_of_provider_call_hold() {
    replay("provider_call", provider_call);
}

#[test]
fn seeds_of_invoke_hold() {
    replay("invoke", invoke);
}
