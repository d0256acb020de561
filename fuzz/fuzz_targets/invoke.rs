//! `cargo +nightly fuzz run invoke fuzz/corpus/invoke fuzz/seeds/invoke`

#![no_main]

#[path = "../../crates/spec/tests/it/fuzzed/invoke.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &[u8]| check::invoke(text));
