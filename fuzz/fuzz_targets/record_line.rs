//! `cargo +nightly fuzz run record_line fuzz/corpus/record_line fuzz/seeds/record_line`

#![no_main]

#[path = "../../crates/engine/tests/it/fuzzed/record_line.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|line: &[u8]| check::record_line(line));
