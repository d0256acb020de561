//! `cargo +nightly fuzz run tokenize fuzz/corpus/tokenize fuzz/seeds/tokenize`

#![no_main]

#[path = "../../crates/acli/tests/it/fuzzed/tokenize.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &str| check::tokenize(text));
