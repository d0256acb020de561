//! `cargo +nightly fuzz run pattern fuzz/corpus/pattern fuzz/seeds/pattern`

#![no_main]

#[path = "../../crates/sandbox/tests/it/fuzzed/pattern.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &str| check::pattern(text));
