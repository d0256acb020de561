//! `cargo +nightly fuzz run template fuzz/corpus/template fuzz/seeds/template`

#![no_main]

#[path = "../../crates/spec/tests/it/fuzzed/template.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &str| check::template(text));
