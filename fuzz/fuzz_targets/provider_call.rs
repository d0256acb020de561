//! `cargo +nightly fuzz run provider_call fuzz/corpus/provider_call fuzz/seeds/provider_call`

#![no_main]

#[path = "../../crates/spec/tests/it/fuzzed/provider_call.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &[u8]| check::provider_call(text));
