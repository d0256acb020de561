//! `cargo +nightly fuzz run document fuzz/corpus/document fuzz/seeds/document`

#![no_main]

#[path = "../../crates/spec/tests/it/fuzzed/document.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &[u8]| check::document(text));
