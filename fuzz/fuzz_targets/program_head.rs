//! `cargo +nightly fuzz run program_head fuzz/corpus/program_head fuzz/seeds/program_head`

#![no_main]

#[path = "../../crates/sandbox/tests/it/fuzzed/program_head.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check::program_head(bytes));
