//! `cargo +nightly fuzz run dns_query fuzz/corpus/dns_query fuzz/seeds/dns_query`

#![no_main]

#[path = "../../crates/sandbox/tests/it/fuzzed/dns_query.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check::dns_query(bytes));
