//! `cargo +nightly fuzz run launch fuzz/corpus/launch fuzz/seeds/launch`

#![no_main]

#[path = "../../crates/spec/tests/it/fuzzed/launch.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &str| check::launch(text));
