//! `cargo +nightly fuzz run proxy_request fuzz/corpus/proxy_request fuzz/seeds/proxy_request`

#![no_main]

#[path = "../../crates/sandbox/tests/it/fuzzed/proxy_request.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check::proxy_request(bytes));
