//! `cargo +nightly fuzz run answer fuzz/corpus/answer fuzz/seeds/answer`

#![no_main]

#[path = "../../crates/acli/tests/it/fuzzed/answer.rs"]
mod check;
#[path = "../../crates/acli/tests/it/rich.rs"]
mod rich;

libfuzzer_sys::fuzz_target!(|text: &str| check::answer(text));
