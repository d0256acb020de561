//! `cargo +nightly fuzz run help fuzz/corpus/help fuzz/seeds/help`

#![no_main]

#[path = "../../crates/spec/tests/it/fuzzed/help.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &str| check::help(text));
