//! `cargo +nightly fuzz run completion_script fuzz/corpus/completion_script fuzz/seeds/completion_script`

#![no_main]

#[path = "../../crates/spec/tests/it/fuzzed/completion_script.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &str| check::completion_script(text));
