//! `cargo +nightly fuzz run tls_hello fuzz/corpus/tls_hello fuzz/seeds/tls_hello`

#![no_main]

#[path = "../../crates/sandbox/tests/it/fuzzed/tls_hello.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check::tls_hello(bytes));
