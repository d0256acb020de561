//! `cargo +nightly fuzz run manifest fuzz/corpus/manifest fuzz/seeds/manifest`

#![no_main]

#[path = "../../crates/spec/tests/it/fuzzed/manifest.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &[u8]| check::manifest(text));
