//! `cargo +nightly fuzz run request_stream fuzz/corpus/request_stream fuzz/seeds/request_stream`

#![no_main]

#[path = "../../crates/sandbox/tests/it/fuzzed/request_stream.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check::request_stream(bytes));
