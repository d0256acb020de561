//! `cargo +nightly fuzz run caller_memory fuzz/corpus/caller_memory fuzz/seeds/caller_memory`

#![no_main]

#[path = "../../crates/sandbox/tests/it/fuzzed/caller_memory.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check::caller_memory(bytes));
