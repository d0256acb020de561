//! `cargo +nightly fuzz run output fuzz/corpus/output fuzz/seeds/output`

#![no_main]

#[path = "../../crates/engine/tests/it/fuzzed/output.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &[u8]| check::output(text));
